// Checks the calls of all methods, made in one pass, against naive counts over raw stacks and against the walk of one method.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PARTIAL_METHOD, type Profile } from '../../server/cct/profile.ts';
import { indexTree } from '../../server/cct/tree-index.ts';
import { observedLinesOfCalls } from '../../server/mapping/class-index.ts';
import { type Amount, type Analysis, analyse } from '../../server/metrics/analysis.ts';
import { callSiteAmounts, groupedCallsOf, indexCallSites } from '../../server/metrics/call-sites.ts';
import { amountsByCallee } from '../../server/metrics/queries.ts';
import { decodeSnapshot } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { ALLOCATION, CPU, methodRows, profileOfStacks, type RawSample } from '../support/profiles/profiles.ts';
import { amountsBy, callsIn, rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';

/** `B.go(I)` → `go`. */
const nameOf = (method: string) => method.replace(/^.*\.|\(.*$/g, '');

type Case = { profile: Profile; rows: Map<string, number>; samples: RawSample[]; groups: Int32Array };

/** Callees of one name are one group: `run` and `go` have two methods each. */
const cases: fc.Arbitrary<Case> = rawSamples({ metrics: 2, truncated: true }).map(samples => {
  const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
  const groups = Int32Array.from({ length: profile.methods.length }, (_, row) => profile.methods.name[row]!);
  return { profile, rows: methodRows(profile), samples, groups };
});

/** `line callees` → amount, of one caller. */
function callsOf(analysis: Analysis, groups: Int32Array, caller: number): Record<string, Amount> {
  const sites = indexCallSites(analysis.profile, groups);
  const calls = groupedCallsOf(sites, callSiteAmounts(analysis, sites), caller);
  expect(calls.map(({ line }) => line)).toEqual(calls.map(({ line }) => line).sort((a, b) => a - b));
  return Object.fromEntries(calls.map(({ line, callees, amount }) => [`${line} ${callees.join()}`, amount]));
}

/** The same by walking over the caller's nodes. */
function walkedCallsOf(analysis: Analysis, groups: Int32Array, caller: number): Record<string, Amount> {
  const callees = new Map<string, number[]>();
  const amounts = amountsByCallee(analysis, [caller], (callee, line) => {
    const key = `${line} ${groups[callee]}`;
    callees.set(
      key,
      [...new Set([...(callees.get(key) ?? []), callee])].sort((a, b) => a - b),
    );
    return key;
  });
  return Object.fromEntries(
    Array.from(amounts, ([key, amount]) => [`${key.slice(0, key.indexOf(' '))} ${callees.get(key)!.join()}`, amount]),
  );
}

describe('calls of all methods', () => {
  test('count each sample once a line and name, as raw stacks tell', () =>
    fc.assert(
      fc.property(cases, fc.nat(1), ({ profile, rows, samples, groups }, metric) => {
        const analysis = analyse(profile, indexTree(profile), { metric });
        const counted = samples.filter(sample => sample.metric === metric && sample.truncated !== true);
        for (const [caller, row] of rows) {
          if (row <= PARTIAL_METHOD) continue;
          const calls = (sample: RawSample) => callsIn(sample.frames).filter(([from]) => from.method === caller);
          const targets = new Map<string, Set<number>>();
          const keyOf = ([from, to]: ReturnType<typeof calls>[number]) => `${from.line} ${nameOf(to.method)}`;
          for (const call of counted.flatMap(calls))
            targets.set(keyOf(call), (targets.get(keyOf(call)) ?? new Set()).add(rows.get(call[1].method)!));
          const expected = Object.entries(amountsBy(counted, (_, sample) => calls(sample).map(keyOf))).map(
            ([key, amount]) => [`${Number.parseInt(key, 10)} ${[...targets.get(key)!].sort((a, b) => a - b)}`, amount],
          );
          expect(callsOf(analysis, groups, row)).toEqual(Object.fromEntries(expected));
        }
      }),
      { numRuns: runs(200) },
    ));

  test('are those of a walk under any selection', () =>
    fc.assert(
      fc.property(
        cases,
        fc.record({ metric: fc.nat(1), thread: fc.nat(2), window: fc.nat(2), focused: fc.option(fc.nat(4)) }),
        ({ profile, rows, groups }, { metric, thread, window, focused }) => {
          const chosen = focused === null ? undefined : [...rows.values()][focused];
          const analysis = analyse(profile, indexTree(profile), {
            metric,
            threads: Uint8Array.from(profile.threads.name, (_, row) => (row === thread ? 0 : 1)),
            windows: Uint8Array.from(profile.windows, (_, row) => (row === window ? 0 : 1)),
            ...(chosen === undefined ? {} : { focus: outermost(profile, chosen) }),
          });
          for (const row of rows.values())
            expect(callsOf(analysis, groups, row)).toEqual(walkedCallsOf(analysis, groups, row));
        },
      ),
      { numRuns: runs(200) },
    ));
});

/** The lines that each method called or ran on, ascending, by a look at every node and cell. */
function seenLines({ tree, cells, methods }: Profile): number[][] {
  const seen = Array.from({ length: methods.length }, () => new Set<number>());
  for (let node = 1; node < tree.length; node++) seen[tree.method[tree.parent[node]!]!]!.add(tree.callLine[node]!);
  for (const { node, line } of cells)
    for (const [cell, own] of node.entries()) seen[tree.method[own]!]!.add(line[cell]!);
  return seen.map(lines => [...lines].filter(line => line > 0).sort((a, b) => a - b));
}

test('calls that a tree was read by are the calls that it has', () =>
  fc.assert(
    fc.property(cases, fc.boolean(), ({ profile, groups }, unknownLines) => {
      const lines = profile.tree.callLine.map(line => (unknownLines && line === 1 ? -1 : line));
      const bytes = encodeSnapshot(snapshotOf({ ...profile, tree: { ...profile.tree, callLine: lines } }));
      const read = decodeSnapshot(bytes).value!.profile;
      const byRead = indexCallSites(read, groups);
      // The index that it was read by is handed on once.
      const bySearch = indexCallSites(read, groups);
      byRead.siteOfNode[0] = bySearch.siteOfNode[0]!;
      expect(byRead).toEqual(bySearch);
      const { offset, line } = observedLinesOfCalls(read, byRead);
      expect(seenLines(read).map((_, row) => [...line.subarray(offset[row], offset[row + 1])])).toEqual(
        seenLines(read),
      );
    }),
  ));

test('each node has the site of its caller, line and callee, however many a caller has and whatever lines are', () => {
  const frame = fc.record({
    method: fc.integer({ min: 0, max: 11 }).map(name => `C.m${name}`),
    line: fc.oneof(fc.nat(2), fc.integer({ min: 2 ** 31 - 5, max: 2 ** 31 - 1 }), fc.constant(2 ** 27 + 1)),
  });
  const stacks = fc.array(fc.array(frame, { minLength: 1, maxLength: 6 }), { maxLength: 60 });
  fc.assert(
    fc.property(stacks, list => {
      const { tree, methods } = profileOfStacks(list.map(frames => ({ frames })));
      const { offsets, line, callee, siteOfNode } = indexCallSites({ tree, methods }, new Int32Array(methods.length));
      const called = Array.from(siteOfNode, (_, node) => node).slice(1);
      const triple = (node: number) =>
        `${tree.method[tree.parent[node]!]} ${Math.max(0, tree.callLine[node]!)} ${tree.method[node]}`;
      const callerOf = (site: number) => offsets.findIndex((_, m) => site < offsets[m + 1]!);
      expect(
        called.map(node => siteOfNode[node]!).map(site => `${callerOf(site)} ${line[site]} ${callee[site]}`),
      ).toEqual(called.map(triple));
      expect(line.length).toBe(new Set(called.map(triple)).size);
    }),
    { numRuns: runs(200) },
  );
});

function outermost({ tree }: Profile, method: number): Int32Array {
  const nodes: number[] = [];
  for (let i = 0; i < tree.length; i = tree.method[i] === method ? tree.subtreeEnd[i]! : i + 1)
    if (tree.method[i] === method) nodes.push(i);
  return Int32Array.from(nodes);
}
