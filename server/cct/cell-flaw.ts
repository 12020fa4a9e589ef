// Checks that the cells of one metric are in order and point into their tables.
import type { Cells } from './profile.ts';

/** One broken invariant of profile.ts and where. */
type Flaw = {
  /** Its number in profile.ts. */
  readonly invariant: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  readonly column: string;
  readonly row: number;
  readonly message: string;
};

/** Lengths of the tables that cells point into. */
type CellLimits = { readonly nodes: number; readonly threads: number; readonly windows: number };

/** The first row that breaks invariant 5 or 6, or null. `name` begins the column's name in the answer. */
export function findCellFlaw(cells: Cells, limits: CellLimits, name: string): Flaw | null {
  const { length, node, thread, line, window, count, weight, weightSquares } = cells;
  for (const column of [node, thread, line, window, count, weight, weightSquares]) {
    if (column !== null && column.length !== length) {
      return { invariant: 5, column: name, row: column.length, message: `has not ${length} rows in every column` };
    }
  }
  const flaw = (invariant: 5 | 6, column: string, row: number, message: string): Flaw => ({
    invariant,
    column: `${name}.${column}`,
    row,
    message,
  });
  for (let i = 0; i < length; i++) {
    if (!(node[i]! >= 0 && node[i]! < limits.nodes)) return flaw(5, 'node', i, 'points outside its table');
    if (!(thread[i]! >= 0 && thread[i]! < limits.threads)) return flaw(5, 'thread', i, 'points outside its table');
    if (!(window[i]! >= 0 && window[i]! < limits.windows)) return flaw(5, 'window', i, 'points outside its table');
    if (!(count[i]! >= 0 && count[i]! < Number.POSITIVE_INFINITY)) return flaw(6, 'count', i, 'is no count');
    if (!(weight[i]! >= 0 && weight[i]! < Number.POSITIVE_INFINITY)) return flaw(6, 'weight', i, 'is no weight');
    if (weightSquares === null && weight[i] !== count[i]) return flaw(6, 'weight', i, 'is not the count');
    if (weightSquares !== null && !(weightSquares[i]! >= 0 && weightSquares[i]! < Number.POSITIVE_INFINITY)) {
      return flaw(6, 'weightSquares', i, 'is no sum of squares');
    }
    if (i === 0) continue;
    const order =
      node[i]! - node[i - 1]! || thread[i]! - thread[i - 1]! || line[i]! - line[i - 1]! || window[i]! - window[i - 1]!;
    if (order <= 0) return flaw(6, 'node', i, 'is not in order');
  }
  return null;
}
