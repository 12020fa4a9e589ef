// Checks that the surroundings of a method come in short steps, and that tables and walks agree.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { indexTree } from '../../server/cct/tree-index.ts';
import { observedLinesOfCalls } from '../../server/mapping/class-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import {
  calleeMethodsOf,
  calleesInTable,
  calleesOf,
  callersOf,
  effectiveSamplesOf,
  linesOf,
  threadsOf,
} from '../../server/metrics/around-method.ts';
import { callSiteAmounts, indexCallSites } from '../../server/metrics/call-sites.ts';
import { calleeCount, callerCount } from '../../server/metrics/callers-index.ts';
import { nodesOfSet } from '../../server/metrics/node-walks.ts';
import { effectiveWhole } from '../../server/metrics/queries.ts';
import { selfLineAmounts, selfLinesOf } from '../../server/metrics/self-lines.ts';
import { ALLOCATION, CPU, methodText, profileOfStacks } from '../support/profiles/profiles.ts';
import { rawSamples } from '../support/profiles/stack-oracle.ts';

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

/** Any selection of a small profile, with the sites of its calls. */
const selected = fc.tuple(rawSamples({ metrics: 2, truncated: true }), fc.nat(1)).map(([samples, metric]) => {
  const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
  const analysis = analyse(profile, indexTree(profile), { metric });
  const sites = indexCallSites(profile, new Int32Array(profile.methods.length));
  const rows = Array.from({ length: profile.methods.length - 2 }, (_, i) => i + 2);
  return { samples: samples.filter(each => (each.metric ?? 0) === metric), profile, analysis, sites, rows };
});

test('callers and callees are counted as a walk finds them, of single methods and of sets', () =>
  fc.assert(
    fc.property(selected, ({ analysis, sites, rows }) => {
      const amounts = callSiteAmounts(analysis, sites);
      for (const set of [rows, rows.slice(0, 2), ...rows.map(row => [row])]) {
        expect(callerCount(sites, amounts, set)).toBe(callersOf(analysis, set).length);
        const callees = calleeMethodsOf(analysis, set);
        expect(calleeCount(sites, amounts, set)).toBe(callees.length);
      }
    }),
  ));

test('callees whatever the line are a naive count, and so is what runs on a line', () =>
  fc.assert(
    fc.property(selected, ({ samples, profile, analysis, sites, rows }) => {
      const whole = samples.filter(({ truncated }) => truncated !== true);
      const name = (row: number) => methodText(profile, row);
      const seen = observedLinesOfCalls(profile, sites);
      const amounts = selfLineAmounts(analysis, seen);
      for (const row of rows) {
        const own = name(row);
        const naive = new Map<string, number>();
        const onLine = new Map<number, number>();
        for (const { frames, count = 1 } of whole) {
          const called = frames.flatMap(({ method }, i) => (method === own ? (frames[i + 1]?.method ?? []) : []));
          for (const callee of new Set(called)) naive.set(callee, (naive.get(callee) ?? 0) + count);
          const last = frames.at(-1);
          if (last?.method === own && last.line > 0) onLine.set(last.line, (onLine.get(last.line) ?? 0) + count);
        }
        const callees = calleeMethodsOf(analysis, [row]);
        expect(new Map(callees.map(({ method, amount }) => [name(method), amount.count]))).toEqual(naive);
        const lines = selfLinesOf(seen, amounts, [row]);
        expect(new Map(lines.map(({ line, amount }) => [line, amount.count]))).toEqual(onLine);
      }
    }),
  ));

test('the nodes of a set come ascending, and in pauses', () => {
  const frames = (i: number) => [
    { method: `A.a${i % 3}`, line: i },
    { method: `B.b${i % 200}`, line: i },
  ];
  const samples = Array.from({ length: 20_000 }, (_, i) => ({ frames: frames(i) }));
  const profile = profileOfStacks(samples, { metrics: [CPU] });
  const analysis = analyse(profile, indexTree(profile), { metric: 0 });
  const set = Array.from({ length: profile.methods.length - 2 }, (_, i) => i + 2);
  const pause = vi.fn();
  const nodes = nodesOfSet(analysis, set, pause);
  expect(pause).toHaveBeenCalled();
  expect(nodes).toEqual(Int32Array.from({ length: profile.tree.length - 1 }, (_, i) => i + 1));
});

test('the effective samples of the root are those of everything that counts', () =>
  fc.assert(
    fc.property(rawSamples({ metrics: 2, truncated: true }), fc.nat(1), (samples, metric) => {
      const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
      const analysis = analyse(profile, indexTree(profile), { metric });
      expect(effectiveSamplesOf(analysis, [0])).toBeCloseTo(effectiveWhole(analysis), 9);
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
  for (const walk of [callersOf, linesOf, threadsOf, effectiveSamplesOf]) {
    const pause = vi.fn();
    walk(analysis, hot, pause);
    expect(pause.mock.calls.length).toBeGreaterThanOrEqual(3);
  }
});
