// Which contexts are responsible for the difference of two trees, and the way down on which the difference is largest.
import type { Pause } from '../../base/pause.ts';
import { isOfRecorder } from './recorder.ts';
import { type OwnAmounts, ownAmounts, type Scale } from './scaling.ts';
import type { ContextAmounts, TreeComparison } from './tree-comparison.ts';

export type Responsible = OwnAmounts & { readonly row: number };

/** Smaller changes, as a part of the larger tree, are not looked at. */
const LEAST = 0.001;
/** Rows between two pauses. */
const STEP = 1 << 14;

/**
 * All changes that are large enough to be looked at, the largest first.
 * @param recorder per label: 1 for methods of the recorder, whose contexts are left out.
 */
export function responsibleContexts(
  comparison: TreeComparison,
  scale: Scale,
  recorder: Uint8Array,
  pause: Pause,
): Responsible[] {
  const isLarge = largeChange(comparison, scale);
  const self = comparison.selfColumns();
  const found: (OwnAmounts & { readonly row: number })[] = [];
  for (let row = 0; row < comparison.length; row++) {
    if (row % STEP === 0) pause();
    const state = comparison.stateOf(row);
    if (state === null) continue;
    if (state === 'kept') {
      const own = { before: self[0][row]! / scale.by[0], now: self[1][row]! / scale.by[1] };
      if (isLarge(own)) found.push({ row, ...own });
      continue;
    }
    const own = ownAmounts(comparison.amountsOf(row), scale);
    if (isLarge(own) && !isPartOfAnother(comparison, row, own, scale)) found.push({ row, ...own });
  }
  return found
    .filter(({ row }) => !isOfRecorder(comparison, recorder, row))
    .sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before) || a.row - b.row);
}

/** Tells which changes are large enough to be looked at. */
export function largeChange(comparison: TreeComparison, scale: Scale): (own: OwnAmounts) => boolean {
  const least = LEAST * Math.max(...wholesOf(comparison, scale));
  return ({ before, now }) => Math.abs(now - before) >= least;
}

/** Scaled amounts of both trees. */
export function wholesOf(comparison: TreeComparison, { by }: Scale): [first: number, second: number] {
  const { total } = comparison.amountsOf(0);
  return [total[0] / by[0], total[1] / by[1]];
}

/** Whether what calls the context is added or removed with it, and its change is as large: then it holds this one. */
function isPartOfAnother(comparison: TreeComparison, row: number, { before, now }: OwnAmounts, scale: Scale): boolean {
  const state = comparison.stateOf(row);
  for (let above = comparison.parentOf(row); above >= 0; above = comparison.parentOf(above)) {
    const amounts = comparison.amountsOf(above);
    if (amounts.state !== state) return false;
    const own = ownAmounts(amounts, scale);
    if (Math.abs(own.now - own.before) >= Math.abs(now - before)) return true;
  }
  return false;
}

/** The end of the way is left out where it differs by less than this part of what differs most on it. */
const LEAST_OF_WAY = 0.1;

/**
 * The delta hot path: rows from a context on, always to the child whose amount differs most, of equal ones to the heaviest.
 * @param recorder per label: 1 for methods of the recorder, to which no way leads.
 */
export function deltaHotPath(comparison: TreeComparison, scale: Scale, recorder: Uint8Array, from: number): number[] {
  const path = [from];
  const changes = [0];
  const childrenOf = (row: number) =>
    comparison.childrenOf(row).filter(child => recorder[comparison.label[child]!] !== 1);
  for (let children = childrenOf(from); children.length > 0; children = childrenOf(path.at(-1)!)) {
    const weighed = children.map(row => {
      const amounts = comparison.amountsOf(row);
      return { row, change: changeBelow(amounts, scale), mass: Math.max(...amounts.total) };
    });
    const next = weighed.reduce((a, b) => (b.change > a.change || (b.change === a.change && b.mass > a.mass) ? b : a));
    path.push(next.row);
    changes.push(next.change);
  }
  const least = LEAST_OF_WAY * Math.max(...changes);
  return path.slice(0, 1 + changes.findLastIndex(change => change >= least));
}

/** Of the contexts with a label the one whose own part in the difference is largest; null without any. O(rows). */
export function mostChanged(comparison: TreeComparison, scale: Scale, label: number, pause: Pause): number | null {
  let found: { readonly row: number; readonly change: number } | null = null;
  for (let row = 0; row < comparison.length; row++) {
    if (row % STEP === 0) pause();
    if (comparison.label[row] !== label || comparison.stateOf(row) === null) continue;
    const { before, now } = ownAmounts(comparison.amountsOf(row), scale);
    const change = Math.abs(now - before);
    if (found === null || change > found.change) found = { row, change };
  }
  return found?.row ?? null;
}

/** |ΔT|. */
function changeBelow(amounts: ContextAmounts, scale: Scale): number {
  return Math.abs(growthBelow(amounts, scale));
}

/** ΔT. An added or removed context is compared with the nearest kept contexts below it, so that a wrapper that only delegates is no change. */
function growthBelow(amounts: ContextAmounts, scale: Scale): number {
  const { total, state } = amounts;
  if (state === 'kept') return total[1] / scale.by[1] - total[0] / scale.by[0];
  const { before, now } = ownAmounts(amounts, scale);
  return now - before;
}
