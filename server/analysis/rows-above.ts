// Parts between the root of a picture and the first row that is drawn: callers need them to find the same call paths in other data.
import type { Layout } from '../metrics/parts/lay-out.ts';
import type { Part } from '../metrics/parts/parts.ts';

/** Rows are parts, each behind the one above it. */
export type RowsAbove = {
  /** −1 for the root. */
  readonly parent: Int32Array;
  /** Row of the method table. */
  readonly method: Int32Array;
  /** Per box of the first row that is drawn: the part above it; −1 for other boxes, and where the root is drawn. */
  readonly ofBox: Int32Array;
};

/** @param roots the root of the picture, also as the parts below know it. */
export function rowsAbove(boxes: Layout['boxes'], roots: readonly Part[]): RowsAbove {
  const rows = new Map<Part, number>();
  const [parent, method]: number[][] = [[], []];
  const add = (part: Part, above: number) => {
    rows.set(part, parent!.length);
    parent!.push(above);
    method!.push(part.method);
  };
  const rowOf = (part: Part): number => {
    const missing: Part[] = [];
    let at = part;
    for (; !rows.has(at) && !roots.includes(at) && at.above !== null; at = at.above) missing.push(at);
    const known = roots.includes(at) ? roots[0]! : at;
    if (!rows.has(known)) add(known, -1);
    let row = rows.get(known)!;
    for (const each of missing.reverse()) {
      add(each, row);
      row = rows.get(each)!;
    }
    return row;
  };
  const ofBox = Int32Array.from(boxes, ({ part, above, row }) =>
    above >= 0 || row === 0 || part.above === null ? -1 : rowOf(part.above),
  );
  return { parent: Int32Array.from(parent!), method: Int32Array.from(method!), ofBox };
}
