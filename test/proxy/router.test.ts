// Tests the way of every message between a client and two servers: unchanged, to both, or joined, whichever server is slow, wrong or gone.
import { beforeEach, describe, expect, test } from 'vitest';
import { frameOf } from '../../server/lsp/wire/split-messages.ts';
import { framed, Scripted, stopTime } from './scripted.ts';

const REFRESHING = { workspace: { inlayHint: { refreshSupport: true }, codeLens: { refreshSupport: true } } };
const position = { line: 2, character: 8 };
const textDocument = { uri: 'file:///a/Shop.java' };
const range = (line: number, from = 0) => ({ start: { line, character: from }, end: { line, character: from + 3 } });

stopTime();
let scripted: Scripted;

async function start(capabilities: object = {}, java: object = {}): Promise<void> {
  scripted = await Scripted.started(capabilities, java);
}

/** Asks, lets the servers answer as far as they are told to, and gives what the client gets. */
const ask = (method: string, answers: { java?: unknown; own?: unknown }, id: number | string = 7) =>
  scripted.ask({ id, method, params: { textDocument, position, range: range(0) } }, answers);

describe('what we add nothing to', () => {
  beforeEach(() => start());

  test.each([
    '{ "jsonrpc":"2.0","method":"textDocument/completion" , "id" : 1.0,"params":{"a":1e400,"ä":"\\u00e4"} }',
    '{"jsonrpc":"2.0","method":"java/projectConfigurationUpdate","params":[]}',
    '[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]',
    '{"jsonrpc":"2.0","id":"x","result":null}',
    'no JSON at all',
    '',
  ])('passes as it is, both ways: %s', body => {
    const frame = frameOf(Buffer.from(body));
    scripted.router.fromClient(frame);
    expect(scripted.java).toEqual([frame.bytes]);
    scripted.router.fromJava(frame);
    expect(scripted.client).toEqual([frame.bytes]);
    expect(scripted.own).toEqual([]);
  });

  test.each(['textDocument/didOpen', 'textDocument/didChange'])('passes, however large it is: %s', method => {
    const text = 'class Shop { String ä = "\\u00e4\\n"; }\n'.repeat(200_000);
    const frame = framed({ method, params: { textDocument: { uri: 'file:///a/Shop.java', text } } });
    scripted.router.fromClient(frame);
    expect([scripted.java, scripted.own].map(sent => Buffer.concat(sent).equals(frame.bytes))).toEqual([true, true]);
    expect(scripted.givenUp).toEqual([]);
  });

  test('keeps its order: an answer never comes behind what was sent after it', () => {
    scripted.fromClient({ id: 1, method: 'textDocument/completion', params: {} });
    scripted.from('java', { id: 1, result: [] });
    scripted.from('java', { method: 'language/status', params: {} });
    expect(scripted.rest('client').map(({ method }) => method)).toEqual([undefined, 'language/status']);
  });

  test('is told to both where both follow it', () => {
    const notifications = [
      'initialized',
      'textDocument/didOpen',
      'textDocument/didChange',
      'textDocument/didClose',
      'workspace/didChangeConfiguration',
      'workspace/didChangeWatchedFiles',
      '$/setTrace',
    ];
    for (const method of notifications) scripted.fromClient({ method, params: {} });
    scripted.fromClient({ method: 'insitu/odd', params: {} });
    expect(scripted.rest('java').map(({ method }) => method)).toEqual(notifications);
    expect(scripted.rest('own').map(({ method }) => method)).toEqual([...notifications, 'insitu/odd']);
  });

  test('is asked of our server alone where it is ours', async () => {
    scripted.fromClient({ id: 'a', method: 'workspace/executeCommand', params: { command: 'insitu.status' } });
    scripted.fromClient({ id: 4, method: 'insitu/status' });
    scripted.fromClient({ id: 5, method: 'workspace/executeCommand', params: { command: 'java.insitu.x' } });
    for (const request of scripted.rest('own')) scripted.answer('own', request, { text: 'ok' });
    await scripted.settled();
    expect(scripted.rest('client')).toEqual([
      { id: 'a', result: { text: 'ok' } },
      { id: 4, result: { text: 'ok' } },
    ]);
    expect(scripted.rest('java').map(({ id }) => id)).toEqual([5]);
  });
});

