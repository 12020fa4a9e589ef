// The surroundings of all methods at once: callers, callees, lines and threads in two passes over the tree, to be looked up.

import { noPause, type Pause } from '../base/pause.ts';
import { threadGroups } from '../cct/thread-groups.ts';
import type { Analysis } from './analysis.ts';
import type { CallSites } from './call-sites.ts';
import type { MethodTimes } from './method-times.ts';
import type { SeenLines } from './self-lines.ts';

/**
 * A *pair* is a caller with a callee, on any line; a *line row* is a row of the lines seen, or, behind those, the row of a
 * method for lines that are not known.
 */
export type AroundTables = {
  /** Pair of each call site, by the first site of the pair. */
  readonly pairOfSite: Int32Array;
  /** Per pair, at its first site: samples with the callee directly below the caller, once; frames above a focus count as callers. */
  readonly callers: MethodTimes;
  /** The same where the caller counts itself. */
  readonly callees: MethodTimes;
  /** Per line row: samples with a frame of the method on the line, once. */
  readonly lines: MethodTimes;
  /** Per method, `threadBytes` bytes: bit g is set where group g of threads has samples of it. */
  readonly threads: Uint8Array;
  readonly threadBytes: number;
  /** Per method: squares of the weights of its samples; empty where every sample weighs the same. */
  readonly squares: Float64Array;
};

/** More bytes than this are not spent on threads; a question walks the tree then. */
const MOST_THREAD_BYTES = 4 << 20;
/** Nodes looked at in one step. */
const STEP = 1 << 15;

function emptyAroundTables(a: Analysis, sites: CallSites, seen: SeenLines): AroundTables {
  const { methods, threads, cells } = a.profile;
  const isWeighted = a.totalWeight !== a.totalCount;
  const column = (length: number): MethodTimes => {
    const count = new Float64Array(length);
    return { count, weight: isWeighted ? new Float64Array(length) : count };
  };
  const callees = column(sites.callee.length);
  const threadBytes = Math.ceil(threadGroups(threads).firsts.length / 8);
  const hasThreads = threadBytes * methods.length <= MOST_THREAD_BYTES;
  return {
    pairOfSite: new Int32Array(sites.callee.length),
    callees,
    callers: a.selection.focus === undefined ? callees : column(sites.callee.length),
    lines: column(seen.line.length + methods.length),
    threads: new Uint8Array(hasThreads ? threadBytes * methods.length : 0),
    threadBytes: hasThreads ? threadBytes : 0,
    squares: new Float64Array(cells[a.selection.metric]!.weightSquares === null ? 0 : methods.length),
  };
}

/** Fills the tables. O(nodes + cells). */
export function aroundTables(a: Analysis, sites: CallSites, seen: SeenLines, pause: Pause = noPause): AroundTables {
  const tables = emptyAroundTables(a, sites, seen);
  findPairs(tables.pairOfSite, sites, a.profile.methods.length);
  pause();
  const lineOfSite = lineRows(sites, seen);
  pause();
  addCalls(tables, a, sites, seen, lineOfSite, pause);
  addPaths(tables, a, pause);
  return tables;
}

function findPairs(pairOfSite: Int32Array, { offsets, callee }: CallSites, methods: number): void {
  const first = new Int32Array(methods).fill(-1);
  for (let m = 0; m < methods; m++) {
    for (let site = offsets[m]!; site < offsets[m + 1]!; site++) {
      const known = first[callee[site]!]!;
      // Sites of one caller are neighbours: an older entry belongs to another caller.
      if (known < offsets[m]!) first[callee[site]!] = site;
      pairOfSite[site] = first[callee[site]!]!;
    }
  }
}

function lineRows({ offsets, line }: CallSites, seen: SeenLines): Int32Array {
  const rows = new Int32Array(line.length);
  for (let m = 0; m + 1 < offsets.length; m++) {
    let row = seen.offset[m]!;
    for (let site = offsets[m]!; site < offsets[m + 1]!; site++) {
      while (row < seen.offset[m + 1]! && seen.line[row]! < line[site]!) row++;
      rows[site] = line[site]! > 0 ? row : seen.line.length + m;
    }
  }
  return rows;
}

