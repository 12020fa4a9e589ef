// Checks that tables of the surroundings of all methods agree with a walk over each method, under any selection.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PARTIAL_METHOD, type Profile } from '../../server/cct/profile.ts';
import { indexTree } from '../../server/cct/tree-index.ts';
import { observedLinesOfCalls } from '../../server/mapping/class-index.ts';
import { analyse, type PathFilter } from '../../server/metrics/analysis.ts';
import {
  calleeMethodsInTable,
  callersInTable,
  effectiveSamplesInTable,
  linesInTable,
  threadCountInTable,
} from '../../server/metrics/around-lookup.ts';
import {
  calleeMethodsOf,
  callersOf,
  effectiveSamplesOf,
  linesOf,
  threadsOf,
} from '../../server/metrics/around-method.ts';
import { aroundTables } from '../../server/metrics/around-tables.ts';
import { indexCallSites } from '../../server/metrics/call-sites.ts';
import { methodTimes } from '../../server/metrics/method-times.ts';
import { threadsOfEach } from '../../server/metrics/threads-of-each.ts';
import { ALLOCATION, CPU, profileOfStacks } from '../support/profiles/profiles.ts';
import { rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';

/** A filter that leaves out every n-th cell and one more. */
function everyCellBut({ cells }: Profile, nth: number): PathFilter {
  const whole = cells.map(({ length }) => new Uint8Array(length).fill(1));
  return { whole, satisfied: whole.map(each => each.map((_, cell) => (cell % (nth + 1) === 0 ? 0 : 1))) };
}

test('tables say what walks say', () =>
  fc.assert(
    fc.property(
      rawSamples({ metrics: 2, truncated: true }),
      fc.record({
        ...{ metric: fc.nat(1), thread: fc.nat(3), window: fc.nat(3) },
        ...{ focused: fc.option(fc.nat(4)), path: fc.option(fc.integer({ min: 1, max: 3 })) },
      }),
      (samples, { metric, thread, window, focused, path }) => {
        const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
        const rows = Array.from({ length: profile.methods.length - 2 }, (_, i) => i + PARTIAL_METHOD + 1);
        const chosen = focused === null ? undefined : rows[focused];
        const index = indexTree(profile);
        const a = analyse(profile, index, {
          metric,
          threads: Uint8Array.from(profile.threads.name, (_, row) => (row === thread ? 0 : 1)),
          windows: Uint8Array.from(profile.windows, (_, row) => (row === window ? 0 : 1)),
          ...(path !== null && { path: everyCellBut(profile, path) }),
          ...(chosen === undefined ? {} : { focus: outermost(profile, chosen) }),
        });
        const sites = indexCallSites(profile, new Int32Array(profile.methods.length));
        const seen = observedLinesOfCalls(profile, sites);
        const tables = aroundTables(a, sites, seen);
        const total = methodTimes(a);
        const threads = threadsOfEach(a, rows);
        for (const row of rows) {
          const set = [row];
          expect(callersInTable(tables, sites, row)).toEqual(callersOf(a, set));
          expect(calleeMethodsInTable(tables, sites, row)).toEqual(calleeMethodsOf(a, set));
          expect(linesInTable(tables, seen, row)).toEqual(linesOf(a, set));
          expect(threadCountInTable(tables, set)).toBe(threadsOf(a, set).length);
          expect(threads.get(row)).toEqual(threadsOf(a, set));
          expect(effectiveSamplesInTable(tables, total, row)).toBeCloseTo(effectiveSamplesOf(a, set), 9);
        }
        expect(threadCountInTable(tables, rows)).toBe(threadsOf(a, rows).length);
      },
    ),
    { numRuns: runs(300) },
  ));

function outermost({ tree }: Profile, method: number): Int32Array {
  const nodes: number[] = [];
  for (let i = 0; i < tree.length; i = tree.method[i] === method ? tree.subtreeEnd[i]! : i + 1)
    if (tree.method[i] === method) nodes.push(i);
  return Int32Array.from(nodes);
}
