// The whole table of answers: equal parameters give equal data in the editor, on its page, to agents and in the terminal, and wrong ones the same problem.

import { globSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inAgentWords } from '../../server/agents/agent-words.ts';
import { ANSWERS, SESSION_ANSWERS } from '../../server/features/answers/answer-table.ts';
import type { Hits, Refused } from '../../server/views/view-messages.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { type LspClient, REFRESHING, startServer } from '../support/insitu/lsp-client.ts';
import { insituProgram } from '../support/insitu/program.ts';

const ROOT = resolve('samples/shop/v1');
const FILE = 'src/main/java/com/acme/shop/Shop.java';
const URI = pathToFileURL(resolve(ROOT, FILE)).href;
const MOST = 5;
/** Before all samples. */
const FIRST_TIME = '2020-01-01T12:30:00.250Z';

/** The version that has a whole snapshot and a broken one. */
const DAMAGED = 'v3';

let store = '';
let agent: Client;
let editor: LspClient;
beforeAll(async () => {
  store = mkdtempSync(join(tmpdir(), 'insitu-faces-'));
  const place = ['--store', store, '--project', 'shop', '--program', 'shop'];
  await insitu('import', 'samples/recordings/shop-v1-jdk17-a.jfr', ...place, '--version', 'v1', '--instance', 'first');
  await insitu('import', 'samples/recordings/shop-v1-jdk17-b.jfr', ...place, '--version', 'v1', '--instance', 'second');
  await insitu('import', 'samples/recordings/shop-v2-jdk17.jfr', ...place, '--version', 'v2');
  await insitu('import', 'samples/recordings/shop-v1-jdk17-b.jfr', ...place, '--version', DAMAGED);
  await insitu(
    'import',
    'samples/formats/shop-cpu.collapsed.gz',
    ...place,
    '--version',
    DAMAGED,
    '--instance',
    'broken',
  );
  for (const snapshot of globSync(join(store, '**', 'broken', '*.cct'))) truncateSync(snapshot, 300);
  agent = new Client({ name: 'test', version: '1' });
  const args = [insituProgram, 'mcp', '--root', ROOT, ...place, '--version', 'v1'];
  await agent.connect(new StdioClientTransport({ command: process.execPath, args, cwd: process.cwd() }));
  editor = await startServer({
    folders: [ROOT],
    capabilities: REFRESHING,
    env: { HOME: store, XDG_CACHE_HOME: join(store, 'cache') },
    initializationOptions: { store, project: 'shop', program: 'shop', version: 'v1' },
  });
});
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
  if (isError === true) return { problem: plain(text).split('\n').join('; ') };
  // Advice for the next step is for agents alone.
  const { advice: _advice, ...data } = Object(structuredContent);
  return { data: withoutAge(data) };
}

/** Errors of tools are Markdown. */
function plain(text: string): string {
  return text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}

async function inEditor(name: string, given: object): Promise<Said> {
  return await editor.connection.sendRequest(`insitu/${name}`, given).then(
    data => ({ data: withoutAge(data) }),
    ({ message }: Error) => ({ problem: message.replace(/^insitu\/\w+: /, '') }),
  );
}

async function onPage(name: string, given: object): Promise<Said> {
  const question = { ask: 'answer', answer: name, parameters: given };
  const { json } = await editor.connection.sendRequest<{ json: object & Partial<Refused> }>('insitu/view', {
    question,
  });
  const { error } = json;
  if (error === undefined) return { data: withoutAge(json) };
  return { problem: error.remedy === '' ? error.message : `${error.message} (${error.remedy})` };
}

async function inTerminal(name: string, given: object): Promise<Said> {
  const place = ['--store', store, '--project', 'shop', '--program', 'shop', '--version', 'v1'];
  const parameters = Object.entries(given).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const { out, err } = await insitu('ask', name, ...parameters, '--json', '--root', ROOT, ...place);
  if (out !== '') return { data: withoutAge(JSON.parse(out)) };
  const lines = err.trimEnd().split('\n');
  return { problem: lines.map(line => line.replace(/^(error|info): /, '')).join('; ') };
}

function withoutAge(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data, (key, value) => (key === 'ageMinutes' ? undefined : value)));
}

/** Labels, locations and colours are beside what other faces get. */
function withoutEditors({ data, problem }: Said): Said {
  if (problem !== undefined) return { problem };
  const isMethod = (value: unknown): value is Record<'label' | 'location' | 'certain', unknown> =>
    typeof value === 'object' && value !== null && 'key' in value && 'label' in value;
  return {
    data: JSON.parse(JSON.stringify(data), (_, value) => {
      if (isMethod(value)) {
        const { label: _label, location: _location, certain: _certain, ...method } = value;
        return method;
      }
      if (typeof value !== 'object' || value === null || !('colour' in value)) return value;
      const { angle: _angle, colour: _colour, ...change } = value;
      return change;
    }),
  };
}

