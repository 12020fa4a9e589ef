// How well the cost of a query for typed time is known.
import type { Profile } from '../../cct/profile.ts';
import { TIME_TYPES, TYPED } from '../../model/time-types.ts';

export type Certainty = {
  /** The cost is at least so much: events below a threshold, and waits that have not ended, are missing. */
  readonly lowerBound: boolean;
  /** How long threads ran, or on which call paths, is estimated in part. */
  readonly estimated: boolean;
  /** A share of what was recorded: how much of the time that no event tells belongs there is not known. */
  readonly ofRecorded: boolean;
};

const ESTIMATED = anyOf('estimate');
const LOWER_BOUND = anyOf('lowerBound');

/** Fits queries that name a type which is known so well. */
function anyOf(known: 'estimate' | 'lowerBound'): RegExp {
  const types = Object.entries(TIME_TYPES).flatMap(([type, meaning]) => (meaning.known === known ? [type] : []));
  return new RegExp(`(?:^|[\\s.(|])(?:${types.join('|')})\\b`);
}

const ANY_TYPE = /(?:^|[\s.(|]):[A-Z]+\b/;

/** Whether a query is one of typed time, as it names what threads do with their time. */
export function namesTimeType(query: string): boolean {
  return ANY_TYPE.test(query);
}

/**
 * @param metric row of the metric that the query is about
 * @param holdsAll whether the whole has all time, of which no event may tell a part
 */
export function certaintyOf(
  profile: Profile,
  metric: number,
  query: string,
  { isServer = false, holdsAll = true }: { readonly isServer?: boolean; readonly holdsAll?: boolean } = {},
): Certainty {
  const { id, estimated } = profile.metrics[metric]!;
  if (id !== TYPED.id) return { lowerBound: false, estimated: false, ofRecorded: false };
  const isOpen = !isServer && !tellsAllTime(profile);
  return {
    lowerBound: isOpen && holdsAll && LOWER_BOUND.test(query),
    estimated: estimated === true && (isServer || ESTIMATED.test(query)),
    ofRecorded: isOpen && !holdsAll,
  };
}

/** Whether all time of threads has a type other than `:UNRECORDED`: dumps tell all waits, events do not. */
export function tellsAllTime({ methods }: Profile): boolean {
  const unrecorded = methods.strings.indexOf(':UNRECORDED');
  return unrecorded < 0 || !methods.name.includes(unrecorded);
}
