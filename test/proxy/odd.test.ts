// Tests messages that are broken, or of a shape that nobody expects, in front of and behind us: each passes as it is, and nothing ends.
import { beforeEach, expect, test } from 'vitest';
import { frameOf } from '../../server/lsp/wire/split-messages.ts';
import { Scripted } from './scripted.ts';

const place = { start: { line: 1, character: 4 }, end: { line: 1, character: 7 } };
const item = { name: 'run', kind: 6, uri: 'file:///a/Shop.java', range: place, selectionRange: place };
const hover = { contents: { kind: 'markdown', value: 'own' } };

let scripted: Scripted;
beforeEach(async () => {
  scripted = await Scripted.started();
});

test.each([
  '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}',
  '{"jsonrpc":"2.0","id":1,"method":"callHierarchy/outgoingCalls","params":{"item":{}',
  '{"jsonrpc":"2.0","id":1,"method":"codeLens/resolve","params":{"command":{"command":"insitu.x"},"n":01}}',
  '{"jsonrpc":"2.0","id":1,"method":"codeAction/resolve","params":{"kind":"insitu","n":nul}}',
  '{"jsonrpc":"2.0","id":"insitu:\\q","result":null}',
])('a message of the client passes: %s', async body => {
  const frame = frameOf(Buffer.from(body));
  scripted.router.fromClient(frame);
  await scripted.settled();
  expect(scripted.java).toEqual([frame.bytes]);
  for (const { id, method } of scripted.rest('own')) {
    expect(method).toBe('textDocument/prepareCallHierarchy');
    scripted.answer('own', { id: id! }, null);
  }
  const answers = body.includes('"id":1,');
  if (answers) scripted.answer('java', { id: 1 }, 'as it is');
  await scripted.settled();
  const passed = scripted.rest('client').filter(({ method }) => method !== 'window/logMessage');
  expect(passed).toEqual(answers ? [{ id: 1, result: 'as it is' }] : []);
});

test('a message that cannot be read is refused where the Java server that would answer it has ended', () => {
  scripted.router.javaEnded('the Java server ended');
  scripted.rest('client');
  for (const body of ['nul', '[]', '{"jsonrpc":"2.0"}']) {
    scripted.router.fromClient(frameOf(Buffer.from(body)));
    expect(scripted.rest('client'), body).toMatchObject([{ id: null, error: { code: -32_600 } }]);
  }
});

test('every message after the broken one is routed as before', async () => {
  scripted.router.fromClient(frameOf(Buffer.from('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":')));
  scripted.rest('client');
  scripted.java.splice(0);
  expect(await scripted.ask({ id: 2, method: 'textDocument/hover', params: {} }, { java: null, own: hover })).toEqual([
    { id: 2, result: hover },
  ]);
});

test.each([
  ['textDocument/hover', { contents: { kind: 'plaintext', value: 7 } }, hover],
  ['textDocument/implementation', [null], [{ uri: 'file:///a.java', range: place }]],
  ['textDocument/implementation', 7, [{ uri: 'file:///a.java', range: place }]],
  ['textDocument/implementation', [{ targetUri: 'file:///b.java' }], [{ uri: 'file:///a.java', range: place }]],
  ['textDocument/prepareCallHierarchy', [{ name: 'x' }], [item]],
  ['textDocument/prepareCallHierarchy', [null], [item]],
  ['textDocument/inlayHint', { items: [] }, null],
])('an answer of the Java server to %s passes: %j', async (method, java, own) => {
  const heard = await scripted.ask({ id: 7, method, params: {} }, { java, own });
  expect(heard.filter(({ id }) => id !== undefined)).toEqual([{ id: 7, result: java }]);
  const [said] = heard.filter(({ id }) => id === undefined);
  if (own !== null) expect(said).toMatchObject({ method: 'window/logMessage', params: { type: 2 } });
});

test.each([
  [{ from: null }],
  [[{ from: item }, null]],
  [[{ from: { name: 'x', uri: 'file:///a/Shop.java' }, fromRanges: [] }]],
])('calls of the Java server end nothing: %j', async java => {
  scripted.fromClient({ id: 7, method: 'callHierarchy/incomingCalls', params: { item } });
  scripted.answer('own', scripted.next('own'), [item]);
  await scripted.settled();
  scripted.answer('own', scripted.next('own'), [{ from: item, fromRanges: [place] }]);
  scripted.answer('java', scripted.next('java'), java);
  await scripted.settled();
  expect(scripted.rest('client').find(({ id }) => id === 7)).toMatchObject({ id: 7, result: expect.anything() });
});

test('a hover of the Java server without contents is none', async () => {
  const heard = await scripted.ask(
    { id: 7, method: 'textDocument/hover', params: {} },
    { java: { contents: null }, own: hover },
  );
  expect(heard).toEqual([{ id: 7, result: hover }]);
});

test.each([
  [{ textDocumentSync: null, codeActionProvider: null, executeCommandProvider: null, codeLensProvider: null }, true],
  [{ codeActionProvider: { codeActionKinds: null }, executeCommandProvider: { commands: null } }, true],
  [{ executeCommandProvider: { commands: 7 } }, false],
])('what the Java server can do ends nothing: %j', async (capabilities, isJoined) => {
  scripted = new Scripted();
  scripted.fromClient({ id: 0, method: 'initialize', params: { capabilities: {} } });
  scripted.answer('java', scripted.next('java'), { capabilities });
  scripted.answer('own', scripted.next('own'), { capabilities: { hoverProvider: true } });
  await scripted.settled();
  const [first, said] = scripted.rest('client');
  expect(first).toMatchObject({ id: 0, result: { capabilities: isJoined ? { hoverProvider: true } : capabilities } });
  expect(said?.method).toBe(isJoined ? undefined : 'window/logMessage');
  expect(scripted.givenUp).toEqual(isJoined ? [] : ['own']);
});

test('an answer to initialize that is no JSON is one that refuses', async () => {
  scripted = new Scripted();
  scripted.fromClient({ id: 0, method: 'initialize', params: { capabilities: {} } });
  const { id } = scripted.next('java');
  scripted.router.fromJava(frameOf(Buffer.from(`{"id":${JSON.stringify(id)},"error":{"message":{}},}`)));
  scripted.answer('own', scripted.next('own'), { capabilities: { hoverProvider: true } });
  await scripted.settled();
  const [first, said] = scripted.rest('client');
  expect(first).toEqual({ id: 0, result: { capabilities: { hoverProvider: true } } });
  expect(JSON.stringify(said)).toContain('refuses to start: it gives no reason');
});

test('a start that cannot be read fails', async () => {
  scripted = new Scripted();
  scripted.router.fromClient(frameOf(Buffer.from('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{]}')));
  await scripted.settled();
  expect(scripted.rest('client')).toMatchObject([
    { id: 0, error: { message: expect.stringContaining('cannot begin') } },
  ]);
});
