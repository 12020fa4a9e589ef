// Checks sums along a way of calls against naive counts over raw stacks, under recursion, for callees and callers, alone and in groups.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MethodTable } from '../../server/cct/profile.ts';
import { indexTree, nodesOfMethod } from '../../server/cct/tree-index.ts';
import { calleesLookedUp, callsAlong, type Way } from '../../server/metrics/along-calls.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { callSiteAmounts, indexCallSites } from '../../server/metrics/call-sites.ts';
import { methodTimes } from '../../server/metrics/method-times.ts';
import { ALLOCATION, CPU, profileOfStacks, type RawFrame } from '../support/profiles/profiles.ts';
import { amountOf, amountsBy, methodSets, rawSamples } from '../support/profiles/stack-oracle.ts';

/** `Class.name` with its descriptor where it has one, as raw frames name it. */
function nameOf({ strings, className, name, descriptor }: MethodTable, row: number): string {
  const own = descriptor[row]! < 0 ? '' : strings[descriptor[row]!]!.replace(/V$/, '');
  return `${strings[className[row]!]}.${strings[name[row]!]}${own}`;
}

/** Where the way's sets stand as a run in a stack: index behind its last frame (callees), or of its first (callers). */
function runsIn(frames: readonly RawFrame[], { direction, steps }: { direction: Way['direction']; steps: string[][] }) {
  const sets = direction === 'callees' ? steps : steps.toReversed();
  const starts = [...frames.keys()].filter(start =>
    sets.every((set, k) => set.includes(frames[start + k]?.method ?? '')),
  );
  return starts.map(start => (direction === 'callees' ? start + sets.length : start));
}

test.each(['callees', 'callers'] as const)('%s along a way', direction =>
  fc.assert(
    fc.property(
      rawSamples(),
      fc.array(methodSets(), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      (samples, steps, joined) => {
        const profile = profileOfStacks(samples);
        const { methods } = profile;
        const names = Array.from({ length: methods.length }, (_, row) => nameOf(methods, row));
        const rows = steps.map(set => names.flatMap((name, row) => (set.includes(name) ? [row] : [])));
        const analysis = analyse(profile, indexTree(profile), { metric: 0 });
        const classOf = (row: number) => methods.className.indexOf(methods.className[row]!);
        const way = { direction, steps: rows };
        const { whole, next } = callsAlong(analysis, way, joined ? classOf : undefined);
        const naive = { direction, steps };
        expect(whole).toEqual(amountOf(samples, frames => runsIn(frames, naive).length > 0));
        const keyOf = (name: string) => (joined ? name.slice(0, 1) : name);
        const nextTo = (frames: readonly RawFrame[], at: number) => frames[direction === 'callees' ? at : at - 1];
        const expected = amountsBy(samples, frames =>
          runsIn(frames, naive)
            .flatMap(at => nextTo(frames, at)?.method ?? [])
            .map(keyOf),
        );
        expect(Object.fromEntries(next.map(each => [keyOf(names[each.methods[0]!]!), each.amount]))).toEqual(expected);
        const lines = amountsBy(samples, frames =>
          runsIn(frames, naive).flatMap(at => {
            const found = nextTo(frames, at);
            const line = frames[at - 1]?.line;
            return found === undefined ? [] : [`${keyOf(found.method)}:${line}`];
          }),
        );
        const seen = next.flatMap(each => each.lines.map(line => `${keyOf(names[each.methods[0]!]!)}:${line}`));
        expect(seen.sort()).toEqual(Object.keys(lines).sort());
      },
    ),
  ),
);

test('callees looked up are those along a way of one method', () =>
  fc.assert(
    fc.property(rawSamples({ metrics: 2, truncated: true }), fc.nat(1), (samples, metric) => {
      const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
      const analysis = analyse(profile, indexTree(profile), { metric });
      const sites = indexCallSites(profile, new Int32Array(profile.methods.length));
      const values = { sites, siteAmounts: callSiteAmounts(analysis, sites), total: methodTimes(analysis) };
      for (let row = 2; row < profile.methods.length; row++) {
        const found = calleesLookedUp(analysis, values, row);
        const recurs = nodesOfMethod(analysis.index, row).some(node => analysis.index.recursive[node] === 1);
        expect(found).toEqual(recurs ? null : callsAlong(analysis, { direction: 'callees', steps: [[row]] }));
      }
    }),
  ));
