// Checks that what stands around a method comes in short steps, and that tables and walks agree.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexTree } from '../../server/cct/tree-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import {
  calleesInTable,
  callerSteps,
  effectiveSampleSteps,
  lineSteps,
  threadSteps,
} from '../../server/metrics/around-method.ts';
import { callSiteAmounts, indexCallSites } from '../../server/metrics/call-sites.ts';
import { calleesOf, effectiveSamples, effectiveWhole } from '../../server/metrics/queries.ts';
import { ALLOCATION, CPU, profileOfStacks } from '../support/profiles.ts';
import { rawSamples } from '../support/stack-oracle.ts';

test('callees looked up are those of a walk, under any selection', () =>
  fc.assert(
    fc.property(rawSamples({ metrics: 2, truncated: true }), fc.nat(1), (samples, metric) => {
      const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
      const analysis = analyse(profile, indexTree(profile), { metric });
      const sites = indexCallSites(profile, new Int32Array(profile.methods.length));
      const amounts = callSiteAmounts(analysis, sites);
      for (let row = 2; row < profile.methods.length; row++)
        expect(calleesInTable(sites, amounts, row)).toEqual(calleesOf(analysis, [row]));
    }),
  ));

test('the effective samples of the root are those of everything that counts', () =>
  fc.assert(
    fc.property(rawSamples({ metrics: 2, truncated: true }), fc.nat(1), (samples, metric) => {
      const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
      const analysis = analyse(profile, indexTree(profile), { metric });
      expect(effectiveSamples(analysis, [0])).toBeCloseTo(effectiveWhole(analysis), 9);
    }),
  ));

test('a walk over many nodes or cells pauses', () => {
  const frames = (i: number) => [
    { method: `A.a${i}`, line: i },
    { method: 'B.hot', line: i },
  ];
  const samples = Array.from({ length: 100_000 }, (_, i) => ({ frames: frames(i) }));
  const profile = profileOfStacks(samples, { metrics: [CPU] });
  const analysis = analyse(profile, indexTree(profile), { metric: 0 });
  const hot = [profile.tree.method[2]!];
  for (const steps of [callerSteps, lineSteps, threadSteps, effectiveSampleSteps])
    expect([...steps(analysis, hot)].length).toBeGreaterThanOrEqual(3);
});
