// Checks that threads, times and a focus select what they say, against samples filtered one by one.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withMetric } from '../../server/analysis/select-data.ts';
import { type Selection, selectRows } from '../../server/analysis/selection.ts';
import { groupsOfSingle, threadsLike } from '../../server/analysis/threads-like.ts';
import type { Span } from '../../server/analysis/wish.ts';
import { indexTree } from '../../server/cct/tree-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { methodAmount } from '../../server/metrics/queries.ts';
import { describeLook } from '../../server/model/look.ts';
import { loadedFromText } from '../support/profiles/loaded.ts';
import {
  methodRows,
  profileOfStacks,
  profileOfText,
  type RawFrame,
  type RawSample,
} from '../support/profiles/profiles.ts';
import { amountOf, rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';

const START = 1_700_000_000_000;

/** A focus as text, and where in a stack it begins, by hand; −1 for nowhere. */
type Spec = readonly [text: string, beginsAt: (frames: readonly RawFrame[]) => number];

function nameOf({ method }: RawFrame): string {
  return method.replace(/\(.*/, '');
}

function endOfPath(frames: readonly RawFrame[], path: readonly string[], onlyFromRoot: boolean): number {
  for (let i = 0; i + path.length <= frames.length && (i === 0 || !onlyFromRoot); i++)
    if (path.every((name, j) => nameOf(frames[i + j]!) === name)) return i + path.length - 1;
  return -1;
}

const SPECS: readonly Spec[] = [
  ['A.run', frames => frames.findIndex(frame => nameOf(frame) === 'A.run')],
  ['B#go', frames => frames.findIndex(frame => nameOf(frame) === 'B.go')],
  ['prefix:A', frames => frames.findIndex(frame => frame.method.startsWith('A.'))],
  ['regex:^(A|B).go', frames => frames.findIndex(frame => /^[AB].go$/.test(nameOf(frame)))],
  ['A.go;B.run', frames => endOfPath(frames, ['A.go', 'B.run'], false)],
  ['/A.run;A.go', frames => endOfPath(frames, ['A.run', 'A.go'], true)],
  ['saved', frames => frames.findIndex(frame => frame.method === 'C.hop')],
  ['runs of B', frames => frames.findIndex(frame => frame.method === 'B.run')],
];
const TASKS = [
  { name: 'saved', type: 'method', value: 'C.hop' },
  { name: 'runs', type: 'regex', value: String.raw`^(?<type>\w)\.run`, taskName: `runs of \${type}` },
] as const;

test('amounts under any selection equal those of samples filtered and cut one by one', () => {
  const specs = fc.subarray([...SPECS], { maxLength: 3 });
  const threads = fc.subarray(['main', 'pool-#', 'gc']);
  const span = fc.tuple(fc.integer({ min: -5, max: 35 }), fc.integer({ min: 1, max: 30 }));
  fc.assert(
    fc.property(rawSamples(), specs, threads, fc.option(span), (samples, chosen, names, seconds) => {
      const profile = profileOfStacks(samples);
      const [from, to] = seconds === null ? [-Infinity, Infinity] : [seconds[0], seconds[0] + seconds[1]];
      const wanted: Selection = {
        tasks: TASKS,
        ...(chosen.length > 0 && { focus: chosen.map(([text]) => text) }),
        ...(names.length > 0 && { threads: names }),
        ...(seconds !== null && { from: START + from * 1000, to: START + to * 1000 }),
      };
      const { value: selection } = selectRows(profile, indexTree(profile), 0, wanted);
      const cut = samples.filter(sample => {
        const window = sample.window ?? 0;
        const onThread = names.length === 0 || names.includes(['main', 'pool-#', 'gc'][sample.thread ?? 0]!);
        return onThread && window * 10 < to && (window + 1) * 10 > from;
      });
      const below = cut.flatMap((sample): RawSample[] => {
        if (chosen.length === 0) return [sample];
        const starts = chosen.map(([, beginsAt]) => beginsAt(sample.frames)).filter(at => at >= 0);
        return starts.length === 0 ? [] : [{ ...sample, frames: sample.frames.slice(Math.min(...starts)) }];
      });
      if (selection === null) {
        expect(below).toEqual([]);
        return;
      }
      const analysis = analyse(profile, indexTree(profile), selection);
      expect(analysis.whole).toEqual(amountOf(below, () => true));
      for (const [method, row] of methodRows(profile)) {
        if (row < 2) continue;
        const expected = amountOf(below, frames => frames.some(frame => frame.method === method));
        expect(methodAmount(analysis, [row])).toEqual(expected);
      }
    }),
    { numRuns: runs(400) },
  );
});

describe('what cannot be selected', () => {
  const profile = profileOfText('com.acme.Shop.search | 1@1\ncom.acme.Shop.run | 1@1');
  const problems = (wanted: Selection) =>
    selectRows(profile, indexTree(profile), 0, wanted).problems.map(({ message, remedy }) => `${message} (${remedy})`);

  test('threads that are not there, with the ones that are', () => {
    expect(problems({ threads: ['http-*', 'x'] })).toEqual([
      'no thread fits "http-*" or "x" (threads: gc, main, pool-#)',
    ]);
  });

  test('a time without data, with that of the data', () => {
    expect(problems({ from: START + 60_000 })).toEqual([
      'nothing was recorded from 2023-11-14 22:14:20 +00:00 (recorded: 2023-11-14 22:13:20 +00:00 to 2023-11-14 22:13:50 +00:00)',
    ]);
  });

  test('a focus that fits nothing, with what may have been meant; one that fits is taken', () => {
    expect(problems({ focus: ['com.acme.Shop.serch'] })).toEqual([
      'no method that ran fits the focus "com.acme.Shop.serch" (did you mean com.acme.Shop.search?)',
    ]);
    expect(problems({ focus: ['/com.acme.Shop.search;com.acme.Shop.ran', 'com.acme.Shop.run'] })).toEqual([
      'no method that ran fits "com.acme.Shop.ran" of the focus "/com.acme.Shop.search;com.acme.Shop.ran" (did you mean com.acme.Shop.run?)',
    ]);
    const { value } = selectRows(profile, indexTree(profile), 0, { focus: ['nothing', 'com.acme.Shop.run'] });
    expect(value?.focus).toHaveLength(1);
    expect(problems({ focus: ['regex:('] })[0]).toMatch(/^the expression is not valid/);
  });
});

test('threads by name or group', () => {
  const threads = profileOfText('A.a | 1@1', { threads: ['http-nio-#-exec-#', 'main', 'a+b', ''] }).threads;
  const like = (...patterns: string[]) => [...threadsLike(threads, patterns)].join('');
  expect(like('http-*')).toBe('1000');
  expect(like('http-nio-#-exec-#')).toBe('1000');
  expect(like('http-nio-8080-exec-12')).toBe('0000');
  expect(like('*')).toBe('1111');
  expect(like('main/*')).toBe('1111');
  expect(like('main/main', 'unnamed')).toBe('0101');
  expect(like('a+b')).toBe('0010');
  expect(like('ain')).toBe('0000');
});

test('unnamed virtual threads are meant by the name that lists give them', () => {
  const { threads: table } = profileOfText('A.a | 1@1', { threads: ['', '', 'main'] });
  const threads = { ...table, virtual: Uint8Array.of(0, 1, 0) };
  expect([...threadsLike(threads, ['unnamed virtual threads'])]).toEqual([0, 1, 0]);
  expect([...threadsLike(threads, ['unnamed'])]).toEqual([1, 1, 0]);
});

test('the number of a thread is never widened to its group', () => {
  const table = profileOfText('A.a | 1@1', { threads: ['reader-#', 'one-#', 'many-#', 'main'] }).threads;
  const threads = { ...table, rawNames: [['reader-1', 'reader-2'], ['one-7'], [], ['main']] };
  const told = (...patterns: string[]) => [
    [...threadsLike(threads, patterns)].join(''),
    ...groupsOfSingle(threads, patterns),
  ];
  expect(told('reader-1')).toEqual(['0000', 'reader-#']);
  expect(told('reader-#')).toEqual(['1000']);
  expect(told('reader-*')).toEqual(['1000']);
  expect(told('reader-1', 'reader-2')).toEqual(['1000']);
  expect(told('reader-3')).toEqual(['0000']);
  expect(told('one-7', 'main')).toEqual(['0101']);
  expect(told('many-1', 'main')).toEqual(['0001', 'many-#']);
  const profile = { ...profileOfText('A.a | 1@1'), threads };
  const { value, problems } = selectRows(profile, indexTree(profile), 0, { threads: ['reader-1', 'main'] });
  expect([value, problems]).toEqual([
    null,
    [
      {
        severity: 'error',
        message: 'single threads are not kept: "reader-1" or "main" is part of reader-#',
        remedy: 'take the whole group: reader-#, or a time in which single threads are kept',
        isUndecided: true,
      },
    ],
  ]);
});

test('a thread that keeps its name is taken alone, its group by # or *', () => {
  const threads = profileOfText('A.a | 1@1', { threads: ['reader-1', 'reader-2', 'reader-12', 'main'] }).threads;
  const like = (...patterns: string[]) => [...threadsLike(threads, patterns)].join('');
  expect(like('reader-1')).toBe('1000');
  expect(like('reader-1', 'reader-12')).toBe('1010');
  expect(like('reader-1*')).toBe('1010');
  expect(like('reader-#')).toBe('1110');
  expect(like('reader-*')).toBe('1110');
  expect(like('main/reader-2')).toBe('0100');
  expect(like('main/reader-#')).toBe('1110');
  expect(like('reader-3')).toBe('0000');
  expect(groupsOfSingle(threads, ['reader-3', 'reader-1'])).toEqual([]);
});

test('a thread whose name is kept in a part of the data is taken in that part alone', () => {
  const table = profileOfText('A.a | 1@1', { threads: ['reader-1', 'reader-#', 'main'] }).threads;
  const profile = {
    ...profileOfText('A.a | 1@1/0#0 2@1/1#1 4@1/2#1', { windows: 2 }),
    threads: { ...table, rawNames: [[], ['reader-1', 'reader-2'], []] },
  };
  const of = (span?: Span) => selectRows(profile, indexTree(profile), 0, { threads: ['reader-1'], ...span });
  expect(of().problems).toMatchObject([{ message: 'single threads are not kept: "reader-1" is part of reader-#' }]);
  const [first, second] = profile.windows;
  expect(of({ to: first!.endMillis }).value?.threads).toEqual(Uint8Array.of(1, 0, 0));
  expect(of({ from: second!.startMillis }).problems).toMatchObject([{ isUndecided: true }]);
});

test('a selection in words', () => {
  expect(describeLook({})).toBe('');
  const wanted = {
    focus: ['A.a', 'B.b'],
    threads: ['t*'],
    instances: ['i'],
    from: START,
    tasks: TASKS,
  };
  expect(describeLook(wanted)).toBe('focus A.a or B.b · threads t* · instance i · from 2023-11-14 22:13:20 +00:00');
});

test('a look without a metric is the one of the metric that is shown unasked', () => {
  const loaded = loadedFromText('A.run | 3@1');
  const { folded } = loaded.dataset;
  const named = withMetric(folded, { threads: ['main'] });
  expect(named).toEqual({ threads: ['main'], metric: loaded.metric.id });
  expect(withMetric(folded, { metric: 'alloc' })).toEqual({ metric: 'alloc' });
});
