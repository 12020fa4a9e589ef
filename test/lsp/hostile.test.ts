// The real server among broken stores, odd documents and rude clients: it says what is wrong and never falls over.
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NOTHING_RECORDED } from '../../server/base/problem.ts';
import { hintLines, type LspClient, type StartOptions, startServer } from '../support/insitu/lsp-client.ts';
import { type LspFolder, lspFolder, putPicture } from '../support/insitu/lsp-store.ts';
import { startRaw } from '../support/insitu/raw-server.ts';

const SHOP = 'class Shop {\n  void run() {\n    queue.take();\n  }\n}\n';
const PICTURE = 'Shop.run | 20@3\n  LockedQueue.take :3 | 60@9';
const HINTS = ['2 100% · self 25%', '3 75% → LockedQueue'];

let place: LspFolder;
let client: LspClient | null = null;

beforeEach(async () => {
  place = await lspFolder({}, 'insitu lsp ü-');
});

afterEach(async () => {
  if (client !== null && client.process.exitCode === null) await client.stop();
  client = null;
  await place.remove();
});

async function serve(options: StartOptions = {}): Promise<LspClient> {
  client = await startServer({ folders: [place.folder], capabilities: {}, ...options });
  return client;
}

/** Everything that was logged, without the place. */
async function logOf(server: LspClient): Promise<string> {
  const lines = server.received
    .filter(({ method }) => method === 'window/logMessage')
    .map(({ params }) => JSON.stringify(params));
  return lines.join('\n').replaceAll(place.folder, '<folder>');
}

describe('a store', () => {
  /** No hints, and hover, status and log say why: what, where, what to do, and no stack trace. */
  async function checkNothing(what: string, remedy: string, inHover = what): Promise<void> {
    const server = await serve();
    const uri = place.uri('Shop.java');
    server.open(uri, SHOP);
    expect(await server.hints(uri)).toEqual([]);
    const log = await logOf(server);
    expect(log).toContain(what);
    expect(log).toContain(remedy);
    expect(log).not.toMatch(/\n {4}at |node:internal/);
    const hover = JSON.stringify((await server.hover(uri, 1, 8))?.contents);
    expect(hover).toContain(inHover);
    expect(hover).not.toMatch(/--\w|insitu import/);
    expect(await server.command('insitu.status', { quiet: true })).toMatchObject({ sources: [{ state: 'none' }] });
  }

  test('that is missing is named', async () => {
    await rm(place.store, { recursive: true });
    await checkNothing('.store', 'insitu import', NOTHING_RECORDED.message);
  });

  test('that cannot be read is named, and not called missing', async () => {
    await rm(place.store, { recursive: true });
    await symlink('.store', place.store);
    await checkNothing('the store cannot be read: it is a link that leads back to itself', 'replace it by the folder');
    expect(await logOf(client!)).not.toMatch(/no snapshots|no store|insitu import/);
  });

  test('that is empty is named', () =>
    checkNothing('no snapshots of project acme', 'insitu import', NOTHING_RECORDED.message));

  test('of another project names the projects it has', async () => {
    await putPicture(place.store, PICTURE, { project: 'other' });
    await checkNothing('no snapshots of project acme', 'other', 'there are no recordings of project acme');
  });

  test('that is a file is named', async () => {
    await rm(place.store, { recursive: true });
    await writeFile(place.store, 'not a folder');
    await checkNothing('.store', 'folder');
  });

  test('with a broken snapshot names it', async () => {
    await putPicture(place.store, PICTURE);
    const [name] = (await readdir(place.store, { recursive: true })).filter(entry => entry.endsWith('.cct'));
    const file = join(place.store, name!);
    await writeFile(file, (await readFile(file)).subarray(0, 40));
    await checkNothing('.cct', '');
  });
});

