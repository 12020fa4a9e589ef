// Tests requests that the client cancels: both servers are told where they work on it, and nobody else's answer is lost.
import { beforeEach, expect, test } from 'vitest';
import { type Message, Scripted, stopTime } from './scripted.ts';

const REFRESHING = { workspace: { inlayHint: { refreshSupport: true } } };
const hints = (id: number): Message => ({ id, method: 'textDocument/inlayHint', params: { n: 1 } });
const cancel = (id: number): Message => ({ method: '$/cancelRequest', params: { id } });
const [java, own] = [[{ label: 'java' }], [{ label: 'own' }]];

stopTime();
let scripted: Scripted;

beforeEach(async () => {
  scripted = await Scripted.started(REFRESHING);
});

test('both servers are told, ours of its own number', () => {
  scripted.fromClient({ id: 7, method: 'textDocument/hover', params: {} });
  const { id } = scripted.next('own');
  scripted.fromClient(cancel(7));
  expect(scripted.rest('own')).toEqual([cancel(id as number)]);
  expect(scripted.rest('java').map(({ method }) => method)).toEqual(['textDocument/hover', '$/cancelRequest']);
});

test('who waits for the answer to an earlier question is answered at once, and the answer is not lost', async () => {
  await scripted.ask(hints(7), { own });
  await scripted.wait(300);
  expect(scripted.rest('client')).toEqual([{ id: 7, result: own }]);
  await scripted.ask(hints(8), { own: [] });
  await scripted.wait(300);
  expect(scripted.rest('client')).toEqual([]);
  scripted.fromClient(cancel(8));
  await scripted.settled();
  expect(scripted.rest('client')).toEqual([{ id: 8, error: { code: -32_800, message: 'cancelled' } }]);
  await scripted.ask(hints(9), { own });
  scripted.answer('java', scripted.next('java'), java);
  await scripted.wait(300);
  expect(scripted.rest('client')).toContainEqual({ id: 9, result: [...java, ...own] });
});

test('a request that has its answer is not cancelled where a server still works for the next one', async () => {
  await scripted.ask(hints(7), { own });
  await scripted.wait(300);
  scripted.fromClient(cancel(7));
  expect(scripted.rest('java').map(({ method }) => method)).toEqual(['textDocument/inlayHint']);
  scripted.answer('java', { id: 7 }, java);
  await scripted.settled();
  scripted.rest('client');
  scripted.fromClient(cancel(7));
  expect(scripted.rest('java')).toEqual([cancel(7)]);
});

test('what is answered after it was cancelled is not kept for others', async () => {
  scripted.fromClient(hints(7));
  scripted.fromClient(cancel(7));
  scripted.fail('java', scripted.next('java'), 'cancelled');
  await scripted.settled();
  await scripted.wait(300);
  expect(scripted.rest('client')).toMatchObject([{ id: 7, error: { message: 'cancelled' } }]);
  scripted.fail('own', scripted.next('own'), 'cancelled');
  scripted.rest('own');
  scripted.rest('java');
  expect(await scripted.ask(hints(8), { java, own })).toEqual([{ id: 8, result: [...java, ...own] }]);
});

test('calls of an entry are not asked for when nobody wants them any more', async () => {
  const place = { start: { line: 1, character: 1 }, end: { line: 1, character: 2 } };
  const item = { name: 'run', kind: 6, uri: 'file:///a.java', range: place, selectionRange: place };
  scripted.fromClient({ id: 7, method: 'callHierarchy/outgoingCalls', params: { item } });
  const prepare = scripted.next('own');
  expect(prepare.method).toBe('textDocument/prepareCallHierarchy');
  scripted.fromClient(cancel(7));
  expect(scripted.rest('own')).toEqual([cancel(prepare.id as number)]);
  scripted.answer('own', prepare, [item]);
  await scripted.settled();
  expect(scripted.rest('own')).toEqual([]);
  scripted.fail('java', { id: 7 }, 'cancelled');
  await scripted.settled();
  expect(scripted.rest('client')).toMatchObject([{ id: 7, error: { message: 'cancelled' } }]);
});
