// The contexts that a picture begins with, against a naive search over the same comparison.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noPause } from '../../../server/base/pause.ts';
import { bestFirst } from '../../../server/capabilities/compare/best-first.ts';
import { TreeComparison } from '../../../server/capabilities/compare/tree-comparison.ts';
import { type Drawn, drawn, sideOf } from '../../support/profiles/compared.ts';
import { runs } from '../../support/runs.ts';

const NONE = new Uint8Array(1000);
const SCALE = { scaling: 'absolute', by: [1, 1] } as const;

const someTrees: fc.Arbitrary<Drawn> = fc
  .array(fc.tuple(fc.nat(), fc.constantFrom('a', 'b', 'c', 'd'), fc.nat({ max: 30 })), { minLength: 1, maxLength: 120 })
  .map(rows => {
    const root = { method: 'main', self: 1, calls: [] as Drawn[] };
    const nodes = [root];
    for (const [at, method, self] of rows) {
      const above = nodes[at % nodes.length]!;
      if (above.calls.some(call => call.method === method)) continue;
      const node = { method, self, calls: [] as Drawn[] };
      above.calls.push(node);
      nodes.push(node);
    }
    return root;
  });

function comparisonOf(before: Drawn, now: Drawn): TreeComparison {
  const names = ['a', 'b', 'c', 'd', 'main'];
  return new TreeComparison(sideOf([before], names), sideOf([now], names), 1000, noPause);
}

test('always the hidden box with most of the difference, until 60 or 95 % are shown', () => {
  fc.assert(
    fc.property(someTrees, someTrees, (before, now) => {
      const comparison = comparisonOf(before, now);
      const ownOf = (row: number): number => {
        const { self } = comparison.amountsOf(row);
        return Math.abs(self[1] - self[0]);
      };
      const sumOf = (row: number): number =>
        comparison.childrenOf(row).reduce((sum, child) => sum + sumOf(child), ownOf(row));
      const shown = bestFirst(comparison, SCALE, NONE, [0], noPause);
      expect(shown.length).toBeLessThanOrEqual(60);
      const whole = sumOf(0);
      let seen = ownOf(0);
      shown.forEach((row, at) => {
        if (at === 0) return;
        const isShown = shown.slice(0, at);
        expect(seen).toBeLessThan(0.95 * whole + 1e-9);
        const hidden = isShown.flatMap(each => comparison.childrenOf(each)).filter(each => !isShown.includes(each));
        expect(isShown).toContain(comparison.parentOf(row));
        expect(sumOf(row)).toBe(Math.max(...hidden.map(sumOf)));
        seen += ownOf(row);
      });
      if (shown.length < 60) expect(seen).toBeGreaterThanOrEqual(0.95 * whole - 1e-9);
    }),
    { numRuns: runs(200) },
  );
});

test('what differs lies below boxes that do not, and the recorder is left out', () => {
  const before = drawn('main', 1, drawn('a', 1, drawn('b', 5)), drawn('c', 100));
  const now = drawn('main', 1, drawn('a', 1, drawn('b', 50)), drawn('c', 900));
  const comparison = comparisonOf(before, now);
  const named = (rows: readonly number[]): number[] => rows.map(row => comparison.label[row]!);
  const isRecorder = Uint8Array.from({ length: 1000 }, (_, label) => (label === 2 ? 1 : 0));
  // Labels are rows of the names: a, b, c, d, main.
  expect(named(bestFirst(comparison, SCALE, isRecorder, [0], noPause))).toEqual([-1, 4, 0, 1]);
});
