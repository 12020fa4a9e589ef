// Tests code lenses, and what hints carry beyond their text, over the protocol against the real server.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CodeLens, InlayHint } from 'vscode-languageserver/node';
import { type LspClient, REFRESHING, type StartOptions, startServer } from '../../support/insitu/lsp-client.ts';
import { type LspFolder, lspFolder, putPicture } from '../../support/insitu/lsp-store.ts';
import { codeLens, flawsOf, flawsOfList, hover, inlayHint } from '../../support/protocol/lsp-shapes.ts';
import { misfits } from '../../support/protocol/message-types.ts';

const TEXT = `class Shop {
  void run() {
    queue.take();
    x = y * z;
  }
}
`;
const PICTURE = `
Main.main | 0@1
  Shop.run :5 | 40@4
    LockedQueue.take :3 | 40@9
Other.go | 20@1`;

let place: LspFolder;
const running: LspClient[] = [];

beforeEach(async () => {
  place = await lspFolder({ 'Shop.java': TEXT });
  await putPicture(place.store, PICTURE);
});

afterEach(async () => {
  await Promise.all(running.splice(0).map(server => server.stop()));
  await place.remove();
});

async function serve(options: StartOptions = {}): Promise<LspClient> {
  const server = await startServer({ folders: [place.folder], capabilities: {}, ...options });
  running.push(server);
  server.open(place.uri('Shop.java'), TEXT);
  return server;
}

const lensesOf = (server: LspClient): Promise<CodeLens[] | null> =>
  server.connection.sendRequest('textDocument/codeLens', { textDocument: { uri: place.uri('Shop.java') } });

const settingsChange = (server: LspClient, insitu: unknown) =>
  server.connection.sendNotification('workspace/didChangeConfiguration', { settings: { insitu } });

test('lenses are off, and complete when they are switched on', async () => {
  const server = await serve();
  await server.hints(place.uri('Shop.java'));
  expect(await lensesOf(server)).toEqual([]);
  await settingsChange(server, { lenses: { enabled: true } });
  // Lenses whose numbers take longer come with a later refresh.
  const lenses = await vi.waitFor(
    async () => {
      const all = await lensesOf(server);
      expect(all).toHaveLength(4);
      return all;
    },
    { timeout: 10_000 },
  );
  expect(flawsOfList(codeLens, lenses)).toEqual([]);
  const position = { line: 1, character: 7 };
  const rangeFrom = (character: number) => ({ start: { line: 1, character }, end: { line: 1, character: 10 } });
  const given = [{ textDocument: { uri: place.uri('Shop.java') }, position }];
  const lens = (from: number, title: string, command: string) => ({
    range: rangeFrom(from),
    command: { title, command, arguments: given },
  });
  expect(lenses).toEqual([
    lens(7, '80% of cpu · 80 of 100', 'insitu.why'),
    lens(8, '1 caller', 'insitu.callers'),
    lens(9, '1 callee', 'insitu.callees'),
    lens(10, '1 thread', 'insitu.threads'),
  ]);
  for (const { command } of lenses ?? []) {
    const argument: unknown = { ...command?.arguments?.[0], quiet: true };
    expect(await server.command(command?.command ?? '', argument)).not.toBeNull();
  }
});

test('a client that refreshes is told of lenses too, and is answered before there are data', async () => {
  const refreshing = { ...REFRESHING, workspace: { ...REFRESHING.workspace, codeLens: { refreshSupport: true } } };
  const server = await serve({ capabilities: refreshing, initializationOptions: { lenses: { enabled: true } } });
  expect(Array.isArray(await lensesOf(server))).toBe(true);
  await server.hints(place.uri('Shop.java'));
  await server.waitFor(({ method }) => method === 'workspace/codeLens/refresh');
  // Lenses whose numbers take longer come with a later refresh.
  await vi.waitFor(async () => expect(await lensesOf(server)).toHaveLength(4), { timeout: 10_000 });
});

const parts = (hints: readonly InlayHint[]) =>
  hints
    .flatMap(({ label }) => (typeof label === 'string' ? [] : label))
    .map(({ value, command }) => [value, command?.command]);

test('a click shows callers and callees where the client is known to allow it, or the setting says so', async () => {
  const uri = place.uri('Shop.java');
  const code = await serve({ clientInfo: { name: 'Visual Studio Code' } });
  const hints = await code.hints(uri);
  expect(flawsOfList(inlayHint, hints)).toEqual([]);
  expect(parts(hints)).toEqual([
    ['80% · self 40%', 'insitu.callers'],
    ['50% → LockedQueue', 'insitu.callees'],
    ['50% here', undefined],
  ]);
  await settingsChange(code, { hints: { commands: 'off' } });
  expect(parts(await code.hints(uri)).flatMap(([, command]) => command ?? [])).toEqual([]);
  const other = await serve({ clientInfo: { name: 'Neovim' } });
  expect(parts(await other.hints(uri)).flatMap(([, command]) => command ?? [])).toEqual([]);
  await settingsChange(other, { hints: { commands: 'on', format: 'ascii' } });
  expect(parts(await other.hints(uri))).toEqual([
    ['80% - self 40%', 'insitu.callers'],
    ['50% -> LockedQueue', 'insitu.callees'],
    ['50% here', undefined],
  ]);
});

test('hints carry a graphic for clients that draw one', async () => {
  const server = await serve({ initializationOptions: { insitu: { graphics: true } } });
  // Numbers that take longer come with a later request.
  const hints = await vi.waitFor(
    async () => {
      const all = await server.hints(place.uri('Shop.java'));
      expect(all[0]?.data).toHaveProperty('threads');
      return all;
    },
    { timeout: 10_000 },
  );
  for (const { data } of hints) expect(misfits(data, 'HintData')).toEqual([]);
  expect(hints.map(({ data }) => data)).toMatchObject([
    {
      heat: 0.8,
      kind: 'method',
      callers: { count: 1, largest: [1] },
      callees: { count: 1, largest: [0.5] },
      self: { share: 0.4, count: 40, of: 100, text: '40%' },
      selfOfMethod: { share: 0.5, count: 40, of: 80, text: '50%' },
      threads: { count: 1, groups: [{ group: 'main', share: 1 }] },
    },
    { heat: 0.4, kind: 'call' },
    { heat: 0.4, kind: 'line' },
  ]);
  expect(hints[1]?.data).not.toHaveProperty('callers');
});

test('hover is of the protocol, has a switch, and plain text where the client wants that', async () => {
  const uri = place.uri('Shop.java');
  const server = await serve({ capabilities: { textDocument: { hover: { contentFormat: ['plaintext'] } } } });
  await server.hints(uri);
  const answer = await server.hover(uri, 1, 8);
  expect(flawsOf(hover, answer)).toEqual([]);
  expect(answer?.contents).toMatchObject({ kind: 'plaintext', value: expect.stringMatching(/^insitu Shop\.run\n/) });
  await settingsChange(server, { hover: { enabled: false } });
  expect(await server.hover(uri, 1, 8)).toBeNull();
});
