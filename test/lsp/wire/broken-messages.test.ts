// Sends the real server headers that are none and bodies that are no messages: it ends with a reason, or answers and goes on.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LspFolder, lspFolder } from '../../support/insitu/lsp-store.ts';
import { frame, type RawServer, startRaw } from '../../support/insitu/raw-server.ts';
import { sampled } from '../../support/runs.ts';

const [PARSE_ERROR, INVALID_REQUEST] = [-32_700, -32_600];
const FAKE = fileURLToPath(new URL('../../proxy/fake-java-server.ts', import.meta.url));
const BEGIN = frame('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":null,"capabilities":{}}}');

let place: LspFolder;
let server: RawServer;

beforeEach(async () => {
  place = await lspFolder();
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

/** Each with what is said of it. */
const BROKEN: readonly (readonly [string, string, string])[] = [
  ['with a length that is no number', 'Content-Length: abc\r\n\r\n{}', 'Content-Length: abc'],
  ['without a length', 'Content-Type: application/json\r\n\r\n{}', 'Content-Type: application/json'],
  ['with a negative length', 'Content-Length: -5\r\n\r\n{}', 'Content-Length: -5'],
  ['with a length of 10 GB', 'Content-Length: 10737418240\r\n\r\n{', 'Content-Length: 10737418240'],
  ['with two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}', 'Content-Length: 2'],
  ['that is none', '{"jsonrpc":"2.0","id":1,"method":"shutdown"}\n', '{"jsonrpc":"2.0","id":1'],
  ['with other line ends', 'Content-Length: 2\n\n{}', String.raw`Content-Length: 2\u000a`],
  ['that steers terminals', `\u001b[2J${'\u0007'.repeat(2_000)}`, String.raw`\u001b[2J\u0007`],
  ['without an end', 'X-Odd: 1\r\n'.repeat(10_000), 'X-Odd: 1'],
];

describe.each([
  ['alone', false],
  ['in front of a Java server', true],
])('%s', (_, isWrapped) => {
  // The proxy reads with the reader of the server.
  test.each(isWrapped ? sampled(BROKEN) : BROKEN)(
    'a header %s ends with status 1 and a message',
    async (_what, bytes, shown) => {
      start(isWrapped);
      server.write(BEGIN);
      expect((await server.next(({ id }) => id === 0))?.result).toBeDefined();
      server.write(bytes);
      expect(await server.ended).toBe(1);
      const said = server
        .errors()
        .split('\n')
        .filter(line => line.includes('the editor'));
      expect(said).toHaveLength(1);
      expect(said[0]).toContain(shown);
      expect(said[0]).toContain('the server ends');
      expect(said[0]!.length).toBeLessThan(700);
      expect(said[0]).toBe(said[0]!.replace(/\p{Cc}/gu, ''));
    },
  );

  test('a first message that is none ends it too', async () => {
    start(isWrapped);
    server.write('hello\n');
    expect(await server.ended).toBe(1);
    expect(server.errors()).toContain('hello');
  });

  test('an end within a message is told', async () => {
    start(isWrapped);
    server.write(BEGIN);
    await server.next(({ id }) => id === 0);
    server.write('Content-Length: 500\r\n\r\n{"jsonrpc":');
    server.close();
    expect(await server.ended).toBe(1);
    expect(server.errors()).toContain('the editor closed the connection within a message');
  });

  test('a header that comes byte by byte, with more lines, is one', async () => {
    start(isWrapped);
    server.write(BEGIN);
    await server.next(({ id }) => id === 0);
    const body = '{"jsonrpc":"2.0","id":1,"method":"insitu/status"}';
    const bytes = `content-length:  ${body.length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n${body}`;
    for (const byte of bytes) {
      server.write(byte);
      await new Promise(resolve => setImmediate(resolve));
    }
    expect((await server.next(({ id }) => id === 1))?.result).toBeDefined();
  });
});

test.each([
  ['', null, PARSE_ERROR],
  ['{"jsonrpc":"2.0","id":1,"method":"shutdown"', null, PARSE_ERROR],
  ['\u{feff}{}', null, PARSE_ERROR],
  ['nul\u001b', null, PARSE_ERROR],
  ['null', null, INVALID_REQUEST],
  ['7', null, INVALID_REQUEST],
  ['"shutdown"', null, INVALID_REQUEST],
  ['{}', null, INVALID_REQUEST],
  ['[]', null, INVALID_REQUEST],
  ['[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]', null, INVALID_REQUEST],
  ['{"jsonrpc":"2.0","id":7}', null, INVALID_REQUEST],
  ['{"jsonrpc":"2.0","id":7,"method":7}', 7, INVALID_REQUEST],
  ['{"jsonrpc":"2.0","id":"a","method":"shutdown","params":7}', 'a', INVALID_REQUEST],
  ['{"jsonrpc":"2.0","id":null,"method":"shutdown"}', null, INVALID_REQUEST],
  ['{"jsonrpc":"2.0","id":{},"method":"shutdown"}', null, INVALID_REQUEST],
  ['{"jsonrpc":"2.0","id":1e999,"method":"shutdown"}', null, INVALID_REQUEST],
  ['{"jsonrpc":"2.0","method":"initialized","params":"x"}', null, INVALID_REQUEST],
])('the body %s is answered, and the server goes on', async (body, id, code) => {
  start(false);
  server.write(BEGIN);
  server.write(frame(body));
  expect(await server.next(({ error }) => error !== undefined)).toEqual({
    ...{ jsonrpc: '2.0', id },
    error: { code, message: expect.stringMatching(/^[^\p{Cc}]{10,300}$/u) },
  });
  expect((await server.ask(99, 'insitu/status'))?.result).toBeDefined();
});

test('a message of 70 MB is taken, and one of 200 MB ends the connection', async () => {
  start(false);
  server.write(BEGIN);
  await server.next(({ id }) => id === 0);
  const text = `class A { /* ${'x'.repeat(70 << 20)} */ }`;
  const textDocument = { uri: place.uri('A.java'), languageId: 'text', version: 1, text };
  server.send({ jsonrpc: '2.0', id: 1, method: 'no/such', params: { textDocument } });
  expect((await server.next(({ id }) => id === 1))?.error?.code).toBe(-32_601);
  server.write(`Content-Length: ${200 << 20}\r\n\r\n`);
  expect(await server.ended).toBe(1);
  expect(server.errors()).toContain('134217728');
});

test('a Java server gets a message of 70 MB', async () => {
  start(true);
  server.write(BEGIN);
  await server.next(({ id }) => id === 0);
  server.send({ jsonrpc: '2.0', id: 1, method: 'java/large', params: { text: 'x'.repeat(70 << 20) } });
  expect((await server.next(({ id }) => id === 1))?.result).toEqual({ method: 'java/large' });
});

describe('a Java server that sends', () => {
  const order = (id: number, text: string) =>
    server.send({ jsonrpc: '2.0', id, method: 'fake/do', params: { kind: 'write', text } });

  test.each(BROKEN.filter(([what]) => /length/.test(what)))(
    'a header %s is ended, and ours goes on',
    async (_, bytes) => {
      start(true);
      server.write(BEGIN);
      await server.next(({ id }) => id === 0);
      server.send({ jsonrpc: '2.0', method: 'initialized', params: {} });
      order(1, bytes);
      expect((await server.next(({ id }) => id === 1))?.error?.message).toContain('the Java server');
      const shown = await server.next(({ method }) => method === 'window/showMessage');
      expect(JSON.stringify(shown)).toContain('the Java server');
      expect(server.errors()).toContain('the Java server');
      expect((await server.ask(2, 'insitu/status'))?.result).toMatchObject({ text: expect.stringContaining('header') });
      expect(await server.ask(3, 'textDocument/completion', {})).toMatchObject({ result: null });
    },
  );

  test('printed lines goes on', async () => {
    start(true);
    server.write(BEGIN);
    await server.next(({ id }) => id === 0);
    order(1, 'WARNING: odd\r\n\r\nmore\n');
    expect(await server.next(({ id }) => id === 1)).toMatchObject({ result: null });
    expect(server.errors()).toContain('WARNING: odd');
  });
});
