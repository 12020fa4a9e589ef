// Brings cells into the order that a profile promises and adds up cells of the same place.

import type { Cells } from './profile.ts';
import { sharedFloat64, sharedInt32 } from './shared-columns.ts';

/**
 * Sorts by (node, thread, line, window) and adds up rows that agree in all four. Gives `cells` itself back when nothing is to do.
 * Linear: a counting sort by node, then small sorts inside each node.
 * @param nodes number of nodes in the tree
 */
export function sortCells(cells: Cells, nodes: number): Cells {
  const disorder = firstDisorder(cells);
  if (disorder === cells.length) return cells;
  return gather(cells, sortedRows(cells, nodes));
}

/** Row of the first cell that does not come after the one before it; the length when there is none. */
function firstDisorder({ length, node, thread, line, window }: Cells): number {
  for (let i = 1; i < length; i++) {
    const step = node[i]! - node[i - 1]!;
    if (step > 0) continue;
    if (step < 0) return i;
    const inner = thread[i]! - thread[i - 1]! || line[i]! - line[i - 1]! || window[i]! - window[i - 1]!;
    if (inner <= 0) return i;
  }
  return length;
}

/** Rows in sorted order; equal ones stand side by side. */
function sortedRows({ length, node, thread, line, window }: Cells, nodes: number): Int32Array {
  const starts = new Int32Array(nodes + 1);
  for (let i = 0; i < length; i++) starts[node[i]! + 1]!++;
  for (let n = 0; n < nodes; n++) starts[n + 1]! += starts[n]!;
  const rows = new Int32Array(length);
  for (let i = 0; i < length; i++) rows[starts[node[i]!]!++] = i;
  // starts[n] is now the end of node n's rows.
  const compare = (a: number, b: number) =>
    thread[a]! - thread[b]! || line[a]! - line[b]! || window[a]! - window[b]! || a - b;
  for (let n = 0, from = 0; n < nodes; n++) {
    const to = starts[n]!;
    if (to - from > 24) {
      rows.subarray(from, to).sort(compare);
    } else {
      for (let i = from + 1; i < to; i++) {
        const row = rows[i]!;
        let j = i;
        for (; j > from && compare(rows[j - 1]!, row) > 0; j--) rows[j] = rows[j - 1]!;
        rows[j] = row;
      }
    }
    from = to;
  }
  return rows;
}

function gather(cells: Cells, rows: Int32Array): Cells {
  const { node, thread, line, window, count, weight, weightSquares } = cells;
  const same = (a: number, b: number) =>
    node[a] === node[b] && thread[a] === thread[b] && line[a] === line[b] && window[a] === window[b];
  let length = 0;
  for (let i = 0; i < rows.length; i++) if (i === 0 || !same(rows[i]!, rows[i - 1]!)) length++;
  const total = sharedFloat64(length);
  const out = {
    length,
    node: sharedInt32(length),
    thread: sharedInt32(length),
    line: sharedInt32(length),
    window: sharedInt32(length),
    count: total,
    weight: weightSquares === null ? total : sharedFloat64(length),
    weightSquares: weightSquares === null ? null : sharedFloat64(length),
  };
  let to = -1;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (i === 0 || !same(row, rows[i - 1]!)) {
      to++;
      out.node[to] = node[row]!;
      out.thread[to] = thread[row]!;
      out.line[to] = line[row]!;
      out.window[to] = window[row]!;
    }
    out.count[to]! += count[row]!;
    if (weightSquares === null || out.weightSquares === null) continue;
    out.weight[to]! += weight[row]!;
    out.weightSquares[to]! += weightSquares[row]!;
  }
  return out;
}

/** All rows of the given cells in one table, one after the other. Null squares stand for squares equal to the count. */
export function concatenateCells(parts: readonly Cells[]): Cells {
  if (parts.length === 1) return parts[0]!;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const ints = (column: (part: Cells) => Int32Array) => {
    const out = sharedInt32(length);
    let at = 0;
    for (const part of parts) {
      out.set(column(part), at);
      at += part.length;
    }
    return out;
  };
  const floats = (column: (part: Cells) => Float64Array) => {
    const out = sharedFloat64(length);
    let at = 0;
    for (const part of parts) {
      out.set(column(part), at);
      at += part.length;
    }
    return out;
  };
  const plain = parts.every(part => part.weightSquares === null);
  const count = floats(part => part.count);
  return {
    length,
    node: ints(part => part.node),
    thread: ints(part => part.thread),
    line: ints(part => part.line),
    window: ints(part => part.window),
    count,
    weight: plain ? count : floats(part => part.weight),
    weightSquares: plain ? null : floats(part => part.weightSquares ?? part.count),
  };
}
