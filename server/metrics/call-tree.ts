// A part of the calling context tree as rows: below the roots or some methods downwards, or from some methods upwards to their callers.
import { noPause, type Pause } from '../base/pause.ts';
import type { Amount, Analysis } from './analysis.ts';
import { byWeight, type Part, Parts } from './parts/parts.ts';
import { walkedTree } from './parts/walked-tree.ts';

export type CallTreeWish = {
  readonly direction: 'callees' | 'callers';
  /** Rows of the method table that are taken as one and stand at the top; null for everything that is looked at (callees only). */
  readonly methods: readonly number[] | null;
  /** Levels below the top row. */
  readonly depth: number;
  /** Rows with less than this part of the top row's weight are left out. */
  readonly least: number;
  /** At most so many rows: the heaviest. */
  readonly rows: number;
};

/**
 * One method in one calling context; lines of calls do not tell contexts apart. Rows of one parent never have the same method, and each
 * sample is in at most one of them: recursion gives rows below rows.
 */
export type CallTreeRow = {
  /** ROOT_METHOD for the top row of everything; the first of the methods for the top row of a set. */
  readonly method: number;
  /** Index of the row above; −1 for the top row, which comes first. Rows stand in depth-first order, the heaviest of siblings first. */
  readonly parent: number;
  /** 0 for the top row. */
  readonly depth: number;
  readonly total: Amount;
  /** Of the total, what is in no row below it, shown or not: callees, what ran in the method itself; callers, stacks that begin with it. */
  readonly self: Amount;
};

/**
 * A level is worked out from the heaviest rows so far: no row is heavier than the one above it, so that one that is not among the
 * heaviest then never is.
 */
export function callTree(a: Analysis, wish: CallTreeWish, pause: Pause = noPause): CallTreeRow[] {
  const { direction, methods } = wish;
  const parts = new Parts(walkedTree(a), { direction, methods, library: null }, pause);
  const { top } = parts;
  let kept = [top];
  for (let level = 0, last = kept; last.length > 0; level++) {
    const next = last.flatMap(part => parts.below(part, pause));
    const least = wish.least * top.total.weight;
    const wanted = level < wish.depth ? next.filter(({ total }) => total.weight >= least) : [];
    // The order of sorting is stable: of equally heavy rows the upper one comes first.
    kept = [...kept, ...wanted].sort(byWeight).slice(0, Math.max(1, wish.rows));
    last = kept.filter(({ depth }) => depth === level + 1);
  }
  return inOrder(top, new Set(kept));
}

function inOrder(top: Part, kept: ReadonlySet<Part>): CallTreeRow[] {
  const rows: CallTreeRow[] = [];
  const pending = [{ part: top, parent: -1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { part, parent } = next;
    const { method, depth, total, own, below } = part;
    const row = rows.push({ method, parent, depth, total, self: own! }) - 1;
    for (const each of below!.toReversed()) if (kept.has(each)) pending.push({ part: each, parent: row });
  }
  return rows;
}
