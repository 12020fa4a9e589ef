// Folded chains: each band keeps the rule, everything of the root is told once, and what is drawn lies where it did.
import fc from 'fast-check';
import { BOX_FLAG } from 'insitu/views';
import { expect, test } from 'vitest';
import { type ChainWish, foldChains } from '../../../clients/web/src/chain-bands.ts';
import type { Chains, Frame } from '../../../clients/web/src/frame-decoder.ts';
import { runs } from '../../support/runs.ts';
import { frameOf, someStacks } from './random-frames.ts';
import { type FakeStack, fakeMethod } from './stacks-fake.ts';

const NOTHING: ReadonlySet<number> = new Set();
const ALL_ROWS: ChainWish = { rows: 1000, unfolded: NOTHING, joined: NOTHING, pointed: NOTHING };

/** Few methods in long stacks, so that chains are frequent; heavy ones beside light ones. */
const someChains: fc.Arbitrary<FakeStack[]> = fc
  .tuple(someStacks, fc.nat({ max: 20 }))
  .map(([stacks, factor]) =>
    stacks.map((stack, at) => (at === 0 ? { ...stack, count: stack.count * 50 * factor + 1 } : stack)),
  );

function chainsOf(frame: Frame): Chains {
  if (frame.chains === null) throw new Error('nothing is folded');
  return frame.chains;
}

test('a band is a chain that keeps the rule, and no chain that keeps it is left', () => {
  fc.assert(
    fc.property(someChains, stacks => {
      const { frame: calls } = frameOf(stacks);
      const { frame } = foldChains(calls, ALL_ROWS);
      const { members } = chainsOf(frame);
      const { weight, self, parent, row } = calls.boxes;
      const least = 0.005 * weight[0]!;
      const joins = (band: readonly number[], call: number): boolean =>
        row[band[0]!] !== 0 &&
        weight[call]! >= 0.98 * weight[band.at(-1)!]! &&
        weight[call]! >= 0.95 * weight[band[0]!]! &&
        band.every(before => self[before]! < least);
      for (const band of members) {
        band.forEach((call, at) => {
          if (at === 0) return;
          expect(parent[call]).toBe(band[at - 1]);
          expect(joins(band.slice(0, at), call)).toBe(true);
        });
        calls.boxes.parent.forEach((caller, call) => {
          if (caller === band.at(-1)) expect(joins(band, call)).toBe(false);
        });
      }
    }),
    { numRuns: runs(300) },
  );
});

test('drawn, left on the way, too narrow, deeper and outside are the root', () => {
  const limits = fc.constantFrom(1, 2, 3, 5, 1000);
  fc.assert(
    fc.property(someChains, limits, fc.constantFrom(0, 0.02), (stacks, rows, least) => {
      const { frame } = foldChains(frameOf(stacks, { least: [least] }).frame, { ...ALL_ROWS, rows });
      const { self, cut, below, outside } = frame.header.sums;
      expect(self + cut + below + outside + chainsOf(frame).left).toBeCloseTo(frame.boxes.weight[0]!, 6);
      expect(below > 0).toBe(frame.boxes.flags.some(flags => (flags & BOX_FLAG.deeper) !== 0));
      expect(Math.max(...frame.boxes.row)).toBeLessThan(rows);
    }),
    { numRuns: runs(300) },
  );
});