describe('requests to the client', () => {
  test('of both servers under one number are told apart', async () => {
    await start();
    scripted.from('java', { id: 1, method: 'workspace/configuration', params: { items: [{ section: 'java' }] } });
    scripted.from('own', { id: 1, method: 'workspace/configuration', params: { items: [{ section: 'insitu' }] } });
    scripted.from('own', { id: 'x"', method: 'window/showDocument', params: {} });
    const asked = scripted.rest('client');
    expect(new Set(asked.map(({ id }) => id)).size).toBe(3);
    expect(asked[0]!.id).toBe(1);
    for (const { id } of asked.toReversed()) scripted.fromClient({ id: id!, result: [`to ${id}`] });
    expect(scripted.rest('java')).toEqual([{ id: 1, result: ['to 1'] }]);
    expect(scripted.rest('own').map(({ id }) => id)).toEqual(['x"', 1]);
  });
});

describe('a list of both', () => {
  const java = [{ position, label: 'java' }];
  const own = [{ position, label: 'own' }];

  test('has our items last; bytes of the Java server stay where ours has none', async () => {
    await start(REFRESHING);
    expect(await ask('textDocument/inlayHint', { java, own })).toEqual([{ id: 7, result: [...java, ...own] }]);
    expect(await ask('textDocument/codeLens', { java: null, own })).toEqual([{ id: 7, result: own }]);
    scripted.fromClient({ id: 8, method: 'textDocument/codeAction', params: {} });
    const exact = frameOf(Buffer.from('{"id":8, "result":[1.0 ]}'));
    scripted.answer('own', scripted.next('own'), []);
    scripted.router.fromJava(exact);
    await scripted.settled();
    expect(scripted.client).toEqual([exact.bytes]);
  });

  test('waits longer for clients that ask once', async () => {
    await start();
    expect(await ask('textDocument/inlayHint', { java })).toEqual([]);
    await scripted.wait(2_000);
    expect(scripted.client).toEqual([]);
    scripted.answer('own', scripted.next('own'), own);
    await scripted.settled();
    expect(scripted.rest('client')).toEqual([{ id: 7, result: [...java, ...own] }]);
  });
});

describe('a hover of both', () => {
  const own = { contents: { kind: 'markdown', value: 'own' }, range: range(2) };

  test.each([
    [{ contents: { kind: 'markdown', value: '**java**' } }, { kind: 'markdown', value: '**java**\n\n---\n\nown' }],
    [
      { contents: { kind: 'plaintext', value: '<a>```' } },
      { kind: 'markdown', value: '````\n<a>```\n````\n\n---\n\nown' },
    ],
    [{ contents: 'java' }, ['java', 'own']],
    [{ contents: [{ language: 'java', value: 'int x' }, 'doc'] }, [{ language: 'java', value: 'int x' }, 'doc', 'own']],
  ])('of %j', async (java, contents) => {
    await start();
    expect(await ask('textDocument/hover', { java, own })).toEqual([{ id: 7, result: { contents, range: range(2) } }]);
  });

  test('is ours when the other takes a minute, or fails; and the other way round', async () => {
    await start();
    await ask('textDocument/hover', { own });
    await scripted.wait(2_000);
    expect(scripted.rest('client')).toEqual([{ id: 7, result: own }]);
    scripted.answer('java', scripted.next('java'), { contents: 'late' });
    await scripted.settled();
    expect(scripted.rest('client')).toEqual([]);
    scripted.fromClient({ id: 8, method: 'textDocument/hover', params: {} });
    scripted.fail('java', scripted.next('java'), 'broken');
    scripted.answer('own', scripted.next('own'), own);
    await scripted.settled();
    expect(scripted.rest('client')).toEqual([{ id: 8, result: own }]);
    await ask('textDocument/hover', { java: { contents: 'java' } }, 9);
    await scripted.wait(200);
    expect(scripted.rest('client')).toEqual([{ id: 9, result: { contents: 'java' } }]);
  });

  test('waits for the other as long as it takes where we have nothing to say', async () => {
    await start();
    await ask('textDocument/hover', { own: null });
    await scripted.wait(60_000);
    expect(scripted.rest('client')).toEqual([]);
    scripted.answer('java', scripted.next('java'), { contents: 'java' });
    await scripted.settled();
    expect(scripted.rest('client')).toEqual([{ id: 7, result: { contents: 'java' } }]);
  });
});

