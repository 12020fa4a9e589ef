// Tests the comparison of recorded and unrecorded work: right on the average, blind to the side, and silent where nothing can be said.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Block, differenceOf, spreadOf, undisturbed, verdictOf } from './compare-recorded.ts';

const SECONDS = fc.double({ min: 0.5, max: 2, noNaN: true });
const BLOCK = fc.record({ plain: fc.tuple(SECONDS, SECONDS), measured: fc.tuple(SECONDS, SECONDS) });
const BLOCKS = fc.array(BLOCK, { minLength: 2, maxLength: 40 });

function scaled({ plain, measured }: Block, factor: number): Block {
  return { plain, measured: [measured[0] * factor, measured[1] * factor] };
}

/** Numbers that look random, the same in each run; their mean is 0 and their variance 1. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 32 - 0.5) * Math.sqrt(12);
  };
}

test('an even cost is found whatever the blocks took, and drift between the phases is not one', () => {
  const blocks: Block[] = [1, 1.3, 0.8].map(at => ({
    plain: [at, at * 1.03 ** 3],
    measured: [at * 1.03, at * 1.03 ** 2],
  }));
  expect(differenceOf(blocks).mean).toBeCloseTo(0, 12);
  const { mean, from, to } = differenceOf(blocks.map(block => scaled(block, 1.05)));
  for (const bound of [mean, from, to]) expect(bound).toBeCloseTo(0.05, 12);
});

test('changing sides turns the ratio round', () => {
  fc.assert(
    fc.property(BLOCKS, blocks => {
      const there = differenceOf(blocks);
      const back = differenceOf(blocks.map(({ plain, measured }) => ({ plain: measured, measured: plain })));
      expect(Math.log1p(back.mean)).toBeCloseTo(-Math.log1p(there.mean), 9);
      expect(Math.log1p(back.from)).toBeCloseTo(-Math.log1p(there.to), 9);
    }),
  );
});

test('which blocks count does not depend on what the sides differ by', () => {
  fc.assert(
    fc.property(BLOCKS, fc.double({ min: 0.5, max: 2, noNaN: true }), (blocks, factor) => {
      const near = undisturbed(blocks).map(block => blocks.indexOf(block));
      const shifted = blocks.map(block => scaled(block, factor));
      // Equal spreads may come out a last bit apart; where one is that near the border, nothing is said.
      const most = 3 * blocks.map(spreadOf).sort((a, b) => a - b)[blocks.length >> 1]!;
      fc.pre(blocks.every(block => Math.abs(spreadOf(block) - most) > 1e-9));
      expect(undisturbed(shifted).map(block => shifted.indexOf(block))).toEqual(near);
    }),
  );
});

test('a block in which something else went on does not count, at whichever side', () => {
  const quiet: Block[] = [1, 1.1, 0.9].map(at => ({ plain: [at, at * 1.01], measured: [at * 1.02, at * 1.03] }));
  const struck: Block[] = [
    { plain: [1, 1.4], measured: [1, 1] },
    { plain: [1, 1], measured: [1.4, 1] },
  ];
  expect(undisturbed([...quiet, ...struck])).toEqual(quiet);
});

test('the interval holds what is true in about 95 of 100 cases', () => {
  const next = noise(7);
  const time = () => Math.exp(0.03 * next());
  let held = 0;
  for (let times = 0; times < 1000; times++) {
    const blocks: Block[] = Array.from({ length: 18 }, () => ({
      plain: [time(), time()],
      measured: [1.01 * time(), 1.01 * time()],
    }));
    const { from, to } = differenceOf(blocks);
    if (from <= 0.01 && 0.01 <= to) held++;
  }
  expect(held).toBeGreaterThan(930);
  expect(held).toBeLessThan(970);
});

test('a verdict needs the whole interval on one side, and twenty pairs', () => {
  expect(verdictOf({ mean: 0.005, from: 0.002, to: 0.01, blocks: 10 }, 0.01)).toBe('below the limit with 95 %');
  expect(verdictOf({ mean: 0.005, from: -0.02, to: 0.0101, blocks: 18 }, 0.01)).toBe('not resolvable here');
  expect(verdictOf({ mean: 0.03, from: 0.011, to: 0.05, blocks: 10 }, 0.01)).toBe('above the limit with 95 %');
  expect(verdictOf({ mean: 0.005, from: 0.002, to: 0.008, blocks: 9 }, 0.01)).toBe('not resolvable here');
});

test('one block alone can be anything', () => {
  const { from, to, blocks } = differenceOf([{ plain: [1, 1], measured: [1, 1] }]);
  expect([from, to, blocks]).toEqual([-1, Number.POSITIVE_INFINITY, 1]);
});
