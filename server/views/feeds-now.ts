// Whether a recorder seems to be feeding data right now.
import type { LoadedData } from '../analysis/loaded-data.ts';

/** A recorder stores a window soon after it has ended; a busy machine or a slow disk may take this long. */
const LATE_MILLIS = 60_000;

/** The next window after the last one has not been missed for long. */
export function feedsNow({ profile, provenance }: LoadedData, nowMillis = Date.now()): boolean {
  const last = profile.windows.find(({ endMillis }) => endMillis === provenance.endMillis);
  const length = last === undefined ? 0 : last.endMillis - last.startMillis;
  return nowMillis - provenance.endMillis < 2 * length + LATE_MILLIS;
}
