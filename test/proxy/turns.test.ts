// Tests whose message goes first to a client that waits for the Java server: long lists of ours wait a moment, and nothing else does.
import { beforeEach, expect, test } from 'vitest';
import type { Frame } from '../../server/lsp/wire/frames.ts';
import { REST_MILLIS, Turns, WAIT_MILLIS } from '../../server/proxy/turns.ts';
import { framed, Scripted, stopTime } from './scripted.ts';

const HINTS = 'textDocument/inlayHint';
const COMPLETION = 'textDocument/completion';
const long = [{ position: { line: 2, character: 8 }, label: 'x'.repeat(100_000) }];
const short = [{ position: { line: 2, character: 8 }, label: 'x' }];

const RANGE = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

stopTime();
let scripted: Scripted;

beforeEach(async () => {
  scripted = await Scripted.started();
});

/** Both servers answer a request for hints, ours with this list. */
async function hints(own: unknown): Promise<void> {
  scripted.fromClient({ id: 'hints', method: HINTS, params: {} });
  scripted.answer('java', scripted.next('java'), null);
  scripted.answer('own', scripted.next('own'), own);
  await looked();
}

/** The proxy has looked at what came meanwhile. */
async function looked(): Promise<void> {
  for (let i = 0; i < 3; i++) await scripted.settled();
}

function completion(): void {
  scripted.fromClient({ id: 'completion', method: COMPLETION, params: {} });
  expect(scripted.next('java')).toMatchObject({ method: COMPLETION });
}

const sent = () => scripted.rest('client').map(({ id, method }) => id ?? method);

test('a long list goes at once where the client waits for nothing else', async () => {
  await hints(long);
  expect(scripted.rest('client')).toEqual([{ id: 'hints', result: long }]);
});

test('what the Java server is asked for goes before a long list, and the list right behind it', async () => {
  completion();
  await hints(long);
  expect(sent()).toEqual([]);
  scripted.from('java', { method: 'window/logMessage', params: {} });
  expect(sent()).toEqual(['window/logMessage']);
  scripted.answer('java', { id: 'completion' }, null);
  expect(sent()).toEqual(['completion', 'hints']);
});

test('what has come of the Java server at the same moment goes first, asked for or not', async () => {
  const written: Frame[] = [];
  const turns = new Turns({ write: frame => void written.push(frame), isJavaAwaited: () => false });
  const [list, other] = [framed({ id: 1, result: long }), framed({ method: 'window/logMessage' })];
  turns.own(list);
  await scripted.settled();
  turns.java(other);
  await looked();
  expect(written).toEqual([other, list]);
});

test('a long list waits a moment for an answer, and no longer', async () => {
  completion();
  await hints(long);
  await scripted.wait(WAIT_MILLIS - 1);
  expect(sent()).toEqual([]);
  await scripted.wait(1);
  expect(sent()).toEqual(['hints']);
  scripted.answer('java', { id: 'completion' }, null);
  expect(sent()).toEqual(['completion']);
});

test('a short list waits for nothing, but for a long one before it: what ours says keeps its order', async () => {
  completion();
  await hints(short);
  expect(sent()).toEqual(['hints']);
  await hints(long);
  await hints(short);
  scripted.from('own', { method: 'window/logMessage', params: {} });
  expect(sent()).toEqual([]);
  await scripted.wait(WAIT_MILLIS);
  expect(sent()).toEqual(['hints', 'hints', 'window/logMessage']);
});

test('between long lists the wire is free for a while, whoever asks for one after the other', async () => {
  await hints(long);
  await hints(long);
  await hints(short);
  await hints(long);
  expect(sent()).toEqual(['hints']);
  completion();
  scripted.answer('java', { id: 'completion' }, null);
  await scripted.wait(REST_MILLIS - 1);
  expect(sent()).toEqual(['completion']);
  await scripted.wait(1);
  await looked();
  expect(sent()).toEqual(['hints', 'hints', 'hints']);
  await hints(long);
  expect(sent()).toEqual([]);
  await scripted.wait(REST_MILLIS);
  await looked();
  expect(sent()).toEqual(['hints']);
});

test('long lists that come more quickly than pauses end do not pile up, as while a key is held', async () => {
  const written: Frame[] = [];
  const write = (frame: Frame, taken?: () => void) => {
    written.push(frame);
    taken?.();
  };
  const turns = new Turns({ write, isJavaAwaited: () => false });
  const asked = Array.from({ length: 60 }, (_, id) => framed({ id, result: long }));
  for (const list of asked) {
    turns.own(list);
    await looked();
    await scripted.wait(30);
  }
  await scripted.wait(REST_MILLIS);
  await looked();
  expect(written).toHaveLength(asked.length);
  expect(written).toEqual(asked);
});

test('what the Java server says of what both were asked waits for one pause, however many lists there are', async () => {
  for (let file = 0; file < 10; file++) await hints(long);
  expect(sent()).toEqual(['hints']);
  scripted.fromClient({ id: 'hover', method: 'textDocument/hover', params: {} });
  scripted.answer('own', scripted.next('own'), null);
  scripted.answer('java', scripted.next('java'), { contents: 'words' });
  await scripted.wait(REST_MILLIS);
  await looked();
  expect(sent()).toContain('hover');
});

test('the pause begins when the system has taken the list, and holds no short one', async () => {
  const written: Frame[] = [];
  const taken: (() => void)[] = [];
  const write = (frame: Frame, told?: () => void) => {
    written.push(frame);
    if (told !== undefined) taken.push(told);
  };
  const turns = new Turns({ write, isJavaAwaited: () => false });
  const [first, second, other] = [framed({ id: 1, result: long }), framed({ id: 2, result: long }), framed({ id: 3 })];
  turns.own(first);
  await looked();
  turns.own(other);
  expect(written).toEqual([first, other]);
  turns.own(second);
  await scripted.wait(2 * REST_MILLIS);
  await looked();
  expect(written).toEqual([first, other]);
  for (const told of taken.splice(0)) told();
  await scripted.wait(REST_MILLIS);
  await looked();
  expect(written).toEqual([first, other, second]);
});

test('a list after the pause waits for the Java server as the first one did', async () => {
  await hints(long);
  await hints(long);
  expect(sent()).toEqual(['hints']);
  completion();
  await scripted.wait(REST_MILLIS);
  await looked();
  expect(sent()).toEqual([]);
  scripted.answer('java', { id: 'completion' }, null);
  expect(sent()).toEqual(['completion', 'hints']);
});

test('diagnostics of both do not wait behind a long list: they would be older than what the Java server publishes meanwhile', async () => {
  const uri = 'file:///A.java';
  const published = (message: string) => ({
    method: 'textDocument/publishDiagnostics',
    params: { uri, diagnostics: message === '' ? [] : [{ range: RANGE, message }] },
  });
  scripted.from('java', published('old'));
  completion();
  await hints(long);
  scripted.from('own', published('own'));
  scripted.from('java', published(''));
  await scripted.wait(WAIT_MILLIS);
  const told = scripted.rest('client').filter(({ method }) => method === 'textDocument/publishDiagnostics');
  expect(told.at(-1)).toMatchObject({ params: { diagnostics: [{ message: 'own' }] } });
  expect((told.at(-1)!.params as { diagnostics: unknown[] }).diagnostics).toHaveLength(1);
});