test('boxes lie where their first calls lay, within the box above, one row below it', () => {
  fc.assert(
    fc.property(someChains, stacks => {
      const { frame: calls } = frameOf(stacks);
      const { frame } = foldChains(calls, ALL_ROWS);
      const { boxes, rows } = frame;
      chainsOf(frame).members.forEach(([first], box) => {
        for (const name of ['id', 'start', 'end', 'weight', 'count', 'method'] as const)
          expect(boxes[name][box]).toBe(calls.boxes[name][first!]);
        const above = boxes.parent[box]!;
        if (above < 0) return;
        expect(boxes.row[box]).toBe(boxes.row[above]! + 1);
        expect(boxes.start[box]).toBeGreaterThanOrEqual(boxes.start[above]! - 1e-12);
        expect(boxes.end[box]).toBeLessThanOrEqual(boxes.end[above]! + 1e-12);
      });
      expect(rows.flatMap(row => [...row]).toSorted((a, b) => a - b)).toEqual([...boxes.id.keys()]);
      for (const row of rows)
        row.forEach((box, at) => {
          if (at > 0) expect(boxes.start[box]).toBeGreaterThanOrEqual(boxes.end[row[at - 1]!]! - 1e-12);
        });
    }),
    { numRuns: runs(300) },
  );
});

test('unfolded chains are drawn call by call; with all of them unfolded the frame is that of the calls', () => {
  fc.assert(
    fc.property(someChains, stacks => {
      const { frame: calls } = frameOf(stacks);
      const folded = foldChains(calls, ALL_ROWS);
      const unfolded = new Set(calls.boxes.id);
      const { frame, joined } = foldChains(calls, { ...ALL_ROWS, unfolded });
      expect(joined).toEqual(folded.joined);
      expect([...frame.boxes.id].toSorted()).toEqual([...calls.boxes.id].toSorted());
      const rowOf = new Map(Array.from(calls.boxes.id, (id, box) => [id, calls.boxes.row[box]]));
      for (const [box, id] of frame.boxes.id.entries()) expect(frame.boxes.row[box]).toBe(rowOf.get(id));
      expect(chainsOf(frame).left).toBe(0);
    }),
    { numRuns: runs(100) },
  );
});

const method = (name: string) => fakeMethod('com.acme.Shop', name, false);
const stack = (count: number, ...names: string[]): FakeStack => ({
  frames: names.map(method),
  count,
  thread: 'main',
  window: 0,
});
/** `c` has so much of the 1,000 samples of `b`. */
const chain = (of: number): Frame =>
  frameOf([stack(of, 'a', 'b', 'c', 'leaf'), stack(1000 - of, 'a', 'b', 'other'), stack(200, 'rest')]).frame;
const namesOf = ({ boxes, header }: Frame): string[] =>
  Array.from(boxes.method, each => header.methods[each]?.name ?? 'everything');

test('a call stays in its band until it has less than 95 % of the first one', () => {
  const before = foldChains(chain(990), ALL_ROWS);
  expect(namesOf(before.frame)).toEqual(['everything', 'a', 'rest']);
  const { joined } = before;
  expect(namesOf(foldChains(chain(960), { ...ALL_ROWS, joined }).frame)).toEqual(['everything', 'a', 'rest']);
  expect(namesOf(foldChains(chain(940), { ...ALL_ROWS, joined }).frame)).toEqual([
    'everything',
    'a',
    'rest',
    'c',
    'other',
  ]);
  // Without having joined before, 96 % are too little.
  expect(namesOf(foldChains(chain(960), ALL_ROWS).frame)).toEqual(['everything', 'a', 'rest', 'c', 'other']);
});

test('no call joins a band that is pointed at', () => {
  const loose = foldChains(chain(960), ALL_ROWS);
  const a = loose.frame.boxes.id[1]!;
  const pointed = foldChains(chain(990), { ...ALL_ROWS, joined: loose.joined, pointed: new Set([a]) });
  expect(namesOf(pointed.frame)).toEqual(['everything', 'a', 'rest', 'c', 'other']);
});

test('a hit that a band hides marks the band', () => {
  const stacks = [stack(990, 'a', 'b', 'd'), stack(10, 'a', 'c')];
  const { frame } = foldChains(frameOf(stacks, { search: 'c' }).frame, ALL_ROWS);
  expect(namesOf(frame)).toEqual(['everything', 'a']);
  expect(frame.boxes.flags[1]! & BOX_FLAG.hit).not.toBe(0);
});
