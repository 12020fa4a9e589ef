// Calls of all methods at once: told apart once a tree, summed up in one pass a selection, then looked up by caller.
import { sharedInt32 } from '../cct/columns.ts';
import type { Profile } from '../cct/profile.ts';
import { partialNode } from '../cct/tree-index.ts';
import type { Amount, Analysis } from './analysis.ts';
import { findSites, type Sites } from './find-sites.ts';
import { isCalledInScope, runsInScope } from './scope.ts';
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
  /** Per node: the site it was called from. Row 0 means nothing: the root is not called. */
  readonly siteOfNode: Int32Array;
};

/** Sums over samples, each counted once a site or group. Columns of weight and count are the same where the metric's unit is `samples`. */
export type CallSiteAmounts = {
  readonly weight: Float64Array;
  readonly count: Float64Array;
  readonly groupWeight: Float64Array;
  readonly groupCount: Float64Array;
};

/** The calls of one line of a method to callees of one group. */
export type GroupedCall = {
  readonly line: number;
  /** Rows of those that the selection has seen, ascending; never empty. */
  readonly callees: readonly number[];
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
  return { offsets, line, callee, ...numberGroups(offsets, line, callee, groupOfMethod), siteOfNode };
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
  const columns = (length: number): Sums => {
    const count = new Float64Array(length);
    const weight = a.totalWeight === a.totalCount ? null : new Float64Array(length);
    return { count, weight, coveredUntil: new Int32Array(length) };
  };
  const own = columns(sites.line.length + 1);
  const grouped = columns(sites.groups);
  const runs = runsInScope(tree, partialNode(tree), a.selection.focus);
  for (let at = 0; at < runs.length; at += 2) {
    const from = runs[at]! + (isCalledInScope(tree, a.scope, runs[at]!) ? 0 : 1);
    addSites(own, a, sites.siteOfNode, from, runs[at + 1]!);
    if (sites.groups > 0) addGroups(grouped, a, sites, from, runs[at + 1]!);
  }
  const count = own.count.slice(1);
  return {
    count,
    weight: own.weight?.slice(1) ?? count,
    groupCount: grouped.count,
    groupWeight: grouped.weight ?? grouped.count,
  };
}

type Sums = { readonly count: Float64Array; readonly weight: Float64Array | null; readonly coveredUntil: Int32Array };

/**
 * Adds the calls of nodes from … to−1. Site i has row i + 1; row 0 is for what recurs: adding that there costs less than a branch,
 * which is guessed wrongly too often. A function of its own, of which all variables fit into registers.
 */
function addSites(
  { count, weight, coveredUntil }: Sums,
  { stretches, totalCount, totalWeight, profile }: Analysis,
  siteOfNode: Int32Array,
  from: number,
  to: number,
): void {
  const { subtreeEnd } = profile.tree;
  for (let node = from, at = stretchOf(stretches, from); node < to; at++) {
    const end = stretches.ends[at]! + 1;
    const counted = totalCount[at]!;
    const weighed = totalWeight[at]!;
    if (counted === 0 && weighed === 0) node = end;
    const own = subtreeEnd[node]!;
    for (; node < end; node++) {
      const site = siteOfNode[node]!;
      const until = coveredUntil[site]!;
      const row = (site + 1) & ~((node - until) >> 31);
      coveredUntil[site] = Math.max(until, own);
      count[row]! += counted;
      if (weight !== null) weight[row]! += weighed;
    }
  }
}

/** The same for groups, in which few sites are. */
function addGroups(
  { count, weight, coveredUntil }: Sums,
  { stretches, totalCount, totalWeight, profile }: Analysis,
  { siteOfNode, group }: CallSites,
  from: number,
  to: number,
): void {
  const { subtreeEnd } = profile.tree;
  for (let node = from; node < to; node++) {
    const own = group[siteOfNode[node]!]!;
    if (own === -1 || node < coveredUntil[own]!) continue;
    coveredUntil[own] = subtreeEnd[node]!;
    const at = stretchOf(stretches, node);
    count[own]! += totalCount[at]!;
    if (weight !== null) weight[own]! += totalWeight[at]!;
  }
}

/** The calls of one method row that the selection has seen, by line; those without a known line have line 0. */
export function groupedCallsOf(sites: CallSites, amounts: CallSiteAmounts, method: number): GroupedCall[] {
  const { offsets, line, callee, group } = sites;
  const calls: GroupedCall[] = [];
  const end = offsets[method + 1]!;
  for (let row = offsets[method]!; row < end; ) {
    const first = row;
    const callees: number[] = [];
    do {
      if (amounts.weight[row] !== 0 || amounts.count[row] !== 0) callees.push(callee[row]!);
      row++;
    } while (row < end && group[row] !== -1 && group[row] === group[first]);
    if (callees.length === 0) continue;
    const own = group[first]!;
    const amount =
      own === -1
        ? { weight: amounts.weight[first]!, count: amounts.count[first]! }
        : { weight: amounts.groupWeight[own]!, count: amounts.groupCount[own]! };
    calls.push({ line: line[first]!, callees, amount });
  }
  return calls;
}