describe('a document', () => {
  beforeEach(() => putPicture(place.store, PICTURE));

  test('in a folder with spaces and letters beyond ASCII is found', async () => {
    const server = await serve();
    await mkdir(join(place.folder, 'src dir'));
    server.open(place.uri('src dir/Shöp.java'), SHOP);
    expect(hintLines(await server.hints(place.uri('src dir/Shöp.java')))).toEqual(HINTS);
  });

  test('outside of any folder is shown by what holds where it lies', async () => {
    const server = await startServer({ capabilities: {} });
    client = server;
    server.open(place.uri('Shop.java'), SHOP);
    expect(hintLines(await server.hints(place.uri('Shop.java')))).toEqual(HINTS);
  });

  test('that is no file, is out of reach or does not parse does no harm', async () => {
    const server = await serve();
    const uris = ['untitled:1', 'jdt://contents/rt.jar/Shop.class', 'file:///C:/a/Shop.java', 'git:/a/S.java?ref=1'];
    const texts = [SHOP, '', '}}}}', 'class', '\0\u{10FFFF}\uD800', `class A { void a() { ${'('.repeat(20_000)} } }`];
    for (const uri of uris) {
      for (const [version, text] of texts.entries()) {
        if (version === 0) server.open(uri, text);
        else server.change(uri, version + 1, [{ text }]);
        expect(await server.hints(uri)).toBeInstanceOf(Array);
        expect(await server.hover(uri, 9_999, 9_999)).toBeNull();
      }
    }
    expect(await server.hints(place.uri('NeverOpened.java'))).toEqual([]);
  });

  test('with CRLF, tabs and emoji has its hints at the ends of its lines', async () => {
    const server = await serve();
    const text = 'class Shop {\r\n\tvoid run() { // 😀\r\n\t\tqueue.take();\r\n\t}\r\n}\r\n';
    server.open(place.uri('Shop.java'), text);
    const hints = await server.hints(place.uri('Shop.java'));
    expect(hints.map(({ position }) => [position.line, position.character])).toEqual([
      [1, 19],
      [2, 15],
    ]);
  });

  test('in one of several folders belongs to the innermost', async () => {
    const inner = join(place.folder, 'inner');
    await mkdir(inner);
    await writeFile(join(inner, 'insitu.json'), '{ "project": "empty", "store": "../.store" }');
    const server = await serve({ folders: [place.folder, inner] });
    server.open(place.uri('Shop.java'), SHOP);
    server.open(place.uri('inner/Shop.java'), SHOP);
    expect(await server.hints(place.uri('inner/Shop.java'))).toEqual([]);
    expect(hintLines(await server.hints(place.uri('Shop.java')))).toEqual(HINTS);
  });
});

