// The surroundings of a set of methods: callers, calls, lines, threads.

import { noPause, type Pause } from '../base/pause.ts';
import { ROOT_METHOD, type ThreadTable } from '../cct/profile.ts';
import { threadGroups } from '../cct/thread-groups.ts';
import type { Amount, Analysis } from './analysis.ts';
import type { CallSiteAmounts, CallSites } from './call-sites.ts';
import { effectiveSampleSize } from './interval.ts';
import { heaviestFirst, KeyedAmounts } from './keyed-amounts.ts';
import { forEachCell, forEachOwnCell, type MethodSet, nodesOfSet, visitFrames } from './node-walks.ts';
import { firstCell, stretchOf } from './stretches.ts';

/** Nodes or cells looked at in one step. */
const STEP = 1 << 15;

export type MethodAndAmount = { readonly method: number; readonly amount: Amount };
export type LineAndAmount = { readonly line: number; readonly amount: Amount };
export type ThreadAndAmount = { readonly thread: number; readonly amount: Amount };
/** `threads` is how many of the summed thread rows belong to the group. */
type GroupAndAmount = { readonly group: string; readonly threads: number; readonly amount: Amount };
/** One callee at one line of the asked methods. `line` is 0 where the recorder gave none. */
export type CallSite = MethodAndAmount & LineAndAmount;

/** Per caller row: samples whose stack has the caller directly followed by the set, once. Heaviest first; the root is no caller. */
export function callersOf(a: Analysis, set: MethodSet, pause: Pause = noPause): MethodAndAmount[] {
  const { method, parent, subtreeEnd } = a.profile.tree;
  const sums = new KeyedAmounts();
  const nodes = nodesOfSet(a, set, pause);
  for (let i = 0; i < nodes.length; i++) {
    if (i % STEP === STEP - 1) pause();
    const node = nodes[i]!;
    const caller = node === 0 ? ROOT_METHOD : method[parent[node]!]!;
    if (caller === ROOT_METHOD) continue;
    const entry = sums.entry(caller, 0);
    const at = stretchOf(a.stretches, node);
    sums.addSubtree(entry, node, subtreeEnd[node]!, a.totalWeight[at]!, a.totalCount[at]!);
  }
  pause();
  const callers = sums.list((caller, _, amount) => ({ method: caller, amount }));
  return callers.sort((x, y) => heaviestFirst(x, y) || x.method - y.method);
}

/** Per line of the set: samples with at least one frame of the set on it, once. Ascending; line 0 stands for unknown. */
export function linesOf(a: Analysis, set: MethodSet, pause: Pause = noPause): LineAndAmount[] {
  const { callLine, subtreeEnd } = a.profile.tree;
  const sums = new KeyedAmounts();
  let running = 0;
  const addSelf = (line: number, weight: number, count: number) => {
    sums.addSelf(sums.entry(line, 0), running, weight, count);
  };
  visitFrames(
    a,
    nodesOfSet(a, set, pause),
    node => {
      running = node;
      forEachOwnCell(a, node, addSelf);
    },
    child => {
      const entry = sums.entry(Math.max(0, callLine[child]!), 0);
      const at = stretchOf(a.stretches, child);
      sums.addSubtree(entry, child, subtreeEnd[child]!, a.totalWeight[at]!, a.totalCount[at]!);
    },
    pause,
  );
  return sums.list((line, _, amount) => ({ line, amount })).sort((x, y) => x.line - y.line);
}

/** Per call site and callee row: samples whose stack has the set at that line directly followed by the callee, once. Heaviest first. */
export function calleesOf(a: Analysis, set: MethodSet, pause: Pause = noPause): CallSite[] {
  const { method, callLine, subtreeEnd } = a.profile.tree;
  const sums = new KeyedAmounts();
  visitFrames(
    a,
    nodesOfSet(a, set, pause),
    () => {},
    child => {
      const entry = sums.entry(method[child]!, Math.max(0, callLine[child]!));
      const at = stretchOf(a.stretches, child);
      sums.addSubtree(entry, child, subtreeEnd[child]!, a.totalWeight[at]!, a.totalCount[at]!);
    },
    pause,
  );
  return heaviestSites(sums.list((callee, line, amount) => ({ method: callee, line, amount })));
}

/** Per callee row, on any line: samples whose stack has the set directly followed by the callee, once. Heaviest first. */
export function calleeMethodsOf(a: Analysis, set: MethodSet, pause: Pause = noPause): MethodAndAmount[] {
  const { method, subtreeEnd } = a.profile.tree;
  const sums = new KeyedAmounts();
  visitFrames(
    a,
    nodesOfSet(a, set, pause),
    () => {},
    child => {
      const entry = sums.entry(method[child]!, 0);
      const at = stretchOf(a.stretches, child);
      sums.addSubtree(entry, child, subtreeEnd[child]!, a.totalWeight[at]!, a.totalCount[at]!);
    },
    pause,
  );
  const callees = sums.list((callee, _, amount) => ({ method: callee, amount }));
  return callees.sort((x, y) => heaviestFirst(x, y) || x.method - y.method);
}

