// The question for what the boxes of a picture were in a baseline: the amounts of the same call paths there.
import type { Pause } from '../../base/pause.ts';
import type { Amount } from '../../metrics/analysis.ts';
import type { Part, Parts } from '../../metrics/parts/parts.ts';
import type { KeptPartsWish } from '../kept-parts.ts';
import type { Question } from './question.ts';

/** Rows are those of the baseline; several where one method has been several, none where it was not there. */
type CounterpartsWish = KeptPartsWish & {
  /** Callees only. */
  readonly isAggregated: boolean;
  /** Methods from below the top to the root of the picture. */
  readonly root: readonly (readonly number[])[];
  /** Per box: the one above, which comes before it; −1 for the root. */
  readonly parent: Int32Array;
  /** Per box: which of `rows` are its method's. */
  readonly method: Int32Array;
  readonly rows: readonly (readonly number[])[];
};

type Counterparts = {
  /** Per box; 0 where no stack of the baseline has its path. */
  readonly weight: Float64Array;
  readonly count: Float64Array;
  readonly whole: Amount;
};

export const counterparts: Question<CounterpartsWish, Counterparts> = ({ analysis, answers }, wish, pause) => {
  const parts = answers.parts.of(analysis, wish, pause);
  let roots: readonly Part[] = [parts.top];
  for (const rows of wish.root) roots = calleesOf(parts, roots, rows, pause);
  if (wish.isAggregated && wish.direction === 'callees') roots = roots.map(part => parts.aggregated(part, pause));
  const found: (readonly Part[])[] = [];
  const weight = new Float64Array(wish.parent.length);
  const count = new Float64Array(wish.parent.length);
  for (const [box, above] of wish.parent.entries()) {
    const same = above < 0 ? roots : calleesOf(parts, found[above]!, wish.rows[wish.method[box]!] ?? [], pause);
    found.push(same);
    for (const { total } of same) {
      weight[box]! += total.weight;
      count[box]! += total.count;
    }
  }
  answers.parts.keep(wish, parts);
  return { weight, count, whole: analysis.whole };
};

function calleesOf(parts: Parts, above: readonly Part[], rows: readonly number[], pause: Pause): readonly Part[] {
  return rows.length === 0
    ? []
    : above.flatMap(part => parts.below(part, pause).filter(({ method }) => rows.includes(method)));
}
