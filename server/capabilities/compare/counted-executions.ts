// How often contexts of two compared trees were executed, where the recordings counted that exactly beside what is shown.

import { type Analysis, analyse } from '../../metrics/analysis.ts';
import { ownByNode } from './compared-side.ts';
import type { TreeComparison } from './tree-comparison.ts';

type Executions = readonly [first: number, second: number];

/** Of each comparison: it is asked of again with every box that is opened. */
const known = new WeakMap<TreeComparison, ((row: number) => Executions) | null>();

/** Per row of the comparison the executions on each side, baseline first; null where a side has not counted them. */
export function countedExecutions(
  comparison: TreeComparison,
  [first, second]: readonly [Analysis, Analysis],
): ((row: number) => Executions) | null {
  const found = known.get(comparison);
  if (found !== undefined) return found;
  const [before, now] = [countsOf(first), countsOf(second)];
  const counted = before === null || now === null ? null : comparison.summedByContext([before, now]);
  known.set(comparison, counted);
  return counted;
}

/** Per node, from the exact numbers of calls: the numbers of the events that are shown, else the numbers of a counting run. */
function countsOf({ profile, index, selection }: Analysis): Float64Array | null {
  const shown = String(profile.metrics[selection.metric]!.events);
  const counted = [...profile.metrics.entries()].filter(
    ([, { unit, kind }]) => unit === 'invocations' && kind === 'exact',
  );
  const [metric] = counted.find(([, { events }]) => String(events) === shown) ?? counted[0] ?? [];
  return metric === undefined ? null : ownByNode(analyse(profile, index, { ...selection, metric }));
}

/**
 * By how much the executions of a context differ: of an added one less those of its parent in the first tree, of a removed one less
 * those of its parent in the second, which would have called it as often.
 */
export function executionsDifference(
  state: 'kept' | 'added' | 'removed',
  [first, second]: Executions,
  parent: Executions,
): number {
  if (state === 'kept') return second - first;
  return state === 'added' ? second - parent[0] : first - parent[1];
}
