// How well the cost of a query for typed time is known.
import type { Profile } from '../../cct/profile.ts';
import { TYPED_METRIC } from '../../ingest/threads/typed-time.ts';

export type Certainty = {
  /** The cost is at least so much: events below a threshold, and waits that have not ended, are missing. */
  readonly lowerBound: boolean;
  /** How long threads ran, or on which call paths, is estimated in part. */
  readonly estimated: boolean;
};

const WAITING = /(?:^|[\s.(|]):(?:MONITOR|PARK|WAIT|SLEEP|IO)\b/;
const RUNNABLE = /(?:^|[\s.(|]):(?:RUN|LOAD|PRIO)\b/;

/** @param metric row of the metric that the query is about */
export function certaintyOf(profile: Profile, metric: number, query: string, isServer: boolean): Certainty {
  const { id, estimated } = profile.metrics[metric]!;
  if (id !== TYPED_METRIC) return { lowerBound: false, estimated: false };
  return {
    lowerBound: !isServer && WAITING.test(query) && areWaitsMissing(profile),
    estimated: estimated === true && (isServer || RUNNABLE.test(query)),
  };
}

/** Whether waits come from events, which tell not all of them; dumps do. */
function areWaitsMissing({ methods }: Profile): boolean {
  const unrecorded = methods.strings.indexOf(':UNRECORDED');
  return unrecorded >= 0 && methods.name.includes(unrecorded);
}
