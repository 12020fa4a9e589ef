// Tests lists of two servers of which one is late: both are shown in the end, nobody is asked for ever, and nothing old is given out.
import { beforeEach, expect, test } from 'vitest';
import { Scripted, stopTime } from './scripted.ts';

const REFRESHING = { workspace: { inlayHint: { refreshSupport: true }, codeLens: { refreshSupport: true } } };
const HINTS = 'textDocument/inlayHint';
const REFRESH = 'workspace/inlayHint/refresh';
const textDocument = { uri: 'file:///a/Shop.java' };
const item = (label: string) => [{ position: { line: 2, character: 8 }, label }];
const [java, own] = [item('java'), item('own')];

stopTime();
let scripted: Scripted;

beforeEach(async () => {
  scripted = await Scripted.started(REFRESHING);
});

/** Asks for hints, lets the servers answer as far as they are told to, and gives what the client gets after a moment. */
async function ask(id: number, answers: { java?: unknown; own?: unknown }, more: object = {}) {
  const heard = await scripted.ask({ id, method: HINTS, params: { textDocument, ...more } }, answers);
  await scripted.wait(300);
  return [...heard, ...scripted.rest('client')];
}

async function comes(side: 'java' | 'own', result: unknown): Promise<void> {
  scripted.answer(side, scripted.next(side), result);
  await scripted.settled();
}

/** The client is told to ask again, and answers that it will. */
function toldToAskAgain(): void {
  const [refresh, ...rest] = scripted.rest('client');
  expect(refresh).toMatchObject({ method: REFRESH });
  expect(rest).toEqual([]);
  scripted.fromClient({ id: refresh!.id!, result: null });
}

/** Checks that neither server was asked. */
function nobodyWasAsked(): void {
  expect(scripted.rest('java')).toEqual([]);
  expect(scripted.rest('own')).toEqual([]);
}

test.each(['java', 'own'] as const)('what %s says late is given with what the other said, for a moment', async late => {
  const [all, first] = [{ java, own }, late === 'java' ? { own } : { java }];
  expect(await ask(7, first)).toEqual([{ id: 7, result: Object.values(first)[0] }]);
  await scripted.wait(60_000);
  await comes(late, all[late]);
  toldToAskAgain();
  for (const id of [8, 9]) expect(await ask(id, {})).toEqual([{ id, result: [...java, ...own] }]);
  nobodyWasAsked();
  await scripted.wait(2_500);
  expect(await ask(10, { java: [], own: [] })).toEqual([{ id: 10, result: [] }]);
});

test('two slow servers are asked once each, and not in turns for ever', async () => {
  // Ours before the Java server, both later than they are waited for.
  scripted.fromClient({ id: 7, method: HINTS, params: { textDocument } });
  await scripted.wait(300);
  await comes('own', own);
  await scripted.wait(300);
  expect(scripted.rest('client')).toEqual([{ id: 7, result: own }]);
  await comes('java', java);
  toldToAskAgain();
  expect(await ask(8, {})).toEqual([{ id: 8, result: [...java, ...own] }]);
  nobodyWasAsked();
});

test('a second request before the late answer waits for the same answer, and asks the other server anew', async () => {
  for (const id of [7, 8, 9]) expect(await ask(id, { own })).toEqual([{ id, result: own }]);
  expect(scripted.java).toHaveLength(1);
  await comes('java', java);
  toldToAskAgain();
  expect(await ask(10, {})).toEqual([{ id: 10, result: [...java, ...own] }]);
});

test('an empty answer that comes late is not kept', async () => {
  expect(await ask(7, { java })).toEqual([{ id: 7, result: java }]);
  await comes('own', []);
  expect(scripted.rest('client')).toEqual([]);
  expect(await ask(8, { java, own })).toEqual([{ id: 8, result: [...java, ...own] }]);
});

