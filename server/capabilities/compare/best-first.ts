// Which contexts of two compared trees a picture begins with: always the one below which most of the difference is hidden.
import type { Pause } from '../../base/pause.ts';
import type { Scale } from './scaling.ts';
import type { TreeComparison } from './tree-comparison.ts';

/** A picture with more contexts is no first look. */
const MOST = 60;
/** The rest of the difference is not worth more contexts. */
const SHOWN = 0.95;

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
  const { own, below } = changesOf(comparison, scale, recorder, pause);
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

/** Per row: how much the scaled amount of the context itself differs, and the sum of it at and below the context. */
function changesOf(
  comparison: TreeComparison,
  { by }: Scale,
  recorder: Uint8Array,
  pause: Pause,
): { readonly own: Float64Array; readonly below: Float64Array } {
  const [before, now] = comparison.selfColumns();
  pause();
  // The trees are large: both columns are used again.
  const [own, below] = [before, now];
  for (let row = 0; row < own.length; row++) {
    const isLeftOut = recorder[comparison.label[row]!] === 1;
    own[row] = isLeftOut ? 0 : Math.abs(now[row]! / by[1] - before[row]! / by[0]);
    below[row] = own[row]!;
  }
  pause();
  comparison.addUp(below, pause);
  return { own, below };
}
