// Own times of some methods in each window of time: how their cost rose and fell.
import type { Analysis } from './analysis.ts';
import { forEachCellInScope } from './node-walks.ts';
import { forEachOwnedCell } from './own-times.ts';
import { timeSpans } from './time-spans.ts';

/** A span of time with own times. */
export type OwnOfSpan = {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Everything that is looked at in the span, in the unit of the metric. */
  readonly whole: number;
  /** Own time of each method, in their order. */
  readonly own: readonly number[];
};

/** Own times by span, in the order of time. Where there are more than `most` windows, neighbours are taken as one. O(nodes + cells). */
export function ownOverTime(
  a: Analysis,
  isOwn: Uint8Array,
  methods: readonly number[],
  most: number,
): readonly OwnOfSpan[] {
  const { cells, tree, methods: table } = a.profile;
  const { spans, spanOfWindow } = timeSpans(a, most);
  const placeOf = new Int32Array(table.length).fill(-1);
  for (const [place, method] of methods.entries()) placeOf[method] = place;
  const wholes = new Float64Array(spans.length);
  const sums = methods.map(() => new Float64Array(spans.length));
  const { window } = cells[a.selection.metric]!;
  forEachCellInScope(a, (_, weight, _count, cell) => {
    wholes[spanOfWindow[window[cell]!]!]! += weight;
  });
  forEachOwnedCell(a, isOwn, (owner, isInScope, weight, _count, cell) => {
    const place = isInScope ? placeOf[tree.method[owner]!]! : -1;
    if (place >= 0) sums[place]![spanOfWindow[window[cell]!]!]! += weight;
  });
  return spans.map(({ from, to }, span) => ({ from, to, whole: wholes[span]!, own: sums.map(sum => sum[span]!) }));
}
