// Calls of all methods at once: told apart once a tree, summed up in one pass a selection, then looked up by caller.
import { hash3, sharedInt32 } from '../cct/columns.ts';
import { type KnownCalls, takeKnownCalls } from '../cct/known-calls.ts';
import type { Profile } from '../cct/profile.ts';
import type { Amount, Analysis } from './analysis.ts';

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
  const { found, numberOfNode: siteOfNode, siteOfNumber } = findSites(tree);
  const { offsets, order } = sortSites(found, methods.length, groupOfMethod);
  let rowOf: Int32Array = new Int32Array(found.length);
  const line = sharedInt32(found.length);
  const callee = sharedInt32(found.length);
  for (let row = 0; row < order.length; row++) {
    const site = order[row]!;
    rowOf[site] = row;
    line[row] = found.line[site]!;
    callee[row] = found.callee[site]!;
  }
  if (siteOfNumber !== null) rowOf = siteOfNumber.map(site => rowOf[site]!);
  for (let node = 1; node < length; node++) siteOfNode[node] = rowOf[siteOfNode[node]!]!;
  return { offsets, line, callee, ...numberGroups(offsets, line, callee, groupOfMethod), siteOfNode };
}

/** Distinct triples. */
type Sites = {
  readonly length: number;
  readonly caller: Int32Array;
  readonly line: Int32Array;
  readonly callee: Int32Array;
};

type FoundSites = {
  readonly found: Sites;
  /** Per node: a number that says which site it was called from. */
  readonly numberOfNode: Int32Array;
  /** The site of each number; null where the numbers are the sites. */
  readonly siteOfNumber: Int32Array | null;
};

function findSites(tree: Profile['tree']): FoundSites {
  const known = takeKnownCalls(tree);
  return (known === null ? null : knownSites(tree, known)) ?? sitesOfNodes(tree, known?.callOfNode ?? null);
}

/** The calls that have nodes; null where they are not the sites, for unknown lines are one. */
function knownSites({ length }: Profile['tree'], { offsets, sites, callOfNode }: KnownCalls): FoundSites | null {
  const siteOfNumber = new Int32Array(sites.length / 2).fill(-1);
  for (let node = 1; node < length; node++) siteOfNumber[callOfNode[node]!] = 0;
  const most = siteOfNumber.length;
  const [caller, line, callee] = [new Int32Array(most), new Int32Array(most), new Int32Array(most)];
  let site = 0;
  for (let m = 0; m + 1 < offsets.length; m++) {
    for (let call = offsets[m]!; call < offsets[m + 1]!; call++) {
      if (siteOfNumber[call] === -1) continue;
      if (sites[2 * call + 1]! < 0) return null;
      caller[site] = m;
      callee[site] = sites[2 * call]!;
      line[site] = sites[2 * call + 1]!;
      siteOfNumber[call] = site++;
    }
  }
  return { found: { length: site, caller, line, callee }, numberOfNode: callOfNode, siteOfNumber };
}

/** The sites in the order in which they come; `column` is written to where it is given. */
function sitesOfNodes({ length, parent, method, callLine }: Profile['tree'], column: Int32Array | null): FoundSites {
  const found = new SiteSet();
  const numberOfNode = column ?? sharedInt32(length);
  for (let node = 1; node < length; node++)
    numberOfNode[node] = found.row(method[parent[node]!]!, Math.max(0, callLine[node]!), method[node]!);
  return { found, numberOfNode, siteOfNumber: null };
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

/** Sums of all sites and groups in one pass. A call counts when its caller's node is in scope. O(nodes). */
export function callSiteAmounts(a: Analysis, sites: CallSites): CallSiteAmounts {
  const { parent, subtreeEnd, length } = a.profile.tree;
  const { scope, totalWeight, totalCount } = a;
  const { siteOfNode, group } = sites;
  const weighted = totalWeight !== totalCount;
  const count = new Float64Array(sites.line.length);
  const weight = weighted ? new Float64Array(count.length) : count;
  const groupCount = new Float64Array(sites.groups);
  const groupWeight = weighted ? new Float64Array(groupCount.length) : groupCount;
  const coveredUntil = new Int32Array(count.length);
  const groupCoveredUntil = new Int32Array(groupCount.length);
  for (let node = 1; node < length; node++) {
    if (scope !== null && scope[parent[node]!] !== 1) continue;
    const site = siteOfNode[node]!;
    const own = group[site]!;
    if (node >= coveredUntil[site]!) {
      coveredUntil[site] = subtreeEnd[node]!;
      count[site]! += totalCount[node]!;
      if (weighted) weight[site]! += totalWeight[node]!;
    }
    if (own === -1 || node < groupCoveredUntil[own]!) continue;
    groupCoveredUntil[own] = subtreeEnd[node]!;
    groupCount[own]! += totalCount[node]!;
    if (weighted) groupWeight[own]! += totalWeight[node]!;
  }
  return { weight, count, groupWeight, groupCount };
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

/** Distinct triples in the order in which they came; open addressing over columns. */
class SiteSet {
  length = 0;
  caller = new Int32Array(1 << 12);
  line = new Int32Array(1 << 12);
  callee = new Int32Array(1 << 12);
  /** Row + 1, 0 is free. Always at least twice as many slots as rows. */
  #slots = new Int32Array(1 << 13);

  /** Row of a triple, made when new. */
  row(caller: number, line: number, callee: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash3(caller, line, callee) & mask;
    for (;;) {
      const row = this.#slots[slot]! - 1;
      if (row < 0) break;
      if (this.callee[row] === callee && this.line[row] === line && this.caller[row] === caller) return row;
      slot = (slot + 1) & mask;
    }
    if (this.length === this.caller.length) {
      this.#grow();
      return this.row(caller, line, callee);
    }
    this.#slots[slot] = this.length + 1;
    this.caller[this.length] = caller;
    this.line[this.length] = line;
    this.callee[this.length] = callee;
    return this.length++;
  }

  #grow(): void {
    const twice = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const column = new Int32Array(old.length * 2);
      column.set(old);
      return column;
    };
    this.caller = twice(this.caller);
    this.line = twice(this.line);
    this.callee = twice(this.callee);
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let row = 0; row < this.length; row++) {
      let slot = hash3(this.caller[row]!, this.line[row]!, this.callee[row]!) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = row + 1;
    }
  }
}