/** Each node as a call of its parent, and as a frame that runs itself. */
function addCalls(
  { pairOfSite, callers, callees, lines }: AroundTables,
  a: Analysis,
  { siteOfNode }: CallSites,
  seen: SeenLines,
  lineOfSite: Int32Array,
  pause: Pause,
): void {
  const { parent, method, subtreeEnd, length } = a.profile.tree;
  const { scope, stretches, totalCount, totalWeight } = a;
  const calleesUntil = new Int32Array(pairOfSite.length);
  const callersUntil = callers === callees ? calleesUntil : new Int32Array(pairOfSite.length);
  const linesUntil = new Int32Array(lines.count.length);
  const cells = a.profile.cells[a.selection.metric]!;
  const { threads, windows, metric, path } = a.selection;
  const satisfied = path?.satisfied[metric];
  const add = (sums: MethodTimes, row: number, weight: number, count: number) => {
    sums.count[row]! += count;
    if (sums.weight !== sums.count) sums.weight[row]! += weight;
  };
  for (let node = 0, at = 0; node < length; node++) {
    if (node % STEP === STEP - 1) pause();
    if (node > stretches.ends[at]!) at++;
    if (scope !== null && scope[node] !== 1) continue;
    const end = subtreeEnd[node]!;
    if (node > 0) {
      const pair = pairOfSite[siteOfNode[node]!]!;
      if (callers !== callees && node >= callersUntil[pair]!) {
        callersUntil[pair] = end;
        add(callers, pair, totalWeight[at]!, totalCount[at]!);
      }
      if (scope === null || scope[parent[node]!] === 1) {
        if (node >= calleesUntil[pair]!) {
          calleesUntil[pair] = end;
          add(callees, pair, totalWeight[at]!, totalCount[at]!);
        }
        const row = lineOfSite[siteOfNode[node]!]!;
        if (node >= linesUntil[row]!) {
          linesUntil[row] = end;
          add(lines, row, totalWeight[at]!, totalCount[at]!);
        }
      }
    }
    if (node < stretches.ends[at]!) continue;
    for (let cell = stretches.firstCell[at]!; cell < stretches.firstCell[at + 1]!; cell++) {
      if (threads !== undefined && threads[cells.thread[cell]!] !== 1) continue;
      if (windows !== undefined && windows[cells.window[cell]!] !== 1) continue;
      if (satisfied !== undefined && satisfied[cell] !== 1) continue;
      const row = lineRow(seen, method[node]!, cells.line[cell]!);
      if (node >= linesUntil[row]!) add(lines, row, cells.weight[cell]!, cells.count[cell]!);
    }
  }
}

function lineRow({ offset, line }: SeenLines, method: number, wanted: number): number {
  if (wanted <= 0) return line.length + method;
  let low = offset[method]!;
  for (let high = offset[method + 1]!; low < high; ) {
    const middle = (low + high) >> 1;
    if (line[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds the threads, and the squares of weights, below the outermost frame of each method. Nodes are left in the order of their ends. */
function addPaths({ threads, threadBytes, squares }: AroundTables, a: Analysis, pause: Pause): void {
  const { method, subtreeEnd, depth, length } = a.profile.tree;
  const cells = a.profile.cells[a.selection.metric]!;
  const { stretches, scope } = a;
  const { threads: wanted, windows, metric, path } = a.selection;
  const satisfied = path?.satisfied[metric];
  const groups = threadGroups(a.profile.threads).of;
  let deepest = 0;
  for (let node = 0; node < length; node++) deepest = Math.max(deepest, depth[node]!);
  pause();
  // Sums of the open nodes, by depth.
  const open = new Int32Array(deepest + 1);
  const bits = new Uint8Array((deepest + 2) * threadBytes);
  const sums = new Float64Array(deepest + 2);
  const openOf = new Int32Array(a.profile.methods.length);
  let top = -1;
  const close = () => {
    const node = open[top]!;
    const level = depth[node]!;
    const m = method[node]!;
    const counts = scope === null || scope[node] === 1;
    if (counts) openOf[m]!--;
    if (counts && squares.length > 0 && openOf[m] === 0) squares[m]! += sums[level]!;
    for (let i = 0; i < threadBytes; i++) {
      const own = bits[level * threadBytes + i]!;
      if (own === 0) continue;
      if (counts) {
        threads[m * threadBytes + i]! |= own;
        if (level > 0) bits[(level - 1) * threadBytes + i]! |= own;
      }
      bits[level * threadBytes + i] = 0;
    }
    if (counts && level > 0) sums[level - 1]! += sums[level]!;
    sums[level] = 0;
    top--;
  };
  for (let node = 0, at = 0; node < length; node++) {
    if (node % STEP === STEP - 1) pause();
    if (node > stretches.ends[at]!) at++;
    while (top >= 0 && subtreeEnd[open[top]!]! <= node) close();
    open[++top] = node;
    const isIn = scope === null || scope[node] === 1;
    // Frames outside of the selection do not make frames below them inner ones.
    if (!isIn) continue;
    openOf[method[node]!]!++;
    if (node < stretches.ends[at]!) continue;
    for (let cell = stretches.firstCell[at]!; cell < stretches.firstCell[at + 1]!; cell++) {
      const thread = cells.thread[cell]!;
      if (wanted !== undefined && wanted[thread] !== 1) continue;
      if (windows !== undefined && windows[cells.window[cell]!] !== 1) continue;
      if (satisfied !== undefined && satisfied[cell] !== 1) continue;
      if (squares.length > 0) sums[depth[node]!]! += cells.weightSquares![cell]!;
      if (threadBytes > 0 && (cells.count[cell]! > 0 || cells.weight[cell]! > 0))
        bits[depth[node]! * threadBytes + (groups[thread]! >> 3)]! |= 1 << (groups[thread]! & 7);
    }
  }
  while (top >= 0) close();
}