test('what ran comes first among implementations, in one form, each once', async () => {
  await start();
  const place = (name: string, line = 1) => ({ uri: `file:///a/${name}.java`, range: range(line) });
  const link = (name: string) => ({
    targetUri: place(name).uri,
    targetRange: range(0),
    targetSelectionRange: range(1),
  });
  const own = [place('B'), place('C')];
  expect(await ask('textDocument/implementation', { java: [place('A'), place('B')], own })).toEqual([
    { id: 7, result: [place('B'), place('C'), place('A')] },
  ]);
  expect(await ask('textDocument/implementation', { java: [link('A'), link('B')], own })).toEqual([
    { id: 7, result: [link('B'), { ...link('C'), targetRange: range(1) }, link('A')] },
  ]);
  expect(await ask('textDocument/implementation', { java: place('C'), own: [] })).toEqual([
    { id: 7, result: place('C') },
  ]);
});

test('items of ours are resolved without asking anybody', async () => {
  await start();
  const lens = { range: range(0), command: { title: 'x', command: 'insitu.callers' } };
  const hint = { position, label: 'x', data: { heat: 1, kind: 'call' } };
  const action = { title: 'x', kind: 'insitu' };
  scripted.fromClient({ id: 1, method: 'codeLens/resolve', params: lens });
  scripted.fromClient({ id: 2, method: 'inlayHint/resolve', params: hint });
  scripted.fromClient({ id: 3, method: 'codeAction/resolve', params: action });
  scripted.fromClient({ id: 4, method: 'codeLens/resolve', params: { range: range(0), data: 5 } });
  expect(scripted.rest('client').map(({ result }) => result)).toEqual([lens, hint, action]);
  expect(scripted.rest('java').map(({ id }) => id)).toEqual([4]);
});

describe('diagnostics', () => {
  const published = (side: 'java' | 'own', uri: string, diagnostics: unknown[], more: object = {}) =>
    scripted.from(side, { method: 'textDocument/publishDiagnostics', params: { uri, diagnostics, ...more } });
  const shown = () => scripted.rest('client').map(({ params }) => params);

  test('of both servers stand together, the latest of each', async () => {
    await start();
    const uri = 'file:///a/%C3%A4.java';
    published('java', uri, [{ message: 'j1' }], { version: 3 });
    published('own', 'file:///a/ä.java', [{ message: 'o1' }]);
    published('java', uri, [{ message: 'j2' }, { message: 'j3' }], { version: 4 });
    published('own', 'file:///a/ä.java', []);
    published('own', 'file:///b.java', [{ message: 'o2' }]);
    published('java', uri, []);
    expect(shown()).toEqual([
      { uri, diagnostics: [{ message: 'j1' }], version: 3 },
      { uri, diagnostics: [{ message: 'j1' }, { message: 'o1' }] },
      { uri, diagnostics: [{ message: 'j2' }, { message: 'j3' }, { message: 'o1' }], version: 4 },
      { uri, diagnostics: [{ message: 'j2' }, { message: 'j3' }] },
      { uri: 'file:///b.java', diagnostics: [{ message: 'o2' }] },
      { uri, diagnostics: [] },
    ]);
  });

  test('of a Java server that is gone are taken back, ours stay', async () => {
    await start();
    published('java', 'file:///a.java', [{ message: 'j' }]);
    published('own', 'file:///a.java', [{ message: 'o' }]);
    published('java', 'file:///b.java', [{ message: 'j' }]);
    shown();
    scripted.router.javaEnded('the Java server ended with status 1');
    expect(shown().slice(0, 2)).toEqual([
      { uri: 'file:///a.java', diagnostics: [{ message: 'o' }] },
      { uri: 'file:///b.java', diagnostics: [] },
    ]);
  });
});

