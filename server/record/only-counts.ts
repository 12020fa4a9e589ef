// The part of a recording with counted calls that is kept: how often, not how long, as tracing each call makes it longer.
import type { Profile } from '../cct/profile.ts';

/** Ending a run after so many calls keeps it from being all that the JVM does: each costs about a microsecond and some bytes. */
export const MOST_CALLS = 2_000_000;

/** The same profile with its numbers of calls alone. */
export function onlyCounts(profile: Profile): Profile {
  const { times: _times, ...others } = profile;
  const kept = profile.metrics.flatMap(({ unit }, row) => (unit === 'invocations' ? [row] : []));
  return {
    ...others,
    metrics: kept.map(row => profile.metrics[row]!),
    cells: kept.map(row => profile.cells[row]!),
  };
}
