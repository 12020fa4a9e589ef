// Takes out of a profile what none of its samples and times refers to: nodes, methods, threads and metrics.

import { isProcessorLoad } from './processor-load.ts';
import { type Cct, type Cells, type MethodTable, PARTIAL_METHOD, type Profile, type ThreadTable } from './profile.ts';
import { sharedInt32, sharedUint8 } from './shared-columns.ts';
import { moveTimes, sameRows } from './times.ts';

/** The same samples and times over the smallest tree and tables that hold them. */
export function pruneProfile(profile: Profile): Profile {
  const filled = profile.metrics.map((_, i) => i).filter(i => profile.cells[i]!.length > 0);
  // The time of a JVM says nothing where no sample is.
  const used = filled.every(i => isProcessorLoad(profile.metrics[i]!)) ? [] : filled;
  const [metrics, cells] = [used.map(i => profile.metrics[i]!), used.map(i => profile.cells[i]!)];
  return pruneTables({ ...profile, metrics, cells });
}

/** The same with all metrics, also metrics without samples. */
export function pruneTables(profile: Profile): Profile {
  const { tree, methods, threads, cells, times } = profile;
  const rows = usedNodes(tree, cells);
  const threadRows = new Int32Array(threads.length).fill(-1);
  for (const { thread } of cells) for (const row of thread) threadRows[row] = 0;
  const keptThreads = number(threadRows);
  const methodRows = new Int32Array(methods.length).fill(-1).fill(0, 0, PARTIAL_METHOD + 1);
  for (let node = 0; node < tree.length; node++) if (rows[node]! >= 0) methodRows[tree.method[node]!] = 0;
  for (const column of times === undefined ? [] : [times.method, times.caller])
    for (const row of column) methodRows[row] = 0;
  const keptMethods = number(methodRows);
  const moved = moveTimes(times, methodRows, sameRows(profile.windows.length));
  return {
    ...profile,
    ...(moved !== undefined && { times: moved }),
    tree: pruneTree(tree, rows, methodRows),
    methods: pruneMethods(methods, keptMethods),
    threads: pruneThreads(threads, keptThreads),
    cells: cells.map(each => moveCells(each, rows, threadRows)),
  };
}

/** The new row of each node that has samples at or below it; −1 for the others. The root stays. */
function usedNodes(tree: Cct, cells: readonly Cells[]): Int32Array {
  const rows = new Int32Array(tree.length).fill(-1);
  rows[0] = 0;
  for (const { node } of cells) for (let i = 0; i < node.length; i++) rows[node[i]!] = 0;
  for (let node = tree.length - 1; node > 0; node--) if (rows[node] === 0) rows[tree.parent[node]!] = 0;
  number(rows);
  return rows;
}

/** Numbers the rows that are not −1, in place; returns which they are. */
function number(rows: Int32Array): number[] {
  const kept: number[] = [];
  for (let row = 0; row < rows.length; row++) if (rows[row]! >= 0) rows[row] = kept.push(row) - 1;
  return kept;
}

function pruneTree(tree: Cct, rows: Int32Array, methodRows: Int32Array): Cct {
  let length = 0;
  for (const row of rows) if (row >= 0) length++;
  const [parent, method, callLine] = [sharedInt32(length), sharedInt32(length), sharedInt32(length)];
  const [subtreeEnd, depth] = [sharedInt32(length), sharedInt32(length)];
  for (let node = 0; node < tree.length; node++) {
    const row = rows[node]!;
    if (row < 0) continue;
    parent[row] = node === 0 ? -1 : rows[tree.parent[node]!]!;
    method[row] = methodRows[tree.method[node]!]!;
    callLine[row] = tree.callLine[node]!;
    depth[row] = tree.depth[node]!;
    subtreeEnd[row] = row + 1;
  }
  for (let row = length - 1; row > 0; row--) {
    const above = parent[row]!;
    if (subtreeEnd[row]! > subtreeEnd[above]!) subtreeEnd[above] = subtreeEnd[row]!;
  }
  return { length, parent, method, callLine, subtreeEnd, depth };
}

function pruneMethods(methods: MethodTable, kept: readonly number[]): MethodTable {
  const strings: string[] = [];
  const rows = new Map<number, number>();
  const stringRow = (old: number) => {
    if (old < 0) return -1;
    let row = rows.get(old);
    if (row === undefined) {
      row = strings.push(methods.strings[old]!) - 1;
      rows.set(old, row);
    }
    return row;
  };
  const column = (of: (method: number) => number) => {
    const out = sharedInt32(kept.length);
    for (const [row, method] of kept.entries()) out[row] = of(method);
    return out;
  };
  return {
    length: kept.length,
    className: column(method => stringRow(methods.className[method]!)),
    name: column(method => stringRow(methods.name[method]!)),
    descriptor: column(method => stringRow(methods.descriptor[method]!)),
    flags: column(method => methods.flags[method]!),
    strings,
  };
}

function pruneThreads(threads: ThreadTable, kept: readonly number[]): ThreadTable {
  const virtual = sharedUint8(kept.length);
  for (const [row, thread] of kept.entries()) virtual[row] = threads.virtual[thread]!;
  return {
    length: kept.length,
    group: kept.map(thread => threads.group[thread]!),
    name: kept.map(thread => threads.name[thread]!),
    virtual,
    rawNames: kept.map(thread => threads.rawNames[thread]!),
  };
}

function moveCells(cells: Cells, rows: Int32Array, threadRows: Int32Array): Cells {
  const move = (column: Int32Array, to: Int32Array) => {
    const out = sharedInt32(cells.length);
    for (let i = 0; i < cells.length; i++) out[i] = to[column[i]!]!;
    return out;
  };
  return { ...cells, node: move(cells.node, rows), thread: move(cells.thread, threadRows) };
}
