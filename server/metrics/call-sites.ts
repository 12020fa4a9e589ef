// Calls of all methods at once: told apart once a tree, summed up in one pass a selection, then looked up by caller.

import type { Profile } from '../cct/profile.ts';
import { sharedInt32 } from '../cct/shared-columns.ts';
import type { Amount, Analysis } from './analysis.ts';
import { type CallersIndex, indexCallers } from './callers-index.ts';
import { findSites, type Sites } from './find-sites.ts';
import { outermostSums, type Sums } from './outermost-sums.ts';
import { isCalledInScope, type Runs } from './scope.ts';
import { stretchOf } from './stretches.ts';

/**
 * Every distinct (caller, line, callee) of a tree. Sites of caller m are the rows offsets[m] … offsets[m+1]−1, by line, then
 * group, then callee. A *group* holds the sites of one caller and line whose callees have the same number in `groupOfMethod`.
 */
export type CallSites = {
  readonly offsets: Int32Array;
  /** Line in the caller; 0 where the recorder gave none. */
  readonly line: Int32Array;
  readonly callee: Int32Array;
  /** Per site: its group where that has several sites, else −1. Groups are numbered in the order of their sites. */
  readonly group: Int32Array;
  /** How many groups have several sites. */
  readonly groups: number;
  /** Nodes of those groups' sites, ascending. */
  readonly nodesOfGroups: Int32Array;
  /** Per node: the site it was called from. Row 0 means nothing: the root is not called. */
  readonly siteOfNode: Int32Array;
  readonly callers: CallersIndex;
};

/** Sums over samples, each counted once a site or group. Columns of weight and count are the same where the metric's unit is `samples`. */
export type CallSiteAmounts = {
  readonly weight: Float64Array;
  readonly count: Float64Array;
  readonly groupWeight: Float64Array;
  readonly groupCount: Float64Array;
};

/** The calls of one line of a method to callees of one group. */
type GroupedCall = {
  readonly line: number;
  /** Rows of the callees that the selection has seen, ascending; never empty. */
  readonly callees: readonly number[];
  /** Of each callee alone. */
  readonly weights: readonly number[];
  /** Samples with the line calling any of the callees, once. */
  readonly amount: Amount;
};

/** Tells the calls of a tree apart. O(nodes + sites · log of the sites of a method). `groupOfMethod` has a number for each method row. */
export function indexCallSites(
  { tree, methods }: Pick<Profile, 'tree' | 'methods'>,
  groupOfMethod: Int32Array,
): CallSites {
  const { length } = tree;
  const { found, numberOfNode: siteOfNode, siteOfNumber } = findSites(tree, methods.length);
  const { offsets, order } = sortSites(found, methods.length, groupOfMethod);
  const rowOf = new Int32Array(found.length);
  const line = sharedInt32(found.length);
  const callee = sharedInt32(found.length);
  for (let row = 0; row < order.length; row++) {
    const site = order[row]!;
    rowOf[site] = row;
    line[row] = found.line[site]!;
    callee[row] = found.callee[site]!;
  }
  const rowOfNumber = new Int32Array(siteOfNumber.length);
  for (let number = 0; number < rowOfNumber.length; number++) rowOfNumber[number] = rowOf[siteOfNumber[number]!]!;
  for (let node = 1; node < length; node++) siteOfNode[node] = rowOfNumber[siteOfNode[node]!]!;
  const { group, groups } = numberGroups(offsets, line, callee, groupOfMethod);
  const nodesOfGroups = groups === 0 ? sharedInt32(0) : nodesIn(group, siteOfNode);
  const callers = indexCallers({ offsets, callee });
  return { offsets, line, callee, group, groups, nodesOfGroups, siteOfNode, callers };
}

/** Nodes of sites that have a group. */
function nodesIn(group: Int32Array, siteOfNode: Int32Array): Int32Array {
  const nodes: number[] = [];
  for (let node = 1; node < siteOfNode.length; node++) if (group[siteOfNode[node]!] !== -1) nodes.push(node);
  const column = sharedInt32(nodes.length);
  column.set(nodes);
  return column;
}

