// Which contexts of two compared trees a picture begins with: always the one below which most of the difference is hidden.
import type { Pause } from '../../base/pause.ts';
import type { Scale } from './scaling.ts';
import type { TreeComparison } from './tree-comparison.ts';

/** A picture with more contexts is no first look. */
const MOST = 60;
/** The rest of the difference is not worth more contexts. */
const SHOWN = 0.95;
/** Rows between two pauses. */
const STEP = 1 << 14;

/**
 * Rows that are shown first: the rows of `begun`, then always the child of a shown row at or below which contexts differ most by
 * themselves (the sum of |growth of the own amount|), until 60 are shown or 95 % of all of it is. O(rows).
 * @param recorder per label: 1 for methods of the recorder, which are left out. @param begun parents before children.
 */
export function bestFirst(
  comparison: TreeComparison,
  scale: Scale,
  recorder: Uint8Array,
  begun: readonly number[],
  pause: Pause,
): number[] {
  const own = ownChanges(comparison, scale, recorder);
  const below = sumsBelow(comparison, own, pause);
  const shown = [...begun];
  const isShown = new Set(begun);
  const hidden = new Set<number>();
  const showChildrenOf = (row: number): void => {
    for (const child of comparison.childrenOf(row)) if (!isShown.has(child) && below[child]! > 0) hidden.add(child);
  };
  let left = SHOWN * below[0]! - begun.reduce((sum, row) => sum + own[row]!, 0);
  for (const row of begun) showChildrenOf(row);
  while (shown.length < MOST && left > 0 && hidden.size > 0) {
    let best = -1;
    for (const row of hidden) if (best < 0 || below[row]! > below[best]!) best = row;
    hidden.delete(best);
    isShown.add(best);
    shown.push(best);
    left -= own[best]!;
    showChildrenOf(best);
  }
  return shown;
}

/** Per row: how much the scaled amount of the context itself differs. */
function ownChanges(comparison: TreeComparison, { by }: Scale, recorder: Uint8Array): Float64Array {
  const [before, now] = comparison.selfColumns();
  const own = new Float64Array(comparison.length);
  for (let row = 0; row < own.length; row++)
    if (recorder[comparison.label[row]!] !== 1) own[row] = Math.abs(now[row]! / by[1] - before[row]! / by[0]);
  return own;
}

/** Per row: the sum at and below it. A matched context may have a smaller number than its parent: leaves come first. */
function sumsBelow(comparison: TreeComparison, own: Float64Array, pause: Pause): Float64Array {
  const sums = own.slice();
  const parent = new Int32Array(sums.length).fill(-1);
  const waiting = new Int32Array(sums.length);
  for (let row = 1; row < sums.length; row++) {
    if (row % STEP === 0) pause();
    if (comparison.stateOf(row) === null) continue;
    parent[row] = comparison.parentOf(row);
    waiting[parent[row]!]!++;
  }
  for (let leaf = 0; leaf < sums.length; leaf++) {
    if (leaf % STEP === 0) pause();
    if (waiting[leaf] !== 0) continue;
    // A row is taken once: as a leaf, or when its last child is.
    waiting[leaf] = -1;
    for (let row = leaf, above = parent[row]!; above >= 0; row = above, above = parent[row]!) {
      sums[above]! += sums[row]!;
      if (--waiting[above]! > 0) break;
      waiting[above] = -1;
    }
  }
  return sums;
}
