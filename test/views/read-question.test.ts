// Tests that the page's questions are taken as they are meant, and that nothing else is taken for one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readQuestion } from '../../server/views/read-question.ts';
import { Refusal } from '../../server/views/refusal.ts';
import type { Question } from '../../server/views/view-messages.ts';
import { runs } from '../support/runs.ts';

const LOOK = {
  program: 'shop',
  version: 'v1',
  instances: ['a'],
  metric: 'cpu',
  threads: ['http-*'],
  from: 0,
  to: 5,
  focus: ['Shop.search'],
};
const KEY = 'AbCd-_12';

const QUESTIONS: readonly Question[] = [
  { ask: 'state' },
  { ask: 'state', revision: 'r1', source: 's1' },
  {
    ...{ ask: 'picture', look: LOOK, direction: 'up', of: KEY, root: [KEY, KEY], form: 'equal', order: { kept: 'p' } },
    operations: { recursion: true, aggregate: false, library: true },
    ...{ window: [0, 0.5], rows: [0, 12], least: [0.1, 0], most: 20_000, search: '/a/', baseline: true },
  },
  {
    ...{ ask: 'picture', look: {}, direction: 'up', of: null, root: ['@1z141z3', KEY], form: 'metric', order: 'name' },
    operations: { recursion: false, aggregate: false, library: false },
    ...{ window: [0, 1], rows: [0, 2], least: [0], most: 1, search: null, baseline: false },
  },
  {
    ask: 'tracks',
    look: LOOK,
    of: KEY,
    unfolded: [['main', 'pool-#']],
    rows: [20, 60],
    span: [0.2, 0.4],
    pixels: 2048,
  },
  { ask: 'tracks', look: {}, of: null, unfolded: [], rows: [0, 1], span: [0, 1], pixels: 1 },
  { ask: 'answer', answer: 'threads', parameters: { method: `id:${KEY}`, limit: 5 } },
  { ask: 'states', look: LOOK, of: [KEY] },
  {
    ...{ ask: 'vanished', look: LOOK, direction: 'down', of: null, root: [KEY] },
    operations: { recursion: false, aggregate: true, library: false },
  },
  { ask: 'blueprint', look: LOOK, scaling: 'share', tree: null, box: 0, show: 'path', of: null, from: 0 },
  { ask: 'blueprint', look: {}, scaling: 'anchored', tree: 't', box: 7, show: 'children', of: null, from: 50 },
  { ask: 'blueprint', look: {}, scaling: 'perSecond', tree: 't', box: 0, show: 'widest', of: null, from: 0 },
  { ask: 'blueprint', look: {}, scaling: 'absolute', tree: null, box: 0, show: 'method', of: KEY, from: 0 },
  { ask: 'hits', look: {}, search: 'shop' },
  { ask: 'export', look: {}, format: 'pprof' },
  { ask: 'open', look: {}, of: KEY },
  { ask: 'use', look: LOOK },
];

const TRACKS = { ask: 'tracks', look: {}, of: null, unfolded: [], rows: [0, 9], span: [0, 1], pixels: 9 };
const BLUEPRINT = { ask: 'blueprint', look: {}, scaling: 'share', tree: 't', box: 7, show: 'path', of: null, from: 0 };

test.each(QUESTIONS.map(question => [JSON.stringify(question), question] as const))('%s is taken', (_, question) => {
  expect(readQuestion(structuredClone(question))).toEqual(question);
});

function reasonOf(given: unknown): string {
  try {
    readQuestion(given);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return (error as Refusal).message;
  }
}

