// Tests that two servers' call hierarchies become one: shares and order from what ran, entries from the Java server, and what only ran between them.
import { beforeEach, expect, test } from 'vitest';
import { type Message, Scripted } from './scripted.ts';

type Item = { readonly name: string; readonly detail: string; readonly data?: unknown };
type Call = { readonly to: Item; readonly from: Item; readonly fromRanges: readonly unknown[] };

const range = (line: number, from = 4) => ({ start: { line, character: from }, end: { line, character: from + 3 } });

/** An entry as Eclipse writes it. */
const eclipse = (name: string, className: string, line: number, file = className) => ({
  ...{
    name,
    detail: className,
    kind: 6,
    uri: `file:///a/${file}.java`,
    range: range(line - 1),
    selectionRange: range(line),
  },
});

/** An entry as our server writes it; `line` null where it knows no source and gives the call. */
const ours = (
  name: string,
  detail: string,
  className: string,
  line: number | null,
  { seen = true, call = 5 } = {},
) => ({
  ...{ name: `${className}.${name}`, detail, kind: 6, uri: `file:///a/${line === null ? 'Shop' : className}.java` },
  ...{ range: range(line ?? call), selectionRange: range(line ?? call) },
  data: { uri: 'file:///a/Shop.java', direction: null, path: [[{ className, name, descriptor: null }]], seen },
});

let scripted: Scripted;
beforeEach(async () => {
  scripted = await Scripted.started();
});

async function prepare(java: unknown, own: unknown): Promise<Item[]> {
  scripted.fromClient({ id: 1, method: 'textDocument/prepareCallHierarchy', params: {} });
  scripted.answer('java', scripted.next('java'), java);
  scripted.answer('own', scripted.next('own'), own);
  await scripted.settled();
  return scripted.next('client').result as Item[];
}

/** Opens an entry; the servers answer what they are asked, which is given back too. */
async function open(
  item: Item,
  answers: { java: readonly unknown[]; own: readonly unknown[] },
  direction = 'outgoing',
) {
  scripted.fromClient({ id: 2, method: `callHierarchy/${direction}Calls`, params: { item } });
  const asked: Record<'java' | 'own', Message[]> = { java: [], own: [] };
  for (const side of ['java', 'own'] as const)
    for (const result of answers[side]) {
      const request = scripted.next(side);
      asked[side].push(request);
      scripted.answer(side, request, result);
      await scripted.settled();
    }
  await scripted.settled();
  return { asked, calls: (scripted.next('client').result ?? []) as Call[] };
}

const opened = ({ params }: Message) => (params as { readonly item?: Item }).item;
const lines = (calls: readonly Call[]) => calls.map(({ to, from }) => `${(to ?? from).name} | ${(to ?? from).detail}`);

test('an entry has the share, and each server gets its own entry back', async () => {
  const [java, own] = [eclipse('run() : void', 'Shop', 3), ours('run', '50 % of cpu', 'Shop', 3)];
  const [item] = await prepare([{ ...java, data: { deep: [1] } }], [own]);
  expect(item).toMatchObject({ name: 'run() : void', detail: '50 % of cpu · Shop' });
  const { asked } = await open(item!, { java: [[]], own: [[]] });
  expect(opened(asked.java[0]!)).toEqual({ ...java, data: { deep: [1] } });
  expect(opened(asked.own[0]!)).toEqual(own);
});

test('calls come in the order of what ran, then what is only written; what only ran stands between', async () => {
  const [item] = await prepare([eclipse('run() : void', 'Shop', 3)], [ours('run', '50 % of cpu', 'Shop', 3)]);
  const written = [
    eclipse('never() : void', 'Shop', 8),
    eclipse('take() : void', 'OrderQueue', 2),
    eclipse('sort(List) : void', 'java.util.Collections', 90),
    eclipse('put() : void', 'RingQueue', 4),
  ];
  const ran = [
    ours('take', '60 %', 'LockedQueue', 3),
    ours('put', '20 %', 'RingQueue', 4),
    ours('sort', '9 % · no source', 'java.util.Collections', null),
    ours('never', 'not seen running', 'Shop', 8, { seen: false }),
    ours('guess', 'not seen running', 'Shop', 20, { seen: false }),
  ];
  const { calls } = await open(item!, {
    java: [written.map(to => ({ to, fromRanges: [range(5)] }))],
    own: [ran.map(to => ({ to, fromRanges: [range(5), range(6)] }))],
  });
  expect(lines(calls)).toEqual([
    'LockedQueue.take | 60 %',
    'put() : void | 20 % · RingQueue',
    'sort(List) : void | 9 % · no source · java.util.Collections',
    'never() : void | not seen running · Shop',
    'take() : void | OrderQueue',
  ]);
  expect(calls.map(({ fromRanges }) => fromRanges.length)).toEqual([2, 1, 1, 1, 1]);
});

test('numbers stand in the name where ours puts them there', async () => {
  const [item] = await prepare([eclipse('run() : void', 'Shop', 3)], [ours('run', '50 % of cpu', 'Shop', 3)]);
  const own = { ...ours('put', '20 %', 'RingQueue', 4), name: 'RingQueue.put · 20 %' };
  const { calls } = await open(
    item!,
    {
      java: [[{ from: eclipse('put() : void', 'RingQueue', 4), fromRanges: [] }]],
      own: [[{ from: own, fromRanges: [range(1)] }]],
    },
    'incoming',
  );
  expect(lines(calls)).toEqual(['put() : void · 20 % | 20 % · RingQueue']);
  expect(calls[0]!.fromRanges).toEqual([range(1)]);
});

test('an entry of one server alone is asked of the other by its place', async () => {
  const own = ours('take', '60 %', 'LockedQueue', 3);
  const java = eclipse('take() : void', 'LockedQueue', 3);
  const [mine] = await prepare(null, [own]);
  const below = eclipse('lock() : void', 'Lock', 9);
  const first = await open(mine!, { java: [[java], [{ to: below, fromRanges: [] }]], own: [[]] });
  expect(first.asked.java.map(({ method }) => method)).toEqual([
    'textDocument/prepareCallHierarchy',
    'callHierarchy/outgoingCalls',
  ]);
  expect(opened(first.asked.java[1]!)).toEqual(java);
  expect(lines(first.calls)).toEqual(['lock() : void | Lock']);
  const second = await open(java, {
    java: [[]],
    own: [[own], [{ to: ours('lock', '5 %', 'Lock', 9), fromRanges: [] }]],
  });
  expect(opened(second.asked.java[0]!)).toEqual(java);
  expect(opened(second.asked.own[1]!)).toEqual(own);
  expect(lines(second.calls)).toEqual(['Lock.lock | 5 %']);
});

test('an entry that nobody else knows at its place is answered by who made it', async () => {
  const own = ours('sort', '9 %', 'java.util.Collections', null);
  const [mine] = await prepare(null, [own]);
  const { calls } = await open(mine!, {
    java: [[eclipse('elsewhere() : void', 'Other', 77)]],
    own: [[{ to: ours('merge', '3 %', 'java.util.TimSort', null, { seen: false }), fromRanges: [] }]],
  });
  expect(lines(calls)).toEqual(['java.util.TimSort.merge | 3 %']);
});

test('without anything of ours the Java server’s bytes stay', async () => {
  scripted.fromClient({ id: 1, method: 'textDocument/prepareCallHierarchy', params: {} });
  const answer = [eclipse('run() : void', 'Shop', 3)];
  scripted.answer('java', scripted.next('java'), answer);
  scripted.answer('own', scripted.next('own'), null);
  await scripted.settled();
  expect(scripted.next('client').result).toEqual(answer);
});