function sortSites(
  { length, caller, line, callee }: Sites,
  methods: number,
  groupOfMethod: Int32Array,
): { offsets: Int32Array; order: Int32Array } {
  const offsets = sharedInt32(methods + 1);
  for (let site = 0; site < length; site++) offsets[caller[site]! + 1]!++;
  for (let m = 0; m < methods; m++) offsets[m + 1]! += offsets[m]!;
  const order = new Int32Array(length);
  const next = offsets.slice();
  for (let site = 0; site < length; site++) order[next[caller[site]!]!++] = site;
  const bySource = (a: number, b: number) =>
    line[a]! - line[b]! || groupOfMethod[callee[a]!]! - groupOfMethod[callee[b]!]! || callee[a]! - callee[b]!;
  for (let m = 0; m < methods; m++) sortRange(order, offsets[m]!, offsets[m + 1]!, bySource);
  return { offsets, order };
}

/** Most methods make a few calls, for which a sort of its own would cost more than all comparisons. */
function sortRange(values: Int32Array, from: number, to: number, compare: (a: number, b: number) => number): void {
  if (to - from > 16) {
    values.subarray(from, to).sort(compare);
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!;
    let at = i;
    for (; at > from && compare(values[at - 1]!, value) > 0; at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
}

function numberGroups(
  offsets: Int32Array,
  line: Int32Array,
  callee: Int32Array,
  groupOfMethod: Int32Array,
): Pick<CallSites, 'group' | 'groups'> {
  const group = sharedInt32(line.length).fill(-1);
  let groups = 0;
  for (let m = 0; m + 1 < offsets.length; m++) {
    for (let row = offsets[m]! + 1; row < offsets[m + 1]!; row++) {
      const joined = line[row] === line[row - 1] && groupOfMethod[callee[row]!] === groupOfMethod[callee[row - 1]!];
      if (!joined) continue;
      if (group[row - 1] === -1) group[row - 1] = groups++;
      group[row] = group[row - 1]!;
    }
  }
  return { group, groups };
}

/** Sums of all sites and groups. A call counts when its caller's node is in scope. O(nodes). */
export function callSiteAmounts(a: Analysis, sites: CallSites): CallSiteAmounts {
  const { tree } = a.profile;
  // A method that is not called in scope has no site there.
  const runs = a.runs.map((node, i) => node + (i % 2 === 1 || isCalledInScope(tree, a.scope, node) ? 0 : 1));
  const { weight, count } = outermostSums(a, sites.siteOfNode, sites.line.length, runs);
  const grouped = groupSums(a, sites, runs);
  return { weight, count, groupWeight: grouped.weight, groupCount: grouped.count };
}

function groupSums({ stretches, totalCount, totalWeight, profile }: Analysis, sites: CallSites, runs: Runs): Sums {
  const { groups, nodesOfGroups, group, siteOfNode } = sites;
  const { subtreeEnd } = profile.tree;
  const count = new Float64Array(groups);
  const weight = totalWeight === totalCount ? count : new Float64Array(groups);
  const coveredUntil = new Int32Array(groups);
  let run = 0;
  for (const node of nodesOfGroups) {
    while (run < runs.length && runs[run + 1]! <= node) run += 2;
    if (run === runs.length) break;
    const own = group[siteOfNode[node]!]!;
    if (node < runs[run]! || node < coveredUntil[own]!) continue;
    coveredUntil[own] = subtreeEnd[node]!;
    const at = stretchOf(stretches, node);
    count[own]! += totalCount[at]!;
    if (weight !== count) weight[own]! += totalWeight[at]!;
  }
  return { weight, count };
}

/** The calls of one method row that the selection has seen, by line; a call without a known line has line 0. */
export function groupedCallsOf(sites: CallSites, amounts: CallSiteAmounts, method: number): GroupedCall[] {
  const { offsets, line, callee, group } = sites;
  const calls: GroupedCall[] = [];
  const end = offsets[method + 1]!;
  for (let row = offsets[method]!; row < end; ) {
    const first = row;
    const callees: number[] = [];
    const weights: number[] = [];
    do {
      if (amounts.weight[row] !== 0 || amounts.count[row] !== 0) {
        callees.push(callee[row]!);
        weights.push(amounts.weight[row]!);
      }
      row++;
    } while (row < end && group[row] !== -1 && group[row] === group[first]);
    if (callees.length === 0) continue;
    const own = group[first]!;
    const amount =
      own === -1
        ? { weight: amounts.weight[first]!, count: amounts.count[first]! }
        : { weight: amounts.groupWeight[own]!, count: amounts.groupCount[own]! };
    calls.push({ line: line[first]!, callees, weights, amount });
  }
  return calls;
}