test.each<[object, string]>([
  [{ ask: 'drop' }, 'ask: "drop" is not allowed (allowed: "state" |'],
  [{ ask: 'state', revision: 7 }, 'revision: 7 is not allowed (allowed: a text)'],
  [{ ask: 'state', more: 1 }, 'more: there is no such parameter'],
  [
    { ask: 'open', look: {}, of: '../../etc/passwd' },
    'of: "../../etc/passwd" is not allowed (allowed: the key of a method)',
  ],
  [{ ask: 'open', look: {}, of: '/etc/pwd' }, 'of: "/etc/pwd" is not allowed (allowed: the key of a method)'],
  [{ ask: 'export', look: {}, format: 'html' }, 'format: "html" is not allowed (allowed: "speedscope" |'],
  [{ ask: 'hits', look: { programme: 'x' }, search: 'a' }, 'look.programme: there is no such parameter'],
  [{ ask: 'hits', look: { from: 5, to: 5 }, search: 'a' }, '"from" is not before "to"'],
  [{ ask: 'hits', look: { threads: ['a', 1] }, search: 'a' }, 'look.threads.1: 1 is not allowed (allowed: a text)'],
  [{ ask: 'hits', look: { focus: ['x'.repeat(10_001)] }, search: 'a' }, 'a length of 10000 or less'],
  [{ ask: 'hits', look: {}, search: 'x'.repeat(1_001) }, 'a length of 1000 or less'],
  [{ ask: 'hits', look: {}, search: '' }, 'search: "" is not allowed (allowed: a length of 1 or more)'],
  [{ ask: 'hits', look: {} }, 'search: this parameter is missing'],
  [{ ask: 'states', look: {}, of: [] }, 'of: [] is not allowed (allowed: a length of 1 or more)'],
  [{ ask: 'states', look: {}, of: Array(501).fill(KEY) }, 'a length of 500 or less'],
  [{ ...QUESTIONS[2], window: [0.5, 0.5] }, 'window: [0.5,0.5] is not allowed (allowed: two numbers, the first below'],
  [{ ...QUESTIONS[2], window: [0, Number.NaN] }, 'window.1: null is not allowed (allowed: a number)'],
  [{ ...QUESTIONS[2], rows: [0, 1.5] }, 'rows.1: 1.5 is not allowed (allowed: a whole number)'],
  [{ ...QUESTIONS[2], most: 20_001 }, 'most: 20001 is not allowed (allowed: 20000 or less)'],
  [{ ...QUESTIONS[2], order: { kept: 'p', x: 1 } }, 'is not allowed (allowed: "weight" | "name" | an object)'],
  [{ ...QUESTIONS[2], root: ['@../x'] }, 'root.0: "@../x" is not allowed (allowed: the key of a method, or'],
  [{ ...TRACKS, rows: [0, 501] }, 'rows: [0,501] is not allowed (allowed: 500 rows at most)'],
  [{ ...TRACKS, rows: [5, 5] }, 'rows: [5,5] is not allowed (allowed: two numbers, the first below the second)'],
  [{ ...TRACKS, span: [0.5, 0.4] }, 'span: [0.5,0.4] is not allowed (allowed: two numbers, the first below'],
  [{ ...TRACKS, pixels: 20_001 }, 'pixels: 20001 is not allowed (allowed: 20000 or less)'],
  [{ ...BLUEPRINT, box: -1 }, 'box: -1 is not allowed (allowed: 0 or more)'],
  [{ ...BLUEPRINT, tree: null }, 'tree: null is not allowed (allowed: the tree of the box)'],
  [{ ...BLUEPRINT, show: 'method' }, 'of: null is not allowed (allowed: the key of a method)'],
  [{ ...BLUEPRINT, scaling: 'none' }, 'scaling: "none" is not allowed (allowed: "share" |'],
])('%j is refused', (given, reason) => {
  expect(reasonOf(given)).toContain(reason);
});

test('an empty list restricts nothing', () => {
  const question = { ask: 'use', look: { metric: 'cpu', threads: [], focus: [] } };
  expect(readQuestion(question)).toEqual({ ask: 'use', look: { metric: 'cpu' } });
});

test('of a list that is wrong everywhere, the first flaws are told', () => {
  expect(reasonOf({ ask: 'states', look: {}, of: Array(500).fill('') }).length).toBeLessThan(1_000);
});

test('anything else is refused with a reason, and no field is taken unseen', () => {
  const junk = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(undefined, [], {}, '', -1, 1e300, '__proto__'));
  fc.assert(
    fc.property(fc.constantFrom(...QUESTIONS), fc.nat(), junk, (question, at, value) => {
      const keys = [...Object.keys(question), 'constructor', '__proto__', 'x'];
      const key = keys[at % keys.length]!;
      const given = JSON.parse(JSON.stringify({ ...question, [key]: value }));
      const reason = reasonOf(given);
      if (reason === '') expect(Object.keys(given).sort()).toEqual(Object.keys(readQuestion(given)).sort());
    }),
    { numRuns: runs(2_000) },
  );
  fc.assert(fc.property(fc.jsonValue(), given => void reasonOf(given)));
});
