// Checks what must hold of any profile, recursion of any shape included: no share above 1, and sums that stay the same however data are split, merged or stored.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeProfiles } from '../../server/cct/merge.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { indexTree } from '../../server/cct/tree-index.ts';
import { type Amount, analyse, type SelectedRows } from '../../server/metrics/analysis.ts';
import { calleesOf, callersOf, linesOf, threadsOf } from '../../server/metrics/around-method.ts';
import { methodAmount, selfAtLines } from '../../server/metrics/queries.ts';
import { decodeSnapshot } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { ALLOCATION, CPU, profileOfStacks } from '../support/profiles/profiles.ts';
import { rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';

const METRICS = [CPU, ALLOCATION];
const ROUNDING = 1 + 1e-12;

/** Of a selection: the whole, and of each method what its samples and its own samples are. */
function amountsOf(profile: Profile, selection: SelectedRows): Amount[] {
  const analysis = analyse(profile, indexTree(profile), selection);
  const methods = Array.from({ length: profile.methods.length - 2 }, (_, i) => i + 2);
  return [analysis.whole, ...methods.flatMap(m => [methodAmount(analysis, [m]), selfAtLines(analysis, [m])])];
}

function sums(parts: readonly (readonly Amount[])[]): Amount[] {
  return parts[0]!.map((_, i) => ({
    weight: parts.reduce((sum, part) => sum + part[i]!.weight, 0),
    count: parts.reduce((sum, part) => sum + part[i]!.count, 0),
  }));
}

/** One selection a row: each has that row alone. */
function single(length: number): Uint8Array[] {
  return Array.from({ length }, (_, row) => Uint8Array.from({ length }, (_, i) => Number(i === row)));
}

const samples = rawSamples({ metrics: 2, truncated: true });

test('no share is above 1', () => {
  fc.assert(
    fc.property(samples, fc.nat(1), (list, metric) => {
      const profile = profileOfStacks(list, { metrics: METRICS });
      const analysis = analyse(profile, indexTree(profile), { metric });
      for (let method = 2; method < profile.methods.length; method++) {
        const set = [method];
        const { weight, count } = methodAmount(analysis, set);
        expect(weight).toBeLessThanOrEqual(analysis.whole.weight * ROUNDING);
        const parts = [calleesOf, callersOf, linesOf, threadsOf].flatMap(query =>
          query(analysis, set).map(({ amount }) => amount),
        );
        for (const part of [...parts, selfAtLines(analysis, set)]) {
          expect(part.weight).toBeLessThanOrEqual(weight * ROUNDING);
          expect(part.count).toBeLessThanOrEqual(count);
        }
      }
    }),
    { numRuns: runs(200) },
  );
});

test('threads and windows taken one by one come to the whole', () => {
  fc.assert(
    fc.property(samples, fc.nat(1), (list, metric) => {
      const profile = profileOfStacks(list, { metrics: METRICS });
      const all = amountsOf(profile, { metric });
      const byThread = single(profile.threads.length).map(threads => amountsOf(profile, { metric, threads }));
      const byWindow = single(profile.windows.length).map(windows => amountsOf(profile, { metric, windows }));
      for (const parts of [byThread, byWindow]) if (parts.length > 0) expect(sums(parts)).toEqual(all);
    }),
    { numRuns: runs(100) },
  );
});

test('two profiles of the same tables come to their sum once they are merged, and stay that in a snapshot', () => {
  fc.assert(
    fc.property(samples, samples, fc.nat(1), (left, right, metric) => {
      // Each has all stacks, so that all have the same methods in the same rows; those of the other weigh nothing there.
      const parts = [
        profileOfStacks([...left, ...right], { metrics: METRICS }),
        profileOfStacks([...left, ...right, ...right], { metrics: METRICS }),
      ];
      const merged = mergeProfiles(parts);
      const expected = sums(parts.map(part => amountsOf(part, { metric })));
      expect(amountsOf(merged, { metric })).toEqual(expected);
      const { value } = decodeSnapshot(encodeSnapshot(snapshotOf(merged)));
      expect(amountsOf(value!.profile, { metric })).toEqual(expected);
    }),
    { numRuns: runs(60) },
  );
});

test.each([
  ['more samples than 32 bits can say', [2 ** 31, 3]],
  ['together more samples than 32 bits can say', [2 ** 30, 2 ** 30, 5]],
  ['parts of samples', [0.5, 0.25]],
  ['few samples', [2, 3]],
])('%s are all counted', (_name, counts) => {
  const frames = ['A.run()', 'B.go()', 'A.run()'].map(method => ({ method, line: 1 }));
  const profile = profileOfStacks(
    counts.map((count, thread) => ({ frames, count, thread })),
    { threads: counts.map(String) },
  );
  const analysis = analyse(profile, indexTree(profile), { metric: 0 });
  const count = counts.reduce((sum, each) => sum + each);
  const all = { weight: count, count };
  expect([analysis.whole, methodAmount(analysis, [2]), selfAtLines(analysis, [2])]).toEqual([all, all, all]);
  expect(analysis.totalCount[0]).toBe(count);
});
