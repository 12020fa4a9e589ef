// Tests in which state of a session which messages count, by the real server alone and in front of a Java server.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LspFolder, lspFolder, putPicture } from '../../support/insitu/lsp-store.ts';
import { type RawMessage, type RawServer, startRaw } from '../../support/insitu/raw-server.ts';

const [NOT_INITIALIZED, INVALID_REQUEST, INVALID_PARAMS] = [-32_002, -32_600, -32_602];
const SHOP = 'class Shop {\n  void run() {\n    queue.take();\n  }\n}\n';
const PICTURE = 'Shop.run | 20@3\n  LockedQueue.take :3 | 60@9';
const FAKE = fileURLToPath(new URL('../../proxy/fake-java-server.ts', import.meta.url));

let place: LspFolder;
let server: RawServer;

beforeEach(async () => {
  place = await lspFolder({ 'Shop.java': SHOP });
  await putPicture(place.store, PICTURE);
});

afterEach(async () => {
  server.kill();
  await server.ended;
  await place.remove();
});

function start(isWrapped: boolean): void {
  const env = { FAKE_JAVA: '{}', XDG_CACHE_HOME: join(place.store, '..', 'cache') };
  server = isWrapped ? startRaw(['--wrap', `"${process.execPath}" "${FAKE}"`], env) : startRaw();
}

function initialize(id: number): Promise<RawMessage | null> {
  const params = { processId: process.pid, rootUri: place.uri(''), capabilities: {} };
  return server.ask(id, 'initialize', params);
}

const tell = (method: string, params?: unknown): void => server.send({ jsonrpc: '2.0', method, params });
const codeOf = (answer: RawMessage | null): number | undefined => answer?.error?.code;
const hover = { position: { line: 1, character: 8 } };
const document = () => ({ uri: place.uri('Shop.java') });

describe.each([
  ['alone', false],
  ['in front of a Java server', true],
])('%s', (_, isWrapped) => {
  beforeEach(() => start(isWrapped));

  test('a request before initialize is refused, and the session begins all the same', async () => {
    for (const [id, method] of ['textDocument/hover', 'shutdown', 'insitu/status', 'no/such'].entries())
      expect(codeOf(await server.ask(id, method, {})), method).toBe(NOT_INITIALIZED);
    expect((await initialize(10))?.result).toBeDefined();
    expect(codeOf(await server.ask(11, 'textDocument/hover', { textDocument: document(), ...hover }))).toBeUndefined();
  });

  test('a second initialize is refused, and the session goes on', async () => {
    expect((await initialize(1))?.result).toBeDefined();
    tell('initialized', {});
    expect(codeOf(await initialize(2))).toBe(INVALID_REQUEST);
    expect((await server.ask(3, 'insitu/status'))?.result).toBeDefined();
    const own = await server.ask(4, 'textDocument/completion', { textDocument: document(), ...hover });
    if (isWrapped) expect(own?.result).toEqual({ method: 'textDocument/completion' });
    else expect(codeOf(own)).toBe(-32_601);
  });

  test('a request after shutdown is refused, and exit ends with status 0', async () => {
    await initialize(1);
    tell('initialized', {});
    expect((await server.ask(2, 'shutdown'))?.result).toBeNull();
    for (const [i, method] of ['textDocument/hover', 'shutdown', 'initialize', 'insitu/status'].entries())
      expect(codeOf(await server.ask(i + 3, method, {})), method).toBe(INVALID_REQUEST);
    tell('exit');
    expect(await server.ended).toBe(0);
  });

  test('exit without shutdown ends with status 1', async () => {
    await initialize(1);
    tell('exit');
    expect(await server.ended).toBe(1);
  });

  test('exit before initialize ends with status 1', async () => {
    tell('initialized', {});
    expect(codeOf(await server.ask(1, 'shutdown'))).toBe(NOT_INITIALIZED);
    tell('exit');
    expect(await server.ended).toBe(1);
  });
});

test('a notification before initialize is dropped', async () => {
  start(false);
  const textDocument = { ...document(), languageId: 'java', version: 1, text: SHOP };
  tell('textDocument/didOpen', { textDocument });
  tell('$/setTrace', { value: 'verbose' });
  await initialize(1);
  tell('initialized', {});
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const ask = (id: number) => server.ask(id, 'textDocument/inlayHint', { textDocument: document(), range });
  expect((await ask(2))?.result).toEqual([]);
  tell('textDocument/didOpen', { textDocument });
  expect((await ask(3))?.result).toHaveLength(2);
  expect(server.received.filter(({ method }) => method === '$/logTrace')).toEqual([]);
});

test('an initialize without sense is refused, and the next one begins', async () => {
  start(false);
  for (const [id, params] of [null, [], {}, { capabilities: 7 }, { capabilities: null }].entries())
    expect(codeOf(await server.ask(id, 'initialize', params)), JSON.stringify(params)).toBe(INVALID_PARAMS);
  expect(codeOf(await server.ask(10, 'insitu/status'))).toBe(NOT_INITIALIZED);
  expect((await initialize(11))?.result).toBeDefined();
});
