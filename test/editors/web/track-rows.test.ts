// Rows of tracks: groups unfold, densities add up to weights, gaps stay empty, and stacks are painted as high as their amounts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tracks } from '../../../clients/web/src/frame-decoder.ts';
import {
  cellsByKey,
  densitiesOf,
  HEIGHTS,
  kindsAt,
  paintTrack,
  rowsBetween,
  type TrackCells,
  trackRows,
} from '../../../clients/web/src/track-rows.ts';
import { wishFor } from '../../../clients/web/src/track-wishes.ts';

const BEGIN = 1_700_000_000_000;

type Entry = readonly [window: number, kind: number, weight: number];

/** A group and its threads. @param windows begin and end of each, in seconds */
function tracksOf(windows: readonly (readonly [number, number])[], threads: readonly (readonly Entry[])[]): Tracks {
  const all = [...threads.flat(), ...threads.flat()];
  const amount = (entries: readonly Entry[]) => {
    const weight = entries.reduce((sum, [, , own]) => sum + own, 0);
    return { group: 'main', weight, running: weight, cells: entries.length };
  };
  const { cells: _cells, group: _group, ...sums } = amount(threads.flat());
  return {
    header: {
      ...{ metric: 'cpu', unit: 'samples', cells: all.length, from: BEGIN, to: BEGIN + 60_000, isJoined: false },
      windows: windows.map(([from, to]) => ({ from: BEGIN + from * 1000, to: BEGIN + to * 1000 })),
      kinds: ['a', 'b', 'c'].map(name => ({ name, library: false })),
      ...sums,
      tracks: [
        { name: 'pool-#', level: 1, threads: threads.length, ...amount(threads.flat()) },
        ...threads.map((own, at) => ({ name: `pool-${at}`, level: 2 as const, threads: 0, ...amount(own) })),
      ],
    },
    columns: {
      window: Int32Array.from(all, ([window]) => window),
      kind: Int32Array.from(all, ([, kind]) => kind),
      weight: Float64Array.from(all, ([, , weight]) => weight),
    },
  };
}

/** Of the first row. */
function cellsOf(tracks: Tracks): TrackCells {
  const [row] = trackRows(tracks.header);
  return cellsByKey(tracks, [row!]).get(row!.key)!;
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

test('a group unfolds to its threads, each with its own cells', () => {
  const tracks = tracksOf(WINDOWS, [
    [[0, 0, 5]],
    [
      [0, 1, 1],
      [2, 1, 2],
    ],
  ]);
  const rows = trackRows(tracks.header);
  expect(
    rows.map(({ name, level, threads, isOpen, place, top }) => [name, level, threads, isOpen, place, top]),
  ).toEqual([
    ['pool-#', 1, 2, true, [1, 1], 0],
    ['pool-0', 2, 0, false, [1, 2], 28],
    ['pool-1', 2, 0, false, [2, 2], 42],
  ]);
  const cells = cellsByKey(tracks, rows);
  expect(rows.map(({ key }) => [...cells.get(key)!.weight])).toEqual([[5, 1, 2], [5], [1, 2]]);
  const folded = trackRows({ ...tracks.header, tracks: tracks.header.tracks.slice(0, 1) });
  expect(folded.map(({ key, isOpen }) => [key, isOpen])).toEqual([[rows[0]!.key, false]]);
});

test('the rows between two heights are the rows that have a pixel there', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 30 }), fc.integer(), fc.nat(300), (levels, begin, long) => {
      const { header } = tracksOf(WINDOWS, [[[0, 0, 1]]]);
      const tracks = levels.map(isGroup => ({ ...header.tracks[0]!, level: isGroup ? (1 as const) : (2 as const) }));
      const rows = trackRows({ ...header, tracks });
      const [top, bottom] = [begin % 700, (begin % 700) + long + 1];
      const shown = rows.filter(row => row.top < bottom && row.top + HEIGHTS[row.level] > top);
      expect(rows.slice(...rowsBetween(rows, top, bottom))).toEqual(shown);
    }),
  );
});

test('what is held is not asked for again, and zooming in asks where windows were joined alone', () => {
  const whole = { rows: [0, 60], span: [0, 1], pixels: 2048 } as const;
  const near = { rows: [0, 40], zoom: [0.5, 0.6], width: 1000 } as const;
  expect(wishFor(whole, near, false)).toBe(whole);
  expect(wishFor(whole, { ...near, zoom: [0.4, 0.9] }, true)).toBe(whole);
  const wide = { ...near, zoom: [0, 1], width: 4000 } as const;
  expect(wishFor(whole, wide, true)).toEqual({ ...whole, pixels: 4096 });
  expect(wishFor(whole, wide, false)).toBe(whole);
  const zoomed = wishFor(whole, near, true);
  expect(zoomed.rows).toEqual([0, 60]);
  expect(zoomed.span.map(each => each.toFixed(3))).toEqual(['0.400', '0.700']);
  expect(zoomed.pixels).toBe(4096);
  expect(wishFor(zoomed, near, true)).toBe(zoomed);
  expect(wishFor(zoomed, { ...near, zoom: [0, 1] }, true)).toEqual({ rows: [0, 60], span: [0, 1], pixels: 1024 });
  expect(wishFor(zoomed, { ...near, rows: [50, 70] }, true)).toEqual({ ...zoomed, rows: [30, 90] });
});

test('densities add up to the weights, whatever the width, and a gap in time has none', () => {
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 300 }), (own, width) => {
      const tracks = tracksOf(WINDOWS, [own]);
      const { values } = densitiesOf(cellsOf(tracks), EXTENT, width);
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
  const { values, most } = densitiesOf(cellsOf(tracks), { from: BEGIN + 5_000, to: BEGIN + 15_000 }, 2);
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
  expect(kindsAt(cellsOf(tracks), BEGIN + 1)).toEqual({
    window: { from: BEGIN, to: BEGIN + 10_000 },
    kinds: [
      [1, 7],
      [0, 5],
    ],
  });
  expect(kindsAt(cellsOf(tracks), BEGIN + 10_000).kinds).toEqual([[2, 9]]);
  expect(kindsAt(cellsOf(tracks), BEGIN + 30_000)).toEqual({ window: null, kinds: [] });
});
