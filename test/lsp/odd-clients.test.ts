// The real server among clients that can do little, count in another way first, or never answer: their hints go on.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ClientCapabilities } from 'vscode-languageserver/node';
import { hintLines, type LspClient, startServer } from '../support/insitu/lsp-client.ts';
import { type LspFolder, lspFolder, putPicture } from '../support/insitu/lsp-store.ts';

/** The text before the call has another length in each way to count. */
const SHOP = 'class Shop {\n  void run() {\n    /* 😀ü */ queue.take();\n  }\n}\n';
const PICTURE = 'Shop.run | 20@3\n  LockedQueue.take :3 | 60@9';
const HINTS = ['2 100% · self 25%', '3 75% → LockedQueue'];
const CALL = 'queue.take';

let place: LspFolder;
let client: LspClient;

beforeEach(async () => {
  place = await lspFolder({ 'Shop.java': SHOP });
  await putPicture(place.store, PICTURE);
});

afterEach(async () => {
  await client.stop();
  await place.remove();
});

/** Starts with a client that answers nothing which it is asked where `isSilent`. */
async function open(capabilities: ClientCapabilities, isSilent = false): Promise<string> {
  client = await startServer({
    folders: [place.folder],
    capabilities,
    ...(isSilent && { prepare: connection => connection.onRequest(() => new Promise(() => {})) }),
  });
  const uri = place.uri('Shop.java');
  client.open(uri, SHOP);
  return uri;
}

async function checkHints(uri: string): Promise<void> {
  await expect.poll(async () => hintLines(await client.hints(uri)), { timeout: 30_000 }).toEqual(HINTS);
}

test('without workspace/configuration and refresh they are asked nothing and get their hints', async () => {
  const uri = await open({});
  await checkHints(uri);
  const asked = client.received
    .map(({ method }) => method)
    .filter(method => !/^(?:window\/logMessage|\$\/)/.test(method));
  expect(
    asked.filter(method => /configuration|refresh|registerCapability|showDocument|applyEdit/.test(method)),
  ).toEqual([]);
});

test.each([[['utf-8', 'utf-16']], [['utf-32', 'utf-8']], [['utf-8']]])(
  'that name %j are told that it is UTF-16, and so everything is counted',
  async positionEncodings => {
    const uri = await open({ general: { positionEncodings } });
    expect(client.capabilities.positionEncoding).toBe('utf-16');
    await checkHints(uri);
    const line = SHOP.split('\n')[2]!;
    const [, hint] = await client.hints(uri);
    expect(hint?.position).toEqual({ line: 2, character: line.length });
    expect(await client.hover(uri, 2, line.indexOf(CALL) + CALL.length - 1)).not.toBeNull();
  },
);

test('that never answer, showDocument and configuration included, keep their hints, and the status is answered', async () => {
  const uri = await open(
    {
      workspace: { configuration: true, inlayHint: { refreshSupport: true } },
      window: { showDocument: { support: true } },
    },
    true,
  );
  await checkHints(uri);
  // Its page is never taken; who asked for it may wait, and nobody else.
  const asked = client.command('insitu.callers', { textDocument: { uri }, position: { line: 1, character: 8 } });
  asked.catch(() => {});
  client.change(uri, 2, [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '\n' }]);
  const moved = HINTS.map(hint => hint.replace(/^\d+/, line => String(Number(line) + 1)));
  await expect.poll(async () => hintLines(await client.hints(uri)), { timeout: 30_000 }).toEqual(moved);
  expect(await client.command('insitu.status', { quiet: true })).toMatchObject({ sources: [{ state: 'ready' }] });
});
