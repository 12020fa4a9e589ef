// Trees for tests of comparisons: drawn as nested lists, compared by the names of their methods, and told as plain values.

import { noPause } from '../../../server/base/pause.ts';
import { type ContextState, TreeComparison } from '../../../server/capabilities/compare/tree-comparison.ts';
import type { ComparedSide } from '../../../server/capabilities/compare/united-tree.ts';

/** A context: its method, what it has itself, and what it calls. */
export type Drawn = { readonly method: string; readonly self: number; readonly calls: readonly Drawn[] };

export function drawn(method: string, self: number, ...calls: readonly Drawn[]): Drawn {
  return { method, self, calls };
}

export function totalOf({ self, calls }: Drawn): number {
  return calls.reduce((sum, call) => sum + totalOf(call), self);
}

/** One side as columns; the drawn contexts stand below its root. Labels are rows of `names`, which grows. */
export function sideOf(tops: readonly Drawn[], names: string[], line = 1): ComparedSide {
  const [parent, method, callLine, subtreeEnd, depth]: number[][] = [[-1], [0], [0], [0], [0]];
  const total: number[] = [0];
  const add = (each: Drawn, above: number): void => {
    const row = parent!.push(above) - 1;
    method!.push(names.includes(each.method) ? names.indexOf(each.method) : names.push(each.method) - 1);
    callLine!.push(line);
    depth!.push(depth![above]! + 1);
    total.push(totalOf(each));
    for (const call of each.calls) add(call, row);
    subtreeEnd![row] = parent!.length;
  };
  for (const each of tops) add(each, 0);
  subtreeEnd![0] = parent!.length;
  const columns = [parent, method, callLine, subtreeEnd, depth].map(column => Int32Array.from(column!));
  const whole = tops.reduce((sum, each) => sum + totalOf(each), 0);
  return {
    tree: {
      length: parent!.length,
      parent: columns[0]!,
      method: columns[1]!,
      callLine: columns[2]!,
      subtreeEnd: columns[3]!,
      depth: columns[4]!,
    },
    label: Int32Array.from({ length: 1000 }, (_, row) => row),
    tops: Int32Array.from(Array.from({ length: parent!.length }, (_, row) => row).filter(row => parent![row] === 0)),
    total: Float64Array.from([whole, ...total.slice(1)]),
    whole,
  };
}

/** A context of a comparison. */
export type Told = {
  readonly state: ContextState;
  /** Methods from the root on, as boxes stand. */
  readonly path: string;
  readonly total: readonly [number, number];
  readonly self: readonly [number, number];
  readonly children: number;
  readonly nearest: number;
};

/** All contexts below the root, each before those below it. */
export function compared(first: readonly Drawn[], second: readonly Drawn[]): Told[] {
  const namesIn = (each: Drawn): string[] => [each.method, ...each.calls.flatMap(namesIn)];
  const names = [...new Set([...first, ...second].flatMap(namesIn))].sort();
  const sides = [sideOf(first, names), sideOf(second, names)] as const;
  const comparison = new TreeComparison(...sides, 1000, noPause);
  const told: Told[] = [];
  const tell = (row: number, above: string): void => {
    for (const child of comparison.childrenOf(row)) {
      const path = `${above}/${names[comparison.label[child]!]}`;
      told.push({ path, ...comparison.amountsOf(child) });
      tell(child, path);
    }
  };
  tell(0, '');
  return told;
}
