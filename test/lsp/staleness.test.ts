// The real server in a git repository: what it says of changed methods, when it takes it back, and that it follows HEAD.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PublishDiagnosticsParams } from 'vscode-languageserver/node';
import type { EditorAnswers } from '../../server/lsp/protocol.ts';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { hintLines, type LspClient, REFRESHING, type Received, startServer } from '../support/insitu/lsp-client.ts';
import { putPicture } from '../support/insitu/lsp-store.ts';

const SHOP = `class Shop {
  void run() {
    queue.take();
    payment.pay();
  }
  void rest() {
    helper.go();
  }
}
`;

const picture = (rest: number) => `
Shop.run | 20@3
  LockedQueue.take :3 | 50@9
Shop.rest | 0@7
  Helper.go :7 | ${rest}@9`;

let scratch: ScratchRepository;
let client: LspClient | null = null;
let store: string;

beforeEach(() => {
  scratch = new ScratchRepository();
  store = join(scratch.home, 'store');
});
afterEach(async () => {
  if (client !== null && client.process.exitCode === null) await client.stop();
  client = null;
  scratch.remove();
});

const uriOf = (path: string) => pathToFileURL(join(scratch.root, path)).href;
const isDiagnostics = ({ method }: Received) => method === 'textDocument/publishDiagnostics';
const published = (server: LspClient) =>
  server.received.filter(isDiagnostics).map(({ params }) => params as PublishDiagnosticsParams);
const whenPublished = (server: LspClient, count: number) =>
  server.waitFor(() => published(server).length >= count).then(() => published(server)[count - 1]!);

async function serve(settings: object = {}): Promise<LspClient> {
  client = await startServer({
    folders: [scratch.root],
    env: { HOME: scratch.home, XDG_CACHE_HOME: join(scratch.home, 'cache') },
    capabilities: { ...REFRESHING, workspace: { ...REFRESHING.workspace, configuration: false } },
    initializationOptions: { store, project: 'acme', ...settings },
  });
  return client;
}

test('marks a method that changed since, until it is as it was, switched off or closed', async () => {
  const commit = scratch.commit({ 'Shop.java': SHOP });
  await putPicture(store, picture(30), { version: commit });
  const changed = `// one\n${SHOP.replace('payment.pay();', 'payment.pay(1);')}`;
  scratch.commit({ 'Shop.java': changed });
  const server = await serve();
  const uri = uriOf('Shop.java');
  server.open(uri, changed);
  // The first answer is already that of the recorded text.
  const first = hintLines(await server.hints(uri));
  expect(first.map(line => line.split(' ·')[0])).toEqual(['3 ~70%', '4 71% → LockedQueue', '7 30%', '8 100% → Helper']);
  const diagnostic = {
    range: { start: { line: 2, character: 7 }, end: { line: 2, character: 10 } },
    severity: 4,
    source: 'insitu',
    code: 'changed-since-recorded',
    message: `changed since it was recorded (commit ${commit.slice(0, 7)}, 2023-11-14, shop ${commit}): numbers are of the old code`,
  };
  expect(await whenPublished(server, 1)).toEqual({ uri, diagnostics: [diagnostic] });
  const line = { start: { line: 4, character: 0 }, end: { line: 4, character: 80 } };
  server.change(uri, 2, [{ range: line, text: '    payment.pay();' }]);
  expect(await whenPublished(server, 2)).toEqual({ uri, diagnostics: [] });
  server.change(uri, 3, [{ range: line, text: '    payment.pay(2);' }]);
  expect((await whenPublished(server, 3)).diagnostics).toHaveLength(1);
  await server.connection.sendNotification('workspace/didChangeConfiguration', {
    settings: { insitu: { store, project: 'acme', diagnostics: { stale: false } } },
  });
  expect((await whenPublished(server, 4)).diagnostics).toEqual([]);
  await server.connection.sendNotification('workspace/didChangeConfiguration', {
    settings: { insitu: { store, project: 'acme' } },
  });
  expect((await whenPublished(server, 5)).diagnostics).toHaveLength(1);
  await server.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  expect((await whenPublished(server, 6)).diagnostics).toEqual([]);
});

test('follows HEAD while a file is open: version, states and hints', async () => {
  const one = scratch.commit({ 'Shop.java': SHOP });
  const later = SHOP.replace('helper.go();', 'helper.go(1);');
  const two = scratch.commit({ 'Shop.java': later });
  await putPicture(store, picture(30), { version: one });
  await putPicture(store, picture(130), { version: two }, 20);
  const server = await serve();
  const uri = uriOf('Shop.java');
  server.open(uri, later);
  expect(hintLines(await server.hints(uri))).toContain('6 65%');
  const status = async () => JSON.stringify(await server.command('insitu.status', { quiet: true }));
  expect(await status()).toContain(two);
  scratch.git('checkout', '--quiet', one);
  expect(readFileSync(join(scratch.root, 'Shop.java'), 'utf8')).toBe(SHOP);
  await server.waitFor(({ method, params }) => method === 'window/logMessage' && JSON.stringify(params).includes(one));
  // The editor still shows the text of the other commit.
  const stale = hintLines(await server.hints(uri));
  expect(stale.map(line => line.split(' ·')[0])).toEqual(['2 70%', '3 71% → LockedQueue', '6 ~30%']);
  server.change(uri, 2, [{ text: SHOP }]);
  expect(hintLines(await server.hints(uri)).at(-1)).toBe('7 100% → Helper');
  expect(await status()).toContain(one);
});

test('knows a commit that was fetched without tags when it is told to refresh', async () => {
  scratch.commit({ 'Shop.java': SHOP });
  const other = join(scratch.home, 'other');
  scratch.git('clone', '--quiet', '.', other);
  scratch.git('-C', other, 'commit', '--quiet', '--allow-empty', '--message', 'elsewhere');
  const version = scratch.git('-C', other, 'rev-parse', 'HEAD');
  await putPicture(store, picture(30), { version });
  const server = await serve({ version });
  const uri = uriOf('Shop.java');
  server.open(uri, SHOP);
  await server.hints(uri);
  const states = async () => {
    const answer = await server.connection.sendRequest('insitu/metrics', { textDocument: { uri } });
    return (answer as EditorAnswers['metrics']).declarations.map(({ state }) => state);
  };
  expect(await states()).toEqual(['unknown', 'unknown']);
  scratch.git('fetch', '--quiet', other);
  await server.connection.sendRequest('insitu/refresh', {});
  await expect.poll(states, { timeout: 10_000 }).toEqual(['unchanged', 'unchanged']);
});
