// The real server: which callers an unsaved edit makes slower, by the hint's command, a code action and limits.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CodeAction, InlayHintLabelPart, PublishDiagnosticsParams } from 'vscode-languageserver/node';
import { GrowingTimes } from '../../server/cct/times.ts';
import type { SlowerCallers } from '../../server/lsp/protocol.ts';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { hintText, type LspClient, REFRESHING, startServer } from '../support/insitu/lsp-client.ts';
import { putProfile } from '../support/insitu/lsp-store.ts';
import { NANOS, PREDICTED_SHOP, RANKING_SHOP } from '../support/profiles/predicted-shop.ts';
import { methodRows, profileOfText } from '../support/profiles/profiles.ts';

const ALL = '  void all() {\n    run(null);\n  }\n}\n';
const SHOP = PREDICTED_SHOP.replace(/}\n$/, ALL);
const EDITED = RANKING_SHOP.replace(/}\n$/, ALL);
const API = 'class Api {\n  void serve() {\n    new Shop().run(null);\n    new Shop().run(null);\n  }\n}\n';

let scratch: ScratchRepository;
let client: LspClient;

beforeEach(async () => {
  scratch = new ScratchRepository();
  const store = join(scratch.home, 'store');
  await putTimes(store, scratch.commit({ 'Shop.java': SHOP, 'Api.java': API }));
  client = await startServer({
    folders: [scratch.root],
    env: { HOME: scratch.home, XDG_CACHE_HOME: join(scratch.home, 'cache') },
    capabilities: { ...REFRESHING, workspace: { ...REFRESHING.workspace, configuration: false } },
    initializationOptions: {
      ...{ store, project: 'acme', diagnostics: { stale: false }, hints: { commands: 'on' } },
      predict: { limit: { 'Shop.all': '+20 %', 'Api.*': '+10 ms', 'Main.*': '+5 ms' } },
    },
  });
  client.open(uri(), SHOP);
});
afterEach(async () => {
  await client.stop();
  scratch.remove();
});

const uri = () => pathToFileURL(join(scratch.root, 'Shop.java')).href;

/** Two runs of 50 ms in each call of `Api.serve`, which `Main.main` calls, and one in each of `Shop.all`; five finds a run. */
async function putTimes(store: string, version: string): Promise<void> {
  const names = ['Shop.run', 'Shop.all', 'Shop.find', 'Shop.rank', 'Api.serve', 'Main.main'];
  const profile = profileOfText(names.map(name => `${name} | 10@3`).join('\n'));
  const rows = methodRows(profile);
  const row = (name: string) => rows.get(name)!;
  const times = new GrowingTimes();
  const call = (callee: string, caller: string | null, millis: number) =>
    times.addCall(row(callee), caller === null ? 0 : row(caller), 0, millis * NANOS);
  for (let at = 0; at < 20; at++) {
    call('Main.main', null, 1000);
    call('Api.serve', 'Main.main', 120);
    call('Shop.all', null, 60);
    for (const caller of ['Api.serve', 'Api.serve', 'Shop.all']) {
      call('Shop.run', caller, 50);
      for (let find = 0; find < 5; find++) call('Shop.find', 'Shop.run', 6);
    }
    call('Shop.rank', null, 3);
  }
  await putProfile(store, { ...profile, times: times.finish()! }, { version });
}

test('the slowest stand first, with place and amount', async () => {
  client.change(uri(), 2, [{ text: EDITED }]);
  const sum = async () => (await client.hints(uri())).find(hint => hintText(hint).includes('≈ +15 ms'));
  await expect.poll(sum, { timeout: 20_000 }).toBeDefined();
  const [part] = (await sum())!.label as InlayHintLabelPart[];
  expect(part?.command).toMatchObject({ title: 'insitu: slower callers', command: 'insitu.slowerCallers' });
  const [given] = part!.command!.arguments as [object];
  const answer = await client.connection.sendRequest<SlowerCallers>('insitu/slowerCallers', given);
  expect(answer.method).toBe('Shop.run');
  expect(answer.rows.map(({ method, text }) => `${method.label} ${text} ${method.location?.range.start.line}`)).toEqual(
    ['Api.serve ≈ +30 ms of 120 ms 1', 'Main.main ≈ +30 ms of 1 s undefined', 'Shop.all ≈ +15 ms of 60 ms 11'],
  );
  const at = { line: 1, character: 8 };
  const actions = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
    ...{ textDocument: { uri: uri() }, range: { start: at, end: at }, context: { diagnostics: [] } },
  });
  expect(actions.map(({ title, command }) => [title, command?.command])).toContainEqual([
    'insitu: slower callers (3)',
    'insitu.slowerCallers',
  ]);
  const nowhere = { textDocument: { uri: uri() }, position: { line: 12, character: 8 } };
  expect(await client.connection.sendRequest('insitu/slowerCallers', nowhere)).toBeNull();
});

test('a caller beyond its limit is marked, here or at the edited method', async () => {
  client.change(uri(), 2, [{ text: EDITED }]);
  const marked = () =>
    client.received
      .filter(({ method }) => method === 'textDocument/publishDiagnostics')
      .map(({ params }) => params as PublishDiagnosticsParams)
      .at(-1)
      ?.diagnostics.map(({ range, message, code }) => `${code} ${range.start.line} ${message}`);
  await expect
    .poll(marked, { timeout: 5_000 })
    .toEqual([
      'predicted 11 predicted ≈ +15 ms of 60 ms by Shop.run; the limit is +20 %',
      'predicted 1 predicted of its caller Api.serve: ≈ +30 ms of 120 ms by Shop.run; the limit is +10 ms, and 1 more caller is beyond its own',
    ]);
});
