// Checks the layout of pictures against a plain recursive one, and that no weight is lost on the way.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexTree } from '../../../server/cct/tree-index.ts';
import { analyse } from '../../../server/metrics/analysis.ts';
import { pathId } from '../../../server/metrics/method-keys.ts';
import { type LayoutWish, layOut } from '../../../server/metrics/parts/lay-out.ts';
import { type Part, Parts } from '../../../server/metrics/parts/parts.ts';
import { walkedTree } from '../../../server/metrics/parts/walked-tree.ts';
import { ALLOCATION, CPU, profileOfStacks } from '../../support/profiles/profiles.ts';
import { rawSamples } from '../../support/profiles/stack-oracle.ts';
import { runs } from '../../support/runs.ts';

const WISH: LayoutWish = {
  window: [0, 1],
  rows: [0, 99],
  least: [0],
  form: 'metric',
  order: siblings => siblings,
  most: 20_000,
};

const IDS = {
  rootId: [0, 0],
  idOf: (above: readonly [number, number], method: number) => pathId(above, [method, 1]),
} as const;

/** Positions of every part in shares of the whole width, by plain recursion. */
function placesOf(parts: Parts, { form }: LayoutWish): Map<Part, { start: number; end: number; depth: number }> {
  const places = new Map<Part, { start: number; end: number; depth: number }>();
  const place = (part: Part, start: number, end: number, depth: number) => {
    places.set(part, { start, end, depth });
    const callees = parts.below(part);
    let at = start;
    for (const callee of callees) {
      const share = form === 'equal' ? 1 / callees.length : callee.total.weight / part.total.weight;
      const width = (end - start) * share;
      place(callee, at, at + width, depth + 1);
      at += width;
    }
  };
  place(parts.top, 0, 1, 0);
  return places;
}

const wishes = fc.record({
  window: fc.tuple(fc.double({ min: 0, max: 0.9, noNaN: true }), fc.double({ min: 0.001, max: 1, noNaN: true })),
  rows: fc.tuple(fc.nat(4), fc.integer({ min: 1, max: 6 })),
  least: fc.array(fc.double({ min: 0, max: 0.6, noNaN: true }), { minLength: 1, maxLength: 3 }),
  form: fc.constantFrom('metric' as const, 'equal' as const),
});

test('boxes stand where plain recursion puts them, narrow ones are cut, and the sums are the root', () => {
  fc.assert(
    fc.property(
      rawSamples({ metrics: 2 }),
      wishes,
      (samples, { window: [from, size], rows: [first, more], least, form }) => {
        fc.pre(samples.some(({ metric }) => metric === 1));
        const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
        const analysis = analyse(profile, indexTree(profile), { metric: 1 });
        const parts = new Parts(walkedTree(analysis), { direction: 'callees', methods: null, library: null });
        const to = Math.min(1, from + size);
        const wish: LayoutWish = { ...WISH, window: [from, to], rows: [first, first + more], least, form };
        const { boxes, cuts, sums } = layOut(parts.top, { ...IDS, below: part => parts.below(part) }, wish);
        const places = placesOf(parts, wish);
        const leastAt = (row: number) => least[Math.min(least.length - 1, Math.max(0, row - first))]! * (to - from);
        const cut = new Set(cuts.flatMap(each => each.parts));
        // Whether a box is drawn is not checked within a rounding error of where that changes.
        const isNear = (x: number, y: number) => Math.abs(x - y) < 1e-9;
        const isDrawn = (part: Part): boolean | 'either' => {
          const { start, end, depth } = places.get(part)!;
          if (part.above !== null) {
            const above = isDrawn(part.above);
            if (above !== true) return above;
            if (isNear(end - start, leastAt(depth)) || isNear(end, from) || isNear(start, to)) return 'either';
            if (end - start < leastAt(depth) || end <= from || start >= to) return false;
          }
          return true;
        };
        const drawn = new Map(boxes.map(box => [box.part, box]));
        for (const [part, { start, end, depth }] of places) {
          const box = drawn.get(part);
          const should = isDrawn(part);
          const isAsked = depth >= first && depth < first + more;
          if (should !== 'either') expect(box !== undefined, 'drawn').toBe(should && isAsked);
          if (box === undefined) continue;
          expect(box.row).toBe(depth);
          expect(box.start).toBeCloseTo((start - from) / (to - from), 6);
          expect(box.end).toBeCloseTo((end - from) / (to - from), 6);
          expect(box.above < 0 ? null : boxes[box.above]!.part).toBe(depth === first ? null : part.above);
          expect(cut.has(part)).toBe(false);
        }
        const { self, cut: narrow, below, outside } = sums;
        expect(self + narrow + below + outside).toBeCloseTo(parts.top.total.weight, 6);
        const own = boxes.reduce((sum, { part }) => sum + part.own!.weight, 0);
        expect(self).toBeCloseTo(own, 6);
        const cutWeight = cuts.reduce((sum, { amount }) => sum + amount.weight, 0);
        expect(narrow).toBeCloseTo(cutWeight, 6);
      },
    ),
    { numRuns: runs(400) },
  );
});

test('too many boxes: the narrowest go, until the others fit', () => {
  const samples = Array.from({ length: 100 }, (_, i) => ({
    frames: [{ method: `A.m${i}`, line: 1 }],
    weight: 100 + i,
    metric: 0,
  }));
  const profile = profileOfStacks(samples, { metrics: [ALLOCATION] });
  const analysis = analyse(profile, indexTree(profile), { metric: 0 });
  const parts = new Parts(walkedTree(analysis), { direction: 'callees', methods: null, library: null });
  const { boxes, cuts, coarser } = layOut(
    parts.top,
    { ...IDS, below: part => parts.below(part) },
    { ...WISH, least: [0.001], most: 50 },
  );
  expect(boxes.length).toBeLessThanOrEqual(50);
  expect(coarser).toBeGreaterThan(1);
  expect(cuts).toHaveLength(1);
  expect(cuts[0]!.parts.length + boxes.length).toBe(101);
});
