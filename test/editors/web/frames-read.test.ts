// The page reads frames, finds boxes in them and walks through them as a plain look at all boxes does.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { childrenOf, pathOf, siblingsOf, walk } from '../../../clients/web/src/box-walker.ts';
import { decodeFrame } from '../../../clients/web/src/frame-decoder.ts';
import { boxAt, cutAt, rangeIn } from '../../../clients/web/src/hit-test.ts';
import { runs } from '../../support/runs.ts';
import { copyOf, frameOf, someStacks } from './random-frames.ts';

const someFrames = fc
  .record({
    stacks: someStacks,
    least: fc.constantFrom(0, 0.01, 0.2),
    baseline: fc.boolean(),
    window: fc.constantFrom([0, 1] as const, [0.25, 0.5] as const),
    rows: fc.constantFrom([0, 100] as const, [2, 5] as const),
  })
  .map(({ stacks, least, ...change }) => frameOf(stacks, { ...change, least: [least] }));

test('every column arrives as it was written', () => {
  fc.assert(
    fc.property(someFrames, ({ frame: { boxes, cuts, header, baseline }, laid }) => {
      expect([...boxes.start]).toEqual(laid.boxes.map(({ start }) => start));
      expect([...boxes.end]).toEqual(laid.boxes.map(({ end }) => end));
      expect([...boxes.weight]).toEqual(laid.boxes.map(({ node }) => node.weight));
      expect([...boxes.self]).toEqual(laid.boxes.map(({ node }) => node.self));
      expect([...boxes.parent]).toEqual(laid.boxes.map(({ parent }) => parent));
      expect([...boxes.row]).toEqual(laid.boxes.map(({ row }) => row));
      expect(Array.from(boxes.method, at => header.methods[at]?.key)).toEqual(
        laid.boxes.map(({ node }) => node.method?.key),
      );
      expect(new Set(boxes.id).size).toBe(boxes.id.length);
      expect([...cuts.parts]).toEqual(laid.cuts.map(({ parts }) => parts));
      expect([...cuts.hits]).toEqual(laid.cuts.map(({ hits }) => hits));
      expect(baseline === null ? null : [...baseline.share]).toEqual(
        header.baseline ? laid.boxes.map(() => 0.25) : null,
      );
    }),
  );
});

test('drawn, too narrow, deeper and outside are the whole', () => {
  fc.assert(
    fc.property(someFrames, ({ frame: { boxes, cuts, header } }) => {
      const { self, cut, below, outside } = header.sums;
      expect(self + cut + below + outside).toBe(header.root.total.weight);
      expect(boxes.self.reduce((sum, weight) => sum + weight, 0)).toBe(self);
      expect(cuts.weight.reduce((sum, weight) => sum + weight, 0)).toBe(cut);
    }),
  );
});

test('bytes that end too early are refused, wherever they end', () => {
  const { bytes } = frameOf([{ frames: [], count: 3, thread: '', window: 0 }]);
  for (let length = 0; length < bytes.length - 8; length++)
    expect(() => decodeFrame(copyOf(bytes.subarray(0, length)))).toThrow();
});

test('the box and the run at a place', () => {
  fc.assert(
    fc.property(
      someFrames,
      fc.integer({ min: 0, max: 9 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      ({ frame }, row, place) => {
        const { boxes, cuts } = frame;
        const covers = (start: Float64Array, end: Float64Array, at: number): boolean =>
          (start[at] ?? 1) <= place && place < (end[at] ?? 0);
        const box = [...boxes.row.keys()].find(at => boxes.row[at] === row && covers(boxes.start, boxes.end, at));
        expect(boxAt(frame, row, place)).toBe(box ?? -1);
        const cut = [...cuts.parent.keys()].find(
          at => (boxes.row[cuts.parent[at] ?? 0] ?? 0) + 1 === row && covers(cuts.start, cuts.end, at),
        );
        expect(cutAt(frame, row, place)).toBe(cut ?? -1);
      },
    ),
  );
});

test('the boxes in a part of a row', () => {
  fc.assert(
    fc.property(
      someFrames,
      fc.integer({ min: 0, max: 9 }),
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      ({ frame }, row, from) => {
        const [first, last] = rangeIn(frame, row, from, from + 0.3);
        const found = new Set(frame.rows[row - frame.firstRow]?.subarray(first, last));
        const { boxes } = frame;
        for (const box of boxes.row.keys())
          if (boxes.row[box] === row && (boxes.end[box] ?? 0) > from && (boxes.start[box] ?? 0) < from + 0.3)
            expect(found.has(box)).toBe(true);
      },
    ),
  );
});

test('each step leads to the parent, the heaviest child or a sibling', () => {
  fc.assert(
    fc.property(someFrames, ({ frame }) => {
      const { boxes } = frame;
      for (const box of boxes.row.keys()) {
        const children = [...boxes.row.keys()].filter(other => boxes.parent[other] === box);
        expect(childrenOf(frame, box).sort((a, b) => a - b)).toEqual(children);
        const heaviest = Math.max(...children.map(child => boxes.weight[child] ?? 0));
        const down = walk(frame, box, 'child');
        if (children.length === 0) expect(down).toBe(box);
        else expect([boxes.parent[down], boxes.weight[down]]).toEqual([box, heaviest]);
        const parent = boxes.parent[box] ?? -1;
        expect(walk(frame, box, 'parent')).toBe(parent < 0 ? box : parent);
        const siblings = siblingsOf(frame, box);
        expect(siblings).toContain(box);
        expect(walk(frame, walk(frame, box, 'first'), 'previous')).toBe(siblings[0]);
        expect(walk(frame, box, 'last')).toBe(siblings.at(-1));
        expect(pathOf(frame, box).at(-1)).toBe(box);
      }
    }),
    { numRuns: runs(50) },
  );
});