describe('a Java server that ends', () => {
  test('fails what it was asked; ours goes on, and the log says why', async () => {
    await start();
    scripted.fromClient({ id: 1, method: 'textDocument/completion', params: {} });
    scripted.fromClient({ id: 2, method: 'textDocument/hover', params: {} });
    scripted.router.javaEnded('the Java server ended with status 134');
    scripted.router.javaEnded('the Java server ended with status 134');
    const own = { contents: { kind: 'markdown', value: 'own' } };
    await scripted.wait(10_000);
    scripted.answer('own', scripted.next('own'), own);
    await scripted.settled();
    scripted.fromClient({ id: 3, method: 'textDocument/completion', params: {} });
    scripted.fromClient({ id: 4, method: 'workspace/executeCommand', params: { command: 'java.do' } });
    const reason = expect.stringContaining('status 134');
    expect(scripted.rest('client')).toEqual([
      { id: 1, error: { code: -32_803, message: reason } },
      { method: 'window/logMessage', params: { type: 1, message: reason } },
      { method: 'window/showMessage', params: { type: 1, message: reason } },
      { id: 2, result: own },
      { id: 3, result: null },
      { id: 4, error: { code: -32_803, message: reason } },
    ]);
    expect(scripted.rest('java').map(({ id }) => id)).toEqual([1, 2]);
    scripted.router.fromJava(framed({ method: 'late', params: {} }));
    expect(scripted.rest('client')).toEqual([]);
  });

  test('before the handshake leaves ours alone', async () => {
    scripted = new Scripted();
    scripted.fromClient({ id: 0, method: 'initialize', params: { capabilities: {} } });
    scripted.router.javaEnded('the Java server cannot be started');
    scripted.answer('own', scripted.next('own'), { capabilities: { hoverProvider: true } });
    await scripted.settled();
    const [first, ...told] = scripted.rest('client');
    expect(first).toEqual({ id: 0, result: { capabilities: { hoverProvider: true } } });
    expect(told.map(({ method }) => method)).toEqual(['window/logMessage', 'window/showMessage']);
  });

  test('when the client leaves is no news', async () => {
    await start();
    scripted.fromClient({ id: 1, method: 'shutdown' });
    scripted.from('java', { id: 1, result: null });
    scripted.fromClient({ method: 'exit' });
    scripted.router.javaEnded('the Java server ended with status 0');
    expect(scripted.hasLeft).toBe(true);
    expect(scripted.rest('client')).toEqual([{ id: 1, result: null }]);
    expect(scripted.rest('own').map(({ method }) => method)).toEqual(['shutdown', 'exit']);
  });
});

describe('our server', () => {
  test('that ends leaves the Java server as if it were alone', async () => {
    await start();
    scripted.fromClient({ id: 2, method: 'textDocument/hover', params: {} });
    scripted.router.ownEnded('the insitu server ended with status 1');
    scripted.from('java', { id: 2, result: { contents: 'java' } });
    await scripted.settled();
    scripted.fromClient({ id: 3, method: 'insitu/status' });
    await scripted.settled();
    expect(scripted.rest('client')).toMatchObject([
      { method: 'window/logMessage' },
      { id: 2, result: { contents: 'java' } },
      { id: 3, error: { code: -32_803 } },
    ]);
  });

  test('adds nothing where the other counts characters in another way', async () => {
    scripted = new Scripted();
    scripted.fromClient({
      id: 0,
      method: 'initialize',
      params: { capabilities: { general: { positionEncodings: ['utf-8'] } } },
    });
    const asked = scripted.next('java');
    expect(asked.params).toMatchObject({ capabilities: { general: { positionEncodings: ['utf-16'] } } });
    scripted.answer('own', scripted.next('own'), { capabilities: { inlayHintProvider: true } });
    scripted.answer('java', asked, { capabilities: { positionEncoding: 'utf-8' } });
    await scripted.settled();
    const [first, told] = scripted.rest('client');
    expect(first).toEqual({ id: 0, result: { capabilities: { positionEncoding: 'utf-8' } } });
    expect(JSON.stringify(told)).toContain('counts characters in another way');
  });
});
