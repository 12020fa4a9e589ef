// The question which threads have which part of the metric, to choose threads from.
import type { Question } from './question.ts';

/** One kind of thread with its part of the metric, over all threads and without a focus. */
type ThreadShare = { readonly group: string; readonly name: string; readonly share: number };

/** Cells between two pauses. */
const STEP = 1 << 16;

/** Heaviest first; those without samples of the metric are left out. */
export const threads: Question<null, readonly ThreadShare[]> = ({ profile, analysis }, _, pause) => {
  const { threads: table, cells } = profile;
  const { thread, weight, length } = cells[analysis.selection.metric]!;
  const weights = new Float64Array(table.length);
  let all = 0;
  for (let i = 0; i < length; i++) {
    if (i % STEP === STEP - 1) pause();
    weights[thread[i]!]! += weight[i]!;
    all += weight[i]!;
  }
  const rows = Array.from(weights, (own, row) => ({
    group: table.group[row]!,
    name: table.name[row]! || 'unnamed',
    share: all > 0 ? own / all : 0,
  }));
  return rows.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1));
};