/** Parameters that an answer cannot do without, and parameters that choose a part of the data or another version. */
const GIVEN: Readonly<Record<string, object>> = {
  callers: { method: 'Shop.search' },
  callees: { method: 'Shop.search' },
  why: { method: 'Shop.search' },
  methodSource: { method: 'Shop.search' },
  comparedSource: { method: 'Shop.search', baseline: 'v2' },
  codeChanges: { baseline: 'v2' },
  completePath: { query: '* ..Shop.se' },
  top: { baseline: 'v2', sort: 'change' },
  annotatedFile: { file: FILE, baseline: 'v2' },
  prediction: { file: FILE },
  responseTimes: { method: 'Shop.search' },
  moved: { baseline: 'v2' },
  compare: { baseline: 'v2', check: 0.05 },
  paths: { query: '* ..Shop.search', refine: 'down', least: 1 },
  aspects: { aspects: [{ name: 'search', value: '*.search.*' }], spans: 3 },
  groups: { by: 'class' },
  timeline: { method: 'Shop.search' },
};

/** The same of answers that editors alone get. */
const OF_SESSION: Readonly<Record<string, object>> = {
  metrics: { textDocument: { uri: URI } },
  callHierarchy: { method: { className: 'com.acme.shop.Shop', name: 'search' }, depth: 2 },
};

/** Commits of the project's own repository change from day to day: the command's tests have a repository. */
const CASES = ANSWERS.filter(({ name }) => name !== 'changedMethods').flatMap(({ name, parameters }) => {
  const known = Object.keys(Object(parameters).entries);
  const limit = known.includes('limit') ? { limit: MOST } : {};
  const given = { ...limit, ...GIVEN[name] };
  const others = known.includes('metric')
    ? [
        // Nothing is compared with itself.
        { ...given, version: 'v2', ...(name === 'compare' && { baseline: 'v1' }) },
        { ...given, threads: ['worker-*'], from: FIRST_TIME, instances: ['second'] },
      ]
    : [];
  return [given, ...others].map(each => [name, each] as const);
});

/** Lines of the file in which `search` stands, and calls `take`. */
const PLACES = [
  ['callers', { limit: MOST, method: `${FILE}:${lineOf('search(')}` }],
  ['callees', { limit: MOST, method: `${FILE}:${lineOf('search(')}` }],
  ['why', { method: `${FILE}:${lineOf('search(')}` }],
  ['threads', { limit: MOST, method: `${FILE}:${lineOf('search(')}` }],
] as const;

/** Lists that are searched, sorted and read in parts. */
const PARTS = [
  ['top', { search: '/\\.(search|score\\w*)$/', sort: 'name', offset: 1, limit: 2, places: false }],
  ['moved', { baseline: 'v2', search: 'search.', offset: 1, limit: 3 }],
  ['callees', { method: 'Shop.search', search: 'a', sort: 'self', offset: 1, limit: 2 }],
] as const;

function lineOf(part: string): number {
  const lines = readFileSync(resolve(ROOT, FILE), 'utf8').split('\n');
  return lines.findIndex(line => line.includes(part) && line.trimEnd().endsWith('{')) + 1;
}

test.each([...CASES, ...PLACES, ...PARTS])('%s %j is the same for all faces', async (name, given) => {
  const agents = await toAgent(name, given);
  expect(agents.problem).toBeUndefined();
  expect(await inTerminal(name, given)).toEqual(agents);
  expect(await onPage(name, given)).toEqual(agents);
  expect(withoutEditors(await inEditor(name, given))).toEqual(agents);
  const { result } = ANSWERS.find(answer => answer.name === name)!;
  const { structuredContent } = await agent.callTool({ name, arguments: { ...given } });
  expect(v.safeParse(result, structuredContent).issues).toBeUndefined();
});

test.each(SESSION_ANSWERS.map(row => [row.name, row] as const))(
  '%s needs the session of an editor: no other face has it',
  async (name, { result }) => {
    editor.open(URI, readFileSync(resolve(ROOT, FILE), 'utf8'));
    const { data, problem } = await inEditor(name, OF_SESSION[name] ?? {});
    await editor.connection.sendNotification('textDocument/didClose', { textDocument: { uri: URI } });
    expect(problem).toBeUndefined();
    expect(v.safeParse(result, data).issues).toBeUndefined();
    expect((await agent.listTools()).tools.map(tool => tool.name)).not.toContain(name);
    await expect(toAgent(name, {})).rejects.toThrow(name);
    expect((await inTerminal(name, {})).problem).toContain(`there is no answer "${name}"`);
    expect((await onPage(name, {})).problem).toContain(`there is no answer "${name}"`);
  },
);

