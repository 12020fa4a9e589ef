// Figures of two commits are matched, and their ratios tell better from worse and from what is not clear.
import { expect, test } from 'vitest';
import { againstTable } from '../report/against-table.ts';
import type { MeasuredRow } from '../report/bench-table.ts';
import type { BenchFigure } from '../row.ts';
import { compareRuns, type Pair } from './compare-commits.ts';

const rowOf = (...figures: BenchFigure[]): MeasuredRow => ({ area: 'lsp', name: 'answers', seconds: 1, figures });

/** Pairs of one figure each. */
function pairsOf(unit: string, values: readonly (readonly [ours: number, theirs: number])[]): Pair[] {
  return values.map(([ours, theirs]) => ({
    ours: [rowOf({ unit, value: ours })],
    theirs: [rowOf({ unit, value: theirs })],
  }));
}

test('the ratio is that of pairs, not of medians', () => {
  // The machine becomes ten times slower meanwhile: ours is always a tenth better.
  const values = [10, 100, 20, 90, 30, 60, 50].map(millis => [millis, millis * 1.1] as const);
  const [figure] = compareRuns(pairsOf('ms', values)).figures;
  expect(figure).toMatchObject({ ours: 50, pairs: 7, verdict: 'better' });
  for (const each of Object.values(figure!.ratio)) expect(each).toBeCloseTo(1.1);
});

test.each<[string, string, readonly (readonly [number, number])[], string, [number, number, number]]>([
  ['of durations less is better', 'ms', Array.from({ length: 6 }, () => [5, 10] as const), 'better', [2, 2, 2]],
  ['of rates more is better', 'MB/s', Array.from({ length: 6 }, () => [5, 10] as const), 'worse', [0.5, 0.5, 0.5]],
  ['five pairs say nothing for certain', 'ms', Array.from({ length: 5 }, () => [5, 10] as const), 'open', [2, 2, 2]],
  [
    'one pair on the other side leaves it open',
    'ms',
    [...Array.from({ length: 6 }, () => [5, 10] as const), [10, 9]],
    'open',
    [2, 0.9, 2],
  ],
])('%s', (_, unit, values, verdict, [median, least, most]) => {
  const { figures, left } = compareRuns(pairsOf(unit, values));
  expect(left).toEqual([]);
  expect(figures).toMatchObject([{ verdict, ratio: { median, least, most } }]);
});

test('labels that hold measured numbers are the same figure, and figures that differ in numbers are told apart', () => {
  const run = (median: string, small: number, large: number) => [
    rowOf(
      { label: `20 k nodes (median ${median} ms)`, unit: 'ms', value: small },
      { label: `200 k nodes (median ${median} ms)`, unit: 'ms', value: large },
    ),
  ];
  const { figures } = compareRuns([{ ours: run('1.5', 1, 10), theirs: run('22', 2, 30) }]);
  expect(figures.map(({ name, ratio }) => [name, ratio.median])).toEqual([
    ['answers: 20 k nodes', 2],
    ['answers: 200 k nodes', 3],
  ]);
});

test('a figure that stands beside several peers is one', () => {
  const beside = (name: string, value: number) => ({ label: 'cold', unit: 'ms', value, peer: { name, value: 1 } });
  const run = (value: number) => [rowOf(beside('JDK', value), beside('tree-sitter', value))];
  expect(compareRuns([{ ours: run(1), theirs: run(2) }]).figures).toHaveLength(1);
});

test('a figure that only some runs have is compared where both have it', () => {
  const failed: MeasuredRow = {
    area: 'lsp',
    name: 'answers',
    seconds: 1,
    figures: [],
    trouble: 'no server\nat line 3',
  };
  const good = [rowOf({ unit: 'ms', value: 4 })];
  const { figures, left } = compareRuns([
    { ours: good, theirs: [failed] },
    { ours: good, theirs: good },
  ]);
  expect(figures).toMatchObject([{ pairs: 1, ratio: { median: 1 } }]);
  expect(left).toEqual(['lsp, answers: failed there: no server']);
});

test('what cannot be compared is named', () => {
  const figure = (label: string, value = 1): BenchFigure => ({ label, unit: 'ms', value });
  const { figures, left } = compareRuns([
    { ours: [rowOf(figure('new'), figure('none', 0))], theirs: [rowOf(figure('old'), figure('none', 0))] },
  ]);
  expect(figures).toEqual([]);
  expect(left).toEqual([
    'lsp, answers: new: measured here only',
    'lsp, answers: none: no pair of numbers above 0',
    'lsp, answers: old: measured there only',
  ]);
});

test('the table has a line a figure, and one for each that could not be compared', () => {
  const { figures } = compareRuns(
    pairsOf(
      'ms',
      Array.from({ length: 6 }, () => [5, 10] as const),
    ),
  );
  const printed = againstTable({ figures, left: ['lsp, other: measured here only'], commit: '0123456789abcdef' });
  const cells = printed.split('\n').map(line => line.split('│').map(cell => cell.trim()));
  expect(cells).toContainEqual([
    '',
    'lsp',
    'answers',
    '5.00 ms',
    '10.0 ms',
    '2.000 ×',
    '2.00 to 2.00 of 6',
    'better',
    '',
  ]);
  expect(printed).toContain(' 0123456789ab ');
  expect(printed).toMatch(/\nnot compared: lsp, other: measured here only$/);
});
