// Stacks with two numbers each, from scripts that compare two profiles: each number is a metric, and every command that shows one says so.
import type { Metric } from '../../cct/profile.ts';

/** The metric of the second number. */
export const SECOND_COLUMN = 'weight';

/** The note on a profile whose metrics are two such numbers; null for other profiles. */
export function twoColumnsText(metrics: readonly Pick<Metric, 'id' | 'unit' | 'events'>[]): string | null {
  const unnamed = metrics.filter(({ unit, events }) => unit === 'samples' && events.length === 0);
  const first = unnamed.find(({ id }) => id === 'cpu' || id === 'alloc');
  if (first === undefined || !unnamed.some(({ id }) => id === SECOND_COLUMN)) return null;
  return `each stack has two numbers, as those of two profiles: the metric ${first.id} is the first, ${SECOND_COLUMN} the second`;
}