test('a server that has the client ask anew is asked anew', async () => {
  expect(await ask(7, { java })).toEqual([{ id: 7, result: java }]);
  const held = scripted.next('own');
  scripted.from('own', { id: 1, method: REFRESH });
  expect(scripted.rest('client')).toMatchObject([{ method: REFRESH }]);
  scripted.answer('own', held, item('before'));
  await scripted.settled();
  expect(scripted.rest('client')).toEqual([]);
  expect(await ask(8, { java, own })).toEqual([{ id: 8, result: [...java, ...own] }]);
  // The other way round, and what one server said stays when the other has something new.
  expect(await ask(9, { own })).toEqual([{ id: 9, result: own }]);
  await comes('java', java);
  toldToAskAgain();
  scripted.from('own', { id: 2, method: REFRESH });
  scripted.rest('client');
  expect(await ask(10, { own: item('after') })).toEqual([{ id: 10, result: [...java, ...item('after')] }]);
  expect(scripted.java).toEqual([]);
  await scripted.wait(2_500);
  expect(await ask(11, { own })).toEqual([{ id: 11, result: own }]);
  scripted.from('java', { id: 3, method: REFRESH });
  scripted.rest('client');
  scripted.next('java');
  expect(await ask(12, { java, own })).toEqual([{ id: 12, result: [...java, ...own] }]);
});

test('new lenses take no hints away', async () => {
  expect(await ask(7, { java })).toEqual([{ id: 7, result: java }]);
  scripted.from('own', { id: 1, method: 'workspace/codeLens/refresh' });
  scripted.rest('client');
  await comes('own', own);
  toldToAskAgain();
  expect(await ask(8, {})).toEqual([{ id: 8, result: [...java, ...own] }]);
});

test('what nobody fetches is forgotten', async () => {
  expect(await ask(7, { java })).toEqual([{ id: 7, result: java }]);
  await comes('own', item('before'));
  toldToAskAgain();
  await scripted.wait(2_500);
  expect(await ask(8, { java, own })).toEqual([{ id: 8, result: [...java, ...own] }]);
});

test('a change of the text takes away what is late, also while it is waited for', async () => {
  expect(await ask(7, { own })).toEqual([{ id: 7, result: own }]);
  scripted.fromClient({ method: 'textDocument/didChange', params: {} });
  await comes('java', java);
  expect(scripted.rest('client')).toEqual([]);
  scripted.rest('own');
  scripted.rest('java');
  scripted.fromClient({ id: 8, method: HINTS, params: { textDocument } });
  const before = scripted.next('java');
  scripted.answer('own', scripted.next('own'), own);
  await scripted.settled();
  scripted.fromClient({ method: 'textDocument/didChange', params: {} });
  scripted.rest('own');
  scripted.rest('java');
  await scripted.wait(300);
  expect(scripted.rest('client')).toEqual([{ id: 8, result: own }]);
  scripted.answer('java', before, item('before'));
  await scripted.settled();
  expect(scripted.rest('client')).toEqual([]);
  expect(await ask(9, { java, own })).toEqual([{ id: 9, result: [...java, ...own] }]);
});

test('tokens of the client make no other question of it, and are not for us', async () => {
  expect(await ask(7, { own }, { workDoneToken: 'a', partialResultToken: 1 })).toEqual([{ id: 7, result: own }]);
  expect(JSON.stringify(scripted.java[0]?.toString())).toContain('workDoneToken');
  await comes('java', java);
  toldToAskAgain();
  expect(await ask(8, {}, { workDoneToken: 'b', partialResultToken: 2 })).toEqual([
    { id: 8, result: [...java, ...own] },
  ]);
  nobodyWasAsked();
  scripted.fromClient({ id: 9, method: 'textDocument/hover', params: { textDocument, workDoneToken: 'c' } });
  expect(scripted.next('own').params).toEqual({ textDocument });
  expect(scripted.next('java').params).toEqual({ textDocument, workDoneToken: 'c' });
});
