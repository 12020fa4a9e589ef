// Cells made from the columns of others: some of their rows, or copies of all.

import type { Cells } from './profile.ts';
import { sharedFloat64, sharedInt32 } from './shared-columns.ts';

type Column = Int32Array | Float64Array;

/** Cells with each column made from the one of `cells`; where a weight is the count, it is so in the new ones. */
export function mapColumns(cells: Cells, length: number, make: <Of extends Column>(column: Of) => Of): Cells {
  const count = make(cells.count);
  return {
    length,
    node: make(cells.node),
    thread: make(cells.thread),
    line: make(cells.line),
    window: make(cells.window),
    count,
    weight: cells.weight === cells.count ? count : make(cells.weight),
    weightSquares: cells.weightSquares === null ? null : make(cells.weightSquares),
  };
}

/** The rows for which `isTaken` is true, in their order, in shared memory. */
export function takeCells(cells: Cells, isTaken: (row: number) => boolean): Cells {
  const rows: number[] = [];
  for (let row = 0; row < cells.length; row++) if (isTaken(row)) rows.push(row);
  return mapColumns(cells, rows.length, <Of extends Column>(column: Of) => {
    const taken = column instanceof Int32Array ? sharedInt32(rows.length) : sharedFloat64(rows.length);
    for (const [at, row] of rows.entries()) taken[at] = column[row]!;
    return taken as Of;
  });
}