/** The same as `calleesOf` of one method, looked up. */
export function calleesInTable(sites: CallSites, amounts: CallSiteAmounts, method: number): CallSite[] {
  const { offsets, line, callee } = sites;
  const found: CallSite[] = [];
  for (let row = offsets[method]!; row < offsets[method + 1]!; row++) {
    const amount = { weight: amounts.weight[row]!, count: amounts.count[row]! };
    if (amount.weight !== 0 || amount.count !== 0) found.push({ method: callee[row]!, line: line[row]!, amount });
  }
  return heaviestSites(found);
}

function heaviestSites(sites: CallSite[]): CallSite[] {
  return sites.sort((x, y) => heaviestFirst(x, y) || x.line - y.line || x.method - y.method);
}

/** Per group of threads, named by its first row: the part of M(set) sampled on it. Heaviest first. */
export function threadsOf(a: Analysis, set: MethodSet, pause: Pause = noPause): ThreadAndAmount[] {
  const { thread } = a.profile.cells[a.selection.metric]!;
  const { of: groups, firsts } = threadGroups(a.profile.threads);
  const weights = new Float64Array(firsts.length);
  const counts = new Float64Array(firsts.length);
  visitCells(
    a,
    set,
    (_, weight, count, row) => {
      const group = groups[thread[row]!]!;
      weights[group]! += weight;
      counts[group]! += count;
    },
    pause,
  );
  return threadAmounts(firsts, weights, counts);
}

/** @param firsts the first row of each group */
export function threadAmounts(
  firsts: readonly number[],
  weights: Float64Array,
  counts: Float64Array,
): ThreadAndAmount[] {
  const threads: ThreadAndAmount[] = [];
  for (const [group, thread] of firsts.entries()) {
    const amount = { weight: weights[group]!, count: counts[group]! };
    if (amount.weight > 0 || amount.count > 0) threads.push({ thread, amount });
  }
  return threads.sort((x, y) => heaviestFirst(x, y) || x.thread - y.thread);
}

/** The amounts of thread rows by thread group, heaviest first. Each sample is on one thread, so that a group has the sum of its rows. */
export function groupsOf({ group }: ThreadTable, rows: readonly ThreadAndAmount[]): GroupAndAmount[] {
  const sums = new Map<string, { threads: number; weight: number; count: number }>();
  for (const { thread, amount } of rows) {
    const name = group[thread]!;
    const sum = sums.get(name) ?? { threads: 0, weight: 0, count: 0 };
    sums.set(name, sum);
    sum.threads++;
    sum.weight += amount.weight;
    sum.count += amount.count;
  }
  const groups = Array.from(sums, ([name, { threads, ...amount }]) => ({ group: name, threads, amount }));
  return groups.sort(heaviestFirst);
}

/** n_eff = (Σw)²/Σw² of M(set): the number of equally weighted samples with the same sampling error; the count for unweighted metrics. */
export function effectiveSamplesOf(a: Analysis, set: MethodSet, pause: Pause = noPause): number {
  const { weightSquares, node } = a.profile.cells[a.selection.metric]!;
  let total = 0;
  let squares = 0;
  let samples = 0;
  visitCells(
    a,
    set,
    (_line, weight, count, row) => {
      // Partial stacks stand below the root, which itself counts.
      if (a.scope !== null && a.scope[node[row]!] !== 1) return;
      samples += count;
      if (weightSquares === null) return;
      total += weight;
      squares += weightSquares[row]!;
    },
    pause,
  );
  return weightSquares === null ? samples : effectiveSampleSize(total, squares);
}

/** Visits the selected cells at or below the set's outermost nodes. */
export function visitCells(a: Analysis, set: MethodSet, visit: Parameters<typeof forEachCell>[3], pause: Pause): void {
  const { subtreeEnd } = a.profile.tree;
  let [coveredUntil, visited] = [-1, 0];
  for (const node of nodesOfSet(a, set, pause)) {
    if (node < coveredUntil) continue;
    coveredUntil = subtreeEnd[node]!;
    const end = firstCell(a.stretches, coveredUntil);
    for (let from = firstCell(a.stretches, node); from < end; ) {
      const to = Math.min(end, from + STEP - visited);
      forEachCell(a, from, to, visit);
      visited += to - from;
      from = to;
      if (visited < STEP) continue;
      visited = 0;
      pause();
    }
  }
}
