// Layouts of random blueprints: nothing overlaps, callers stand in the middle above callees, and folded runs hide nothing that changed.
import fc from 'fast-check';
import type { BlueprintBox } from 'insitu/views';
import { expect, test } from 'vitest';
import {
  EDGE_GAP,
  isCalm,
  LABEL_HEIGHT,
  layOutBlueprint,
  PLAIN_WIDTH,
  TALLEST,
} from '../../../clients/web/src/blueprint-layout.ts';
import { kindOf, testText } from '../../../clients/web/src/blueprint-words.ts';
import { runs } from '../../support/runs.ts';
import { fakeMethod } from './stacks-fake.ts';

type Grown = { readonly above: number; readonly change: number; readonly own: number };

/** Row n + 1 stands below one of the rows before it. */
const someTrees = fc.array(
  fc.record({
    above: fc.nat({ max: 6 }),
    change: fc.constantFrom(0, 0.1, -0.4, 0.02),
    own: fc.constantFrom(0, 0, 0, 0.3),
  }),
  { maxLength: 40 },
);

function treeOf(grown: readonly Grown[]) {
  const boxes = new Map<number, BlueprintBox>();
  const open = new Map<number, number[]>();
  for (const [row, { above, change, own }] of [{ above: 0, change: 0, own: 0 }, ...grown].entries()) {
    const parent = row === 0 ? -1 : Math.max(0, row - 1 - above);
    if (row > 0) open.set(parent, [...(open.get(parent) ?? []), row]);
    boxes.set(row, {
      ...{ row, parent, method: fakeMethod('com.acme.Shop', `method${row}`), state: 'kept', below: 0 },
      ...{ total: [100, 100], self: [0, 100 * own], scaled: [1, 1], height: change, executions: null },
      ...{ verdict: 'notTested', p: null },
    });
  }
  return { boxes, open, answer: { counted: false } };
}

const widthOfText = (text: string): number => 7 * text.length;
const NOTHING = { unfolded: new Set<number>(), selected: -1 };

test('slots of a row lie beside each other, below those of the row above', () => {
  fc.assert(
    fc.property(someTrees, grown => {
      const { placed, width, height } = layOutBlueprint(treeOf(grown), widthOfText, NOTHING);
      for (const row of Map.groupBy(placed, ({ depth }) => depth).values())
        row.forEach(({ slot, x, width: wide }, at) => {
          expect(x + wide / 2).toBeCloseTo(slot.x + slot.width / 2, 6);
          const before = row[at - 1]?.slot;
          if (before !== undefined) expect(slot.x).toBeGreaterThanOrEqual(before.x + before.width + 14 - 1e-6);
        });
      for (const { slot, y } of placed) {
        expect(slot.x).toBeGreaterThanOrEqual(0);
        expect(slot.x + slot.width).toBeLessThanOrEqual(width + 1e-6);
        expect(y + slot.height).toBeLessThanOrEqual(height + 1e-6);
      }
      const byRow = new Map(placed.map(each => [each.box.row, each]));
      for (const { above, y, run } of placed) {
        const caller = byRow.get(above);
        if (caller === undefined) continue;
        const room = run.length > 0 ? LABEL_HEIGHT : 0;
        expect(y - room).toBeGreaterThanOrEqual(caller.y + caller.slot.height + EDGE_GAP - 1e-6);
      }
    }),
    { numRuns: runs(200) },
  );
});

test('a caller stands in the middle above its callees, as far as its name has room', () => {
  fc.assert(
    fc.property(someTrees, grown => {
      const { placed } = layOutBlueprint(treeOf(grown), () => 0, NOTHING);
      const below = Map.groupBy(placed, ({ above }) => above);
      const middle = ({ x, width }: { readonly x: number; readonly width: number }): number => x + width / 2;
      for (const caller of placed) {
        const callees = below.get(caller.box.row) ?? [];
        if (callees.length === 0) continue;
        expect(middle(caller)).toBeCloseTo((middle(callees[0]!) + middle(callees.at(-1)!)) / 2, 6);
      }
    }),
    { numRuns: runs(200) },
  );
});

test('each box is drawn or in a run, runs are of unchanged boxes with one callee, and unfolding draws them', () => {
  fc.assert(
    fc.property(someTrees, grown => {
      const tree = treeOf(grown);
      const { placed, heightScale } = layOutBlueprint(tree, widthOfText, NOTHING);
      const rows = placed.flatMap(({ box, run }) => [...run, box.row]);
      expect(rows.toSorted((a, b) => a - b)).toEqual([...tree.boxes.keys()]);
      for (const { run, height, width, box } of placed) {
        expect(run.length).not.toBe(1);
        for (const row of run) {
          expect(isCalm(tree.boxes.get(row)!)).toBe(true);
          expect(tree.open.get(row)).toHaveLength(1);
        }
        expect(height).toBeCloseTo(Math.max(2, heightScale * Math.abs(box.height)), 6);
        expect(height).toBeLessThanOrEqual(TALLEST + 1e-9);
        expect(width).toBe(PLAIN_WIDTH);
      }
      const unfolded = layOutBlueprint(tree, widthOfText, { ...NOTHING, unfolded: new Set(rows) });
      expect(unfolded.placed).toHaveLength(tree.boxes.size);
    }),
    { numRuns: runs(200) },
  );
});

test('a box that passes its change on is in a run whatever a test says of it, one with a tenth of its H of its own is not', () => {
  const chain = Array.from({ length: 5 }, (_, at) => ({ above: 0, change: 0.1, own: at === 2 ? 0.011 : 0.009 }));
  const { boxes, ...tree } = treeOf(chain);
  const tested = [...boxes].map(([row, box]) => [row, { ...box, verdict: 'slower', p: 0 }] as const);
  const { placed } = layOutBlueprint({ ...tree, boxes: new Map(tested) }, widthOfText, NOTHING);
  expect(placed.map(({ box, run }) => [box.row, run])).toEqual([
    [0, []],
    [3, [1, 2]],
    [4, []],
    [5, []],
  ]);
});

test('a context that a test calls the same is as before, and p has one sign', () => {
  const box = treeOf([{ above: 0, change: 0.01, own: 0 }]).boxes.get(1)!;
  expect(kindOf({ ...box, verdict: 'same', p: 0.956 })).toBe('same');
  expect(kindOf({ ...box, verdict: 'cannotTell', p: 0.2 })).toBe('slower');
  expect(testText({ ...box, verdict: 'same', p: 0.956 })).toBe('the same, p = 0.956');
  expect(testText({ ...box, verdict: 'slower', p: 0.0002 })).toBe('▲ slower, p < 0.001');
});

test('the selected box is never in a run', () => {
  const chain = Array.from({ length: 9 }, () => ({ above: 0, change: 0.1, own: 0 }));
  const folded = layOutBlueprint(treeOf(chain), widthOfText, NOTHING).placed;
  expect(folded.map(({ box, run }) => [box.row, run.length])).toEqual([
    [0, 0],
    [9, 8],
  ]);
  const selected = layOutBlueprint(treeOf(chain), widthOfText, { ...NOTHING, selected: 4 }).placed;
  expect(selected.map(({ box, run }) => [box.row, run.length])).toEqual([
    [0, 0],
    [4, 3],
    [9, 4],
  ]);
});