describe('a document that is too large', () => {
  const FILLER = '  // what a generator writes\n';
  const large = (megabytes: number) =>
    SHOP.replace(/}\n$/, `${FILLER.repeat(Math.ceil((megabytes * 1024 * 1024) / FILLER.length))}}\n`);
  const said = (text: string) =>
    new RegExp(`Shop\\.java: nothing is shown of this document: it has ${text} MiB, and no more than 2 MiB are parsed`);

  beforeEach(() => putPicture(place.store, PICTURE));

  test('is shown nothing of, and log and status say so', async () => {
    const server = await serve({ initializationOptions: { lenses: { enabled: true } } });
    const uri = place.uri('Shop.java');
    server.open(place.uri('Other.java'), SHOP.replace('Shop', 'Other'));
    server.open(uri, large(5));
    const at = { textDocument: { uri }, position: { line: 1, character: 8 } };
    const ask = (method: string, more = {}) => server.connection.sendRequest(method, { ...at, ...more });
    expect(await server.hints(uri)).toEqual([]);
    expect(await server.hover(uri, 1, 8)).toBeNull();
    expect(await ask('textDocument/codeLens')).toEqual([]);
    expect(await ask('textDocument/implementation')).toEqual([]);
    expect(await ask('textDocument/prepareCallHierarchy')).toBeNull();
    const range = { start: at.position, end: at.position };
    expect(await ask('textDocument/codeAction', { range, context: { diagnostics: [], triggerKind: 1 } })).toEqual([]);
    const { textDocument } = at;
    const metrics = await server.connection.sendRequest('insitu/metrics', { textDocument });
    expect(metrics).toMatchObject({ declarations: [] });
    const log = await logOf(server);
    expect(log.split('\n').filter(line => said('5\\.1').test(line))).toHaveLength(1);
    const status = await server.command('insitu.status', { quiet: true });
    expect(status).toMatchObject({ documentProblems: [expect.stringMatching(said('5\\.1'))] });
    expect(status).toMatchObject({ text: expect.stringContaining('hints, lenses, hovers') });
    // A full text of any size, and one of the usual size again.
    server.change(uri, 2, [{ text: large(30) }]);
    expect(await server.hints(uri)).toEqual([]);
    server.change(uri, 3, [{ text: SHOP }]);
    expect(hintLines(await server.hints(uri))).toEqual(HINTS);
    expect(await server.command('insitu.status', { quiet: true })).toMatchObject({ documentProblems: [] });
    await new Promise(resolve => setTimeout(resolve, 300));
    expect(server.received.filter(({ method }) => method === 'textDocument/publishDiagnostics')).toEqual([]);
  });

  test('is no mistake in insitu.json', async () => {
    const server = await serve();
    server.open(place.uri('insitu.json'), '{'.repeat(3 * 1024 * 1024));
    await new Promise(resolve => setTimeout(resolve, 500));
    server.open(place.uri('Shop.java'), SHOP);
    expect(hintLines(await server.hints(place.uri('Shop.java')))).toEqual(HINTS);
    expect(server.received.filter(({ method }) => method === 'textDocument/publishDiagnostics')).toEqual([]);
  });

  test('by an edit loses its hints, and has them again when it is smaller', async () => {
    const server = await serve();
    const uri = place.uri('Shop.java');
    server.open(uri, SHOP);
    expect(hintLines(await server.hints(uri))).toEqual(HINTS);
    const end = { line: 4, character: 0 };
    const lines = 90_000;
    server.change(uri, 2, [{ range: { start: end, end }, text: FILLER.repeat(lines) }]);
    expect(await server.hints(uri)).toEqual([]);
    server.change(uri, 3, [{ range: { start: end, end }, text: 'x' }]);
    expect(await server.hints(uri)).toEqual([]);
    server.change(uri, 4, [{ range: { start: end, end: { line: 4 + lines, character: 0 } }, text: '' }]);
    expect(hintLines(await server.hints(uri))).toEqual(HINTS);
    expect((await logOf(server)).split('\n').filter(line => line.includes('nothing is shown'))).toHaveLength(1);
  });
});

describe('a client', () => {
  test('that cancels 200 requests gets 200 answers, and the next one works', async () => {
    await putPicture(place.store, PICTURE);
    const server = await serve();
    const uri = place.uri('Shop.java');
    server.open(uri, SHOP);
    const { CancellationTokenSource } = await import('vscode-jsonrpc/node');
    const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    const answers = Array.from({ length: 200 }, async () => {
      const source = new CancellationTokenSource();
      const answer = server.connection.sendRequest(
        'textDocument/inlayHint',
        { textDocument: { uri }, range },
        source.token,
      );
      source.cancel();
      return answer.then(
        () => 'answered',
        (error: { code: number }) => error.code,
      );
    });
    const ends = await Promise.all(answers);
    expect(ends.filter(end => end === -32800).length).toBeGreaterThan(150);
    expect(hintLines(await server.hints(uri))).toEqual(HINTS);
  });

  test('that shuts down gets status 0, one that only leaves gets 1', async () => {
    const polite = await serve();
    expect(await polite.stop()).toBe(0);
    const rude = await serve();
    const ended = once(rude.process, 'exit');
    rude.process.stdin?.end();
    expect((await ended)[0]).toBe(1);
  });

  test('that asks for what there is not gets an error or nothing, and the server lives', async () => {
    const server = await serve();
    for (const method of ['textDocument/nonsense', 'textDocument/definition', '$/nonsense', 'constructor', ''])
      await expect(server.connection.sendRequest(method, {}), method).rejects.toMatchObject({ code: -32_601 });
    await expect(server.command('insitu.nonsense')).rejects.toThrow(
      'unknown command insitu.nonsense; known are insitu.',
    );
    expect(await server.command('insitu.refresh')).toBeNull();
    expect(await server.command('insitu.status', { quiet: true })).toMatchObject({ sources: [{ project: 'acme' }] });
  });

  test('with mistakes in its settings is told of each', async () => {
    await writeFile(join(place.folder, 'insitu.json'), '{ "projekt": "acme", "hints": { "minimumSamples": "many" } }');
    const server = await serve({ initializationOptions: { hints: { methods: { threshold: 7 } } } });
    await server.command('insitu.status', { quiet: true });
    const log = await logOf(server);
    expect(log).toContain('unknown setting');
    expect(log).toContain('must be a whole number');
    expect(log).toContain(String.raw`editor settings: \"hints.methods.threshold\" must be a number`);
  });
});

