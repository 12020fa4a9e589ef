// The whole table of answers: equal parameters give equal data in the editor and to agents, and wrong ones the same problem.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANSWERS } from '../../server/features/answers/answer-table.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { type LspClient, REFRESHING, startServer } from '../support/insitu/lsp-client.ts';
import { ADAPTED } from '../support/protocol/adapted-answers.ts';

const ROOT = resolve('samples/shop/v1');
const FILE = 'src/main/java/com/acme/shop/Shop.java';
const MOST = 5;

let store = '';
let agent: Client;
let editor: LspClient;
beforeAll(async () => {
  store = mkdtempSync(join(tmpdir(), 'insitu-faces-'));
  const place = ['--store', store, '--project', 'shop', '--program', 'shop'];
  await insitu('import', 'samples/recordings/shop-v1-jdk17-a.jfr', ...place, '--version', 'v1');
  await insitu('import', 'samples/recordings/shop-v2-jdk17.jfr', ...place, '--version', 'v2');
  agent = new Client({ name: 'test', version: '1' });
  const args = ['server/cli/main.ts', 'mcp', '--root', ROOT, ...place, '--version', 'v1'];
  await agent.connect(new StdioClientTransport({ command: process.execPath, args, cwd: process.cwd() }));
  editor = await startServer({
    folders: [ROOT],
    capabilities: REFRESHING,
    env: { HOME: store, XDG_CACHE_HOME: join(store, 'cache') },
    initializationOptions: { store, project: 'shop', program: 'shop', version: 'v1' },
  });
}, 60_000);
afterAll(async () => {
  await agent.close();
  await editor.stop();
  rmSync(store, { recursive: true, force: true, maxRetries: 5 });
});

/** Minutes pass between two answers; a problem is its text. */
type Said = { readonly data?: unknown; readonly problem?: string };

async function toAgent(name: string, given: object): Promise<Said> {
  const { structuredContent, content, isError } = await agent.callTool({ name, arguments: { ...given } });
  const [first] = content as { text: string }[];
  const text = (first?.text ?? '').replace(/^.*?Input validation error: .*?: /s, '').replace(/^.*? - /s, '');
  return isError === true ? { problem: text.split('\n').join('; ') } : { data: withoutAge(structuredContent) };
}

async function inEditor(name: string, given: object): Promise<Said> {
  return await editor.connection.sendRequest(`insitu/${name}`, given).then(
    data => ({ data: withoutAge(data) }),
    ({ message }: Error) => ({ problem: message.replace(/^insitu\/\w+: /, '') }),
  );
}

function withoutAge(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data, (key, value) => (key === 'ageMinutes' ? undefined : value)));
}

/** What an answer cannot do without, and what makes its data those of a part or of another version. */
const GIVEN: Readonly<Record<string, object>> = {
  methods: { baseline: 'v2', sort: 'change' },
  annotatedFile: { file: FILE, baseline: 'v2' },
  prediction: { file: FILE },
  responseTimes: { method: 'Shop.search' },
  movedMethods: { baseline: 'v2' },
  paths: { query: '* ..Shop.search', refine: 'down', least: 1 },
  groups: { by: 'class' },
  timeline: { method: 'Shop.search' },
};

const CASES = ADAPTED.flatMap(({ name, parameters }) => {
  const known = Object.keys(Object(parameters).entries);
  const limit = known.includes('limit') ? { limit: MOST } : {};
  const given = { ...limit, ...GIVEN[name] };
  const [method] = known.includes('metric') ? ['version'] : [];
  return [[name, given] as const, ...(method === undefined ? [] : [[name, { ...given, version: 'v2' }] as const])];
});

test.each(CASES)('%s %j gives editors and agents the same', async (name, given) => {
  const [agents, editors] = [await toAgent(name, given), await inEditor(name, given)];
  expect(editors).toEqual(agents);
  const { result } = ANSWERS.find(answer => answer.name === name)!;
  if (agents.problem === undefined)
    expect(v.safeParse(result, await editor.connection.sendRequest(`insitu/${name}`, given)).issues).toBeUndefined();
});

test.each([
  ...ADAPTED.map(({ name }) => [name, { ...GIVEN[name], surely: 1 }] as const),
  ['methods', { limit: 0 }] as const,
  ['methods', { sort: 'size', search: 7 }] as const,
  ['methods', { metric: 'nonsense' }] as const,
  ['methods', { version: 'nowhere' }] as const,
  ['methods', { focus: ['Shop.serch'] }] as const,
  ['groups', {}] as const,
  ['heaviestPath', { method: 'Shop.serch' }] as const,
  ['movedMethods', { baseline: 'nowhere' }] as const,
  ['annotatedFile', { file: '../../../etc/passwd' }] as const,
  ['paths', { query: '* ..Shop.serch' }] as const,
])('%s %j is the same problem for editors and agents', async (name, given) => {
  const [agents, editors] = [await toAgent(name, given), await inEditor(name, given)];
  expect(editors.problem).toBeTruthy();
  expect(editors).toEqual(agents);
});
