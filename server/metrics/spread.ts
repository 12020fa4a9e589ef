// How the samples of some methods, or all samples, are spread over the rows of another table: threads, or windows of time.
import { noPause, type Pause } from '../base/pause.ts';
import type { Analysis } from './analysis.ts';
import { visitCells } from './around-method.ts';
import type { MethodTimes } from './method-times.ts';
import { forEachCellInScope, type MethodSet } from './node-walks.ts';

/** Per row of the table: samples whose stack holds one of the methods, once; all samples where the set is null. */
export function spreadOver(
  a: Analysis,
  table: 'thread' | 'window',
  set: MethodSet | null,
  pause: Pause = noPause,
): MethodTimes {
  const rows = a.profile.cells[a.selection.metric]![table];
  const { length } = table === 'thread' ? a.profile.threads : a.profile.windows;
  const [weight, count] = [new Float64Array(length), new Float64Array(length)];
  const visit = (_line: number, ownWeight: number, ownCount: number, cell: number) => {
    weight[rows[cell]!]! += ownWeight;
    count[rows[cell]!]! += ownCount;
  };
  if (set === null) forEachCellInScope(a, visit);
  else visitCells(a, set, visit, pause);
  return { weight, count };
}