test.each([
  ['top', { version: DAMAGED, limit: 1 }],
  ['moved', { baseline: DAMAGED, limit: 1 }],
  ['loadedData', { version: DAMAGED, focus: ['Shop.search', 'Shop.serch'] }],
] as const)('%s %j tells of the broken snapshot on all faces', async (name, given) => {
  const agents = await toAgent(name, given);
  const { origin, cautions } = Object(agents.data);
  expect(origin.problems[0].text).toMatch(/broken.*\.cct: .*this snapshot cannot be read/);
  if (name === 'loadedData') {
    expect(cautions.join()).toContain('this snapshot cannot be read');
    expect(origin.problems[1].text).toContain('Shop.serch');
  }
  const { content } = await agent.callTool({ name, arguments: { ...given } });
  expect(JSON.stringify(content)).toContain('this snapshot cannot be read');
  expect(await inTerminal(name, given)).toEqual(agents);
  expect(withoutEditors(await inEditor(name, given))).toEqual(agents);
});

test.each<readonly [name: string, given: Readonly<Record<string, unknown>>, words: string]>([
  ...ANSWERS.map(({ name }) => [name, { ...GIVEN[name], surely: 1 }, 'surely: there is no such parameter'] as const),
  ['top', { limit: 0 }, 'limit: 0 is not allowed'],
  ['top', { limt: 3 }, 'limt: there is no such parameter (did you mean limit?)'],
  [
    'top',
    { sort: 'size', threads: [7] },
    'sort: "size" is not allowed (allowed: "own" | "total" | "self" | "name" | "change")',
  ],
  ['top', { platform: 'yes' }, 'platform: "yes" is not allowed'],
  ['top', { metric: 'nonsense' }, 'nonsense'],
  ['top', { version: 'nowhere' }, 'nowhere'],
  ['top', { instances: ['nowhere'] }, 'nowhere'],
  ['top', { instances: [7] }, 'instances'],
  ['top', { from: 'yesterday' }, 'yesterday'],
  ['top', { from: '2026-01-02', to: '2026-01-01' }, '"from" is not before "to"'],
  ['top', { focus: ['Shop.serch'] }, 'did you mean'],
  ['top', { toString: 'x' }, 'toString: there is no such parameter'],
  ['groups', {}, 'by: this parameter is missing'],
  ['changedMethods', { commits: 'HEAD' }, 'HEAD'],
  ['changedMethods', { commits: 'HEAD..nowhere' }, 'nowhere'],
  ['heaviestPath', { method: 'Shop.serch' }, 'did you mean com.acme.shop.Shop.search?'],
  ['callers', {}, 'method: this parameter is missing'],
  ['callers', { method: 'Shop.serch' }, 'did you mean'],
  ['callers', { method: '\u001b[31m`|' }, 'no method that ran'],
  ['callers', { method: `${FILE}:1` }, ''],
  ['moved', { baseline: 'nowhere' }, 'nowhere'],
  ['annotatedFile', { file: '../../../etc/passwd' }, 'leads out of the project'],
  ['paths', { query: '* ..Shop.serch' }, 'query, column 5: no method that ran'],
  ['paths', { query: '* Shop.search', refine: 'up' }, '".."'],
  ['top', { search: '/(/' }, '/(/'],
  ['compare', { version: 'v2', baseline: 'v2' }, 'v2 is compared with itself'],
  ['moved', { baseline: 'v2', search: '/(/' }, '/(/'],
])('%s %j is the same problem for all faces', async (name, given, words) => {
  const agents = await toAgent(name, given);
  expect(agents.problem).toContain(words);
  expect(agents.problem).not.toContain('\u001b');
  for (const face of [inTerminal, onPage, inEditor]) {
    const { problem } = await face(name, given);
    // Agents are told of tools where people have commands.
    expect(inAgentWords(problem ?? '')).toBe(agents.problem);
  }
});

test.each([{ instances: ['second'] }, { instances: ['first'], threads: ['worker-*'] }, { version: 'v2' }, {}])(
  'the look %j shows the samples on the page that answers count',
  async look => {
    const question = { ask: 'hits', look, search: 'Shop' };
    const { json } = await editor.connection.sendRequest<{ json: Hits }>('insitu/view', { question });
    const { data } = await toAgent('loadedData', look);
    expect(json.whole.count).toBe(Object(data).origin.samples);
  },
);

test.each([
  ['20200101', '"20200101" is not allowed'],
  ['1577881800250', ''],
])('the terminal takes from=%s as a moment or refuses it', async (from, problem) => {
  const place = ['--store', store, '--project', 'shop', '--program', 'shop', '--version', 'v1'];
  const { out, err } = await insitu('ask', 'top', `from=${from}`, 'limit=1', '--json', '--root', ROOT, ...place);
  expect(err).toContain(problem);
  expect(out === '').toBe(problem !== '');
});

test('a span that ends before it begins is refused within one window too', async () => {
  const { data } = await toAgent('timeline', { limit: 1 });
  const begin = Date.parse(Object(data).rows[0].from);
  const span = { from: begin + 2_000, to: begin + 1_000 };
  expect((await toAgent('top', span)).problem).toContain('"from" is not before "to"');
  expect((await onPage('top', span)).problem).toContain('"from" is not before "to"');
});