describe('a message', () => {
  const HUGE = 2 ** 31;
  const uri = 'file:///a/Shop.java';
  const at = (line: unknown, character: unknown = 0) => ({ line, character });

  const WRONG: readonly (readonly [method: string, params: unknown, said: string])[] = [
    ['textDocument/hover', {}, '"textDocument"'],
    ['textDocument/hover', undefined, 'the parameters'],
    ['textDocument/hover', [7], 'the parameters'],
    ['textDocument/hover', { textDocument: null, position: at(0) }, '"textDocument"'],
    ['textDocument/hover', { textDocument: { uri: 7 }, position: at(0) }, '"textDocument"'],
    ['textDocument/hover', { textDocument: { uri }, position: at(-1) }, '"position"'],
    ['textDocument/hover', { textDocument: { uri }, position: at(0.5) }, '"position"'],
    ['textDocument/hover', { textDocument: { uri }, position: at(Number.NaN) }, '"position"'],
    ['textDocument/hover', { textDocument: { uri }, position: at(1e300) }, '"position"'],
    ['textDocument/implementation', { textDocument: { uri }, position: at('0') }, '"position"'],
    ['textDocument/prepareCallHierarchy', { textDocument: { uri }, position: [0, 0] }, '"position"'],
    ['textDocument/inlayHint', { textDocument: { uri } }, '"range"'],
    ['textDocument/inlayHint', { textDocument: { uri }, range: { start: at(0), end: at(null) } }, '"range"'],
    ['textDocument/codeAction', { textDocument: { uri }, range: { start: at(0), end: at(0) } }, '"context"'],
    ['textDocument/codeLens', { textDocument: uri }, '"textDocument"'],
    ['callHierarchy/incomingCalls', { item: null }, '"item"'],
    ['callHierarchy/outgoingCalls', { item: { uri, selectionRange: 7 } }, '"item"'],
    ['workspace/executeCommand', { command: 7 }, '"command"'],
    ['insitu/status', [1, 2], 'the parameters'],
    ['insitu/metrics', { textDocument: { uri: 7 } }, 'textDocument.uri: 7 is not allowed'],
  ];

  test('with wrong parameters is refused by the key that is wrong', async () => {
    const server = startRaw();
    const capabilities = { textDocument: { inlayHint: {} } };
    await server.ask('begin', 'initialize', { processId: null, rootUri: place.uri(''), capabilities });
    server.send({ jsonrpc: '2.0', method: 'initialized', params: {} });
    for (const [id, [method, params, said]] of WRONG.entries())
      expect((await server.ask(id, method, params))?.error, `${method} ${JSON.stringify(params)}`).toMatchObject({
        code: -32_602,
        message: expect.stringContaining(said),
      });
    expect(JSON.stringify(server.received)).not.toMatch(/ failed: |internal error/);
    server.kill();
    await server.ended;
  });

  test('about an address that is none, or a place far beyond the text, is answered with nothing', async () => {
    await putPicture(place.store, PICTURE);
    const server = await serve();
    const known = place.uri('Shop.java');
    server.open(known, SHOP);
    expect(hintLines(await server.hints(known))).toEqual(HINTS);
    const uris = [
      '',
      'x',
      '%',
      '://',
      'file:',
      'file://host/a/Shop.java',
      'file:///%zz',
      'file:///a%00b',
      'file:///a%2Fb',
    ];
    for (const odd of [
      ...uris,
      `file:///${'a/'.repeat(4_000)}`,
      'http://[::1',
      '\0',
      '\uD800',
      known.replace('Shop', '%53hop%'),
    ]) {
      expect(await server.hints(odd), odd).toEqual([]);
      server.open(odd, SHOP);
      const range = { start: at(0), end: at(HUGE, HUGE) };
      for (const position of [at(0), at(HUGE, HUGE), at(Number.MAX_SAFE_INTEGER)]) {
        const params = { textDocument: { uri: odd }, position, range, context: { diagnostics: [] } };
        for (const method of ['hover', 'implementation', 'prepareCallHierarchy', 'codeLens', 'codeAction', 'inlayHint'])
          await server.connection.sendRequest(`textDocument/${method}`, params);
      }
      await server.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: odd, type: 3 }] });
      await server.connection.sendNotification('textDocument/didClose', { textDocument: { uri: odd } });
    }
    expect(hintLines(await server.hints(known))).toEqual(HINTS);
    expect(hintLines(await server.hints(known, HUGE, HUGE))).toEqual([]);
    expect(await logOf(server)).not.toMatch(/failed|internal/);
  });

  test('that is none for its kind is dropped with a line in the log, and what is open stays', async () => {
    await putPicture(place.store, PICTURE);
    const server = await serve();
    const known = place.uri('Shop.java');
    server.open(known, SHOP);
    const textDocument = { uri: known, version: 2 };
    const wrong: readonly (readonly [string, unknown])[] = [
      ['textDocument/didOpen', { textDocument: { ...textDocument, text: 7 } }],
      ['textDocument/didOpen', {}],
      ['textDocument/didChange', { textDocument, contentChanges: [{ text: null }] }],
      [
        'textDocument/didChange',
        { textDocument, contentChanges: [{ range: { start: at(-1), end: at(0) }, text: '' }] },
      ],
      ['textDocument/didClose', { textDocument: known }],
      ['workspace/didChangeWatchedFiles', { changes: [null] }],
      ['workspace/didChangeWorkspaceFolders', { event: { added: 7 } }],
      ['window/workDoneProgress/cancel', {}],
      ['$/setTrace', { value: 7 }],
      ['$/cancelRequest', {}],
    ];
    for (const [method, params] of wrong) await server.connection.sendNotification(method, params);
    // Nobody has asked for these.
    for (const id of [0, -1, 99_999, 'x', '']) await server.connection.sendNotification('$/cancelRequest', { id });
    await server.connection.sendNotification('no/such', { id: 7 });
    await server.connection.sendNotification('window/workDoneProgress/cancel', { token: 'x' });
    expect(hintLines(await server.hints(known))).toEqual(HINTS);
    const log = await logOf(server);
    for (const [method] of wrong) expect(log).toContain(`${method}: `);
    expect(log.match(/it is dropped/g)).toHaveLength(wrong.length);
    expect(log).not.toMatch(/failed|internal/);
  });

  test('that begins the session with odd wishes begins it all the same', async () => {
    await putPicture(place.store, PICTURE);
    const known = place.uri('Shop.java');
    const range = { start: at(0), end: at(9) };
    for (const odd of [7, null, [], 'x', { inlayHint: 7, hover: { contentFormat: 7 }, callHierarchy: null }]) {
      const server = startRaw();
      const capabilities = { workspace: odd, textDocument: odd, window: odd, general: odd, experimental: odd };
      const begun = await server.ask(0, 'initialize', {
        ...{ processId: null, rootUri: place.uri(''), capabilities, initializationOptions: odd, trace: odd },
      });
      expect(begun?.error, JSON.stringify(odd)).toBeUndefined();
      server.send({ jsonrpc: '2.0', method: 'initialized', params: {} });
      const textDocument = { uri: known, languageId: 'java', version: 1, text: SHOP };
      server.send({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument } });
      const hints = await server.ask(1, 'textDocument/inlayHint', { textDocument: { uri: known }, range });
      expect(hints?.result, JSON.stringify(odd)).toHaveLength(2);
      expect((await server.ask(2, 'textDocument/hover', { textDocument, position: at(1, 8) }))?.result).toBeDefined();
      server.kill();
      await server.ended;
      expect(server.errors()).toBe('');
    }
  });
});
