// The callers that an edit slows down or speeds up, as a tree: below each changed method and caller stand its callers.
import type { PredictedCaller, PredictedFile } from '../../analysis/prediction/prediction.ts';

/** `depth` is 1 for direct callers of edited methods. */
type TreeRow = PredictedCaller & { readonly depth: number };

/** Each caller once, below the first through which it changes; the largest change first. */
export function callersTree({ methods, callers }: PredictedFile): TreeRow[] {
  const below = new Map<number, PredictedCaller[]>();
  for (const caller of callers) for (const row of caller.through) below.set(row, [...(below.get(row) ?? []), caller]);
  const found: TreeRow[] = [];
  const seen = new Set<number>();
  const open = methods
    .flatMap(({ rows }) => rows.flatMap(row => below.get(row) ?? []))
    .map(caller => ({ caller, depth: 1 }));
  // A loop, since chains of callers are long.
  const pending = open.reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { caller, depth } = next;
    if (seen.has(caller.row)) continue;
    seen.add(caller.row);
    found.push({ ...caller, depth });
    for (const above of (below.get(caller.row) ?? []).toReversed()) pending.push({ caller: above, depth: depth + 1 });
  }
  // The callers between may change too little to be told.
  return [...found, ...callers.filter(({ row }) => !seen.has(row)).map(caller => ({ ...caller, depth: 1 }))];
}
