// Rows of tracks: groups unfold, densities add up to weights, gaps stay empty, and stacks are painted as high as their amounts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tracks } from '../../../clients/web/src/frame-decoder.ts';
import { densitiesOf, kindsAt, paintTrack, trackRows } from '../../../clients/web/src/track-rows.ts';

const BEGIN = 1_700_000_000_000;

type Entry = readonly [window: number, kind: number, weight: number];

/** @param windows begin and end of each, in seconds */
function tracksOf(windows: readonly (readonly [number, number])[], threads: readonly (readonly Entry[])[]): Tracks {
  const all = threads.flat();
  const amount = (entries: readonly Entry[]) => {
    const weight = entries.reduce((sum, [, , own]) => sum + own, 0);
    return { weight, running: weight };
  };
  return {
    header: {
      ...{ metric: 'cpu', unit: 'samples', rows: all.length },
      windows: windows.map(([from, to]) => ({ from: BEGIN + from * 1000, to: BEGIN + to * 1000 })),
      kinds: ['a', 'b', 'c'].map(name => ({ name, library: false })),
      weight: amount(all).weight,
      groups: [
        {
          ...{ group: 'main', name: 'pool-#', ...amount(all) },
          threads: threads.map((own, at) => ({ name: `pool-${at}`, ...amount(own), rows: own.length })),
        },
      ],
    },
    columns: {
      window: Int32Array.from(all, ([window]) => window),
      kind: Int32Array.from(all, ([, kind]) => kind),
      weight: Float64Array.from(all, ([, , weight]) => weight),
    },
  };
}

const WINDOWS = [
  [0, 10],
  [10, 20],
  [50, 60],
] as const;
const EXTENT = { from: BEGIN, to: BEGIN + 60_000 };
const entries = fc.array(fc.tuple(fc.nat(2), fc.nat(2), fc.integer({ min: 1, max: 100 })), {
  minLength: 1,
  maxLength: 9,
});

test('a group unfolds to its threads, each with its own rows of the columns', () => {
  const tracks = tracksOf(WINDOWS, [
    [[0, 0, 5]],
    [
      [0, 1, 1],
      [2, 1, 2],
    ],
  ]);
  const folded = trackRows(tracks, new Set());
  expect(folded.map(({ name, level, threads, isOpen, rows }) => [name, level, threads, isOpen, rows])).toEqual([
    ['pool-#', 1, 2, false, [0, 3]],
  ]);
  const open = trackRows(tracks, new Set(folded.map(({ key }) => key)));
  expect(open.map(({ name, level, weight, rows }) => [name, level, weight, rows])).toEqual([
    ['pool-#', 1, 8, [0, 3]],
    ['pool-0', 2, 5, [0, 1]],
    ['pool-1', 2, 3, [1, 3]],
  ]);
});

test('densities add up to the weights, whatever the width, and a gap in time has none', () => {
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 300 }), (own, width) => {
      const tracks = tracksOf(WINDOWS, [own]);
      const { values } = densitiesOf(tracks, [0, own.length], EXTENT, width);
      for (const kind of [0, 1, 2]) {
        const weight = own.reduce((sum, [, of, each]) => (of === kind ? sum + each : sum), 0);
        let sum = 0;
        for (let at = kind; at < values.length; at += 3) sum += values[at]!;
        expect(sum).toBeCloseTo(weight, 6);
      }
      for (let pixel = Math.ceil(width / 3); pixel < Math.floor((width * 50) / 60); pixel++)
        expect(Math.max(...values.subarray(pixel * 3, pixel * 3 + 3))).toBeLessThan(1e-9);
    }),
  );
});

test('what is zoomed to has the densities of its time alone', () => {
  const tracks = tracksOf(WINDOWS, [
    [
      [0, 0, 10],
      [1, 0, 30],
    ],
  ]);
  const { values, most } = densitiesOf(tracks, [0, 2], { from: BEGIN + 5_000, to: BEGIN + 15_000 }, 2);
  expect([...values]).toEqual([5, 0, 0, 15, 0, 0]);
  expect(most).toBe(15);
});

test('stacks are as high as their amounts, the first kind of the order at the bottom', () => {
  const values = Float64Array.of(2, 1, 1, 0, 2, 0);
  const pixels = new Uint32Array(2 * 8);
  paintTrack(pixels, { width: 2, height: 8 }, { values, most: 4 }, [1, 0, 2], [10, 20, 30]);
  const column = (x: number) => Array.from({ length: 8 }, (_, y) => pixels[y * 2 + x]);
  expect(column(0)).toEqual([30, 30, 10, 10, 10, 10, 20, 20]);
  expect(column(1)).toEqual([0, 0, 0, 0, 20, 20, 20, 20]);
});

test('a moment tells what ran in its window, most first, and nothing in a gap', () => {
  const tracks = tracksOf(WINDOWS, [
    [
      [0, 0, 5],
      [0, 1, 7],
      [1, 2, 9],
    ],
  ]);
  expect(kindsAt(tracks, [0, 3], BEGIN + 1)).toEqual({
    window: { from: BEGIN, to: BEGIN + 10_000 },
    kinds: [
      [1, 7],
      [0, 5],
    ],
  });
  expect(kindsAt(tracks, [0, 3], BEGIN + 10_000).kinds).toEqual([[2, 9]]);
  expect(kindsAt(tracks, [0, 3], BEGIN + 30_000)).toEqual({ window: null, kinds: [] });
});
