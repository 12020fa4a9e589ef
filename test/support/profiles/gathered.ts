// Answers what features need in the test's own thread, as the server's door does in another.

import { answer, type Need } from '../../../server/analysis/ask.ts';
import { openNeed } from '../../../server/features/needs.ts';

/** Everything that is needed and not known yet. */
export function gathered(needs: readonly Need[]): void {
  for (const { data, sets = [], around } of needs.flatMap(need => openNeed(need) ?? [])) {
    for (const set of sets) data.answers.keepNumbers(set, answer(data, 'numbers', { sets: [set] })[0]!);
    if (around === undefined) continue;
    const found = answer(data, 'surroundings', around);
    for (const [i, methods] of around.sets.entries()) data.answers.keepSurroundings(methods, found[i]!);
  }
}
