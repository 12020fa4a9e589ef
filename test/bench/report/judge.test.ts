// On a machine that takes twice as long, limits in times and rates hold at half the figures, and nothing else changes.
import { expect, test } from 'vitest';
import type { BenchFigure } from '../row.ts';
import { judge, ratio } from './judge.ts';

test.each<[string, BenchFigure, number, object]>([
  ['a duration', { value: 90, unit: 'ms', limit: { most: 50 } }, 2, { atReference: 45, wanted: '≤ 50 ms', ok: true }],
  ['the same on a fast machine', { value: 45, unit: 'ms', limit: { most: 50 } }, 0.5, { atReference: 90, ok: false }],
  ['a duration that misses', { value: 101, unit: 'ms', limit: { most: 50 } }, 2, { atReference: 50.5, ok: false }],
  [
    'a rate',
    { value: 4, unit: 'M nodes/s', limit: { least: 6 } },
    2,
    { atReference: 8, wanted: '≥ 6 M nodes/s', ok: true },
  ],
  ['a size', { value: 300, unit: 'MB', limit: { most: 259.3 } }, 2, { wanted: '≤ 259 MB', ok: false }],
  ['a count', { value: 1, unit: 'windows', limit: { most: 0 } }, 2, { wanted: '≤ 0 windows', ok: false }],
  ['a number', { value: 1.05, unit: '', limit: { most: 1.1 } }, 2, { wanted: '≤ 1.1', ok: true }],
  ['a share of a core', { value: 30, unit: '%', limit: { most: 25 }, isWork: true }, 2, { atReference: 15, ok: true }],
  ['a wait', { value: 6000, unit: 'ms', limit: { most: 5000 }, isWork: false }, 2, { wanted: '≤ 5,000 ms', ok: false }],
  ['a judgement', { value: 1, unit: '%', limit: { words: '≤ 1 %: open', isMet: null } }, 2, { wanted: '≤ 1 %: open' }],
  ['without a limit', { value: 10, unit: 's' }, 2, { atReference: 5 }],
])('%s', (_, figure, factor, wanted) => {
  const judged = judge(figure, factor);
  expect(judged).toMatchObject(wanted);
  expect('atReference' in judged).toBe('atReference' in wanted);
  expect('ok' in judged).toBe('ok' in wanted);
});

test('beside a peer the ratio alone counts, on any machine', () => {
  const peer = { name: 'JDK', value: 20 };
  for (const factor of [0.2, 1, 5]) {
    expect(judge({ value: 50, unit: 'MB/s', peer, limit: { timesPeer: 2 } }, factor)).toEqual({
      wanted: '≥ 2 ×',
      ok: true,
    });
    expect(judge({ value: 39, unit: 'MB/s', peer, limit: { timesPeer: 2 } }, factor).ok).toBe(false);
    expect(judge({ value: 9, unit: 'MB', peer, limit: { timesPeer: 2 } }, factor).ok).toBe(true);
    expect(judge({ value: 9, unit: 'MB', peer }, factor)).toEqual({});
  }
});

test('the ratio says how many times better, for rates and for durations', () => {
  expect(ratio({ value: 300, unit: 'MB/s' }, 100)).toBe(3);
  expect(ratio({ value: 20, unit: 'ms' }, 50)).toBe(2.5);
});
