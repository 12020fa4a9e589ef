// Changes that profiles tell: methods whose share of the time changes at a commit, by all forks before the commit and from it on.
import {
  ALPHA,
  type Difference,
  differenceAt,
  type PlacedRow,
  testPlaces,
  toldPlaces,
} from '../capabilities/compare/door.ts';
import type { MethodName } from '../cct/method-names.ts';
import type { ForkProfile } from './fork-profiles.ts';
import { logOf } from './held-up.ts';
import { LEAST_CHANGE, type Series } from './series.ts';

/** A method whose share changed. Shares are parts of all samples; the change is between `change` − margin and `change` + margin. */
export type FoundMethod = {
  readonly method: MethodName;
  /** Whether the share is of its own time, or of the time with all that it calls. */
  readonly of: 'self' | 'total';
  readonly before: number;
  readonly now: number;
  readonly margin: number;
  readonly p: number;
};

/** A commit from which on methods take other shares. */
export type ProfileFinding = {
  /** Places of the last earlier commit with forks, and of the commit. */
  readonly before: number;
  readonly at: number;
  /** The method that the change is told by, then other methods that changed the same way. */
  readonly methods: readonly [FoundMethod, ...FoundMethod[]];
  /** The change of the benchmark's time over all these forks, as a part, with its 95 % interval; null where the rounds do not tell it. */
  readonly time: { readonly change: number; readonly low: number; readonly high: number } | null;
  readonly forks: readonly [before: number, now: number];
};

/** The profiles that were looked at, and the findings. */
export type ProfileEvidence = {
  readonly findings: readonly ProfileFinding[];
  /** Forks with a profile. */
  readonly forks: number;
  /** Commits that were tested; 0 where none has `LEAST_FORKS` on each side. */
  readonly commits: number;
};

/** Forks on each side of a commit that is tested. */
export const LEAST_FORKS = 8;
/** Methods with a smaller share on average are not tested: hardly any of them can change the benchmark by `LEAST_CHANGE`. */
const LEAST_SHARE = 0.005;
/** Methods that changed by at least this part of the largest change may be the cause too. */
const ALMOST = 0.8;
const MOST_METHODS = 3;

/** The evidence of the profiles of each benchmark; all tests of one report are one family. */
export function profileEvidence(
  history: readonly {
    readonly series: Pick<Series, 'suspects' | 'changedTests'>;
    readonly profiles: readonly ForkProfile[];
  }[],
): ProfileEvidence[] {
  const segmented = history.map(({ series, profiles }) => ({ profiles, segments: segmentsOf(series, profiles) }));
  const tests = segmented.reduce((sum, { segments }) => sum + segments.filter(isTestable).length, 0);
  return segmented.map(({ profiles, segments }) => ({
    findings: segments.flatMap(segment => findingsIn(segment, tests)).sort((one, other) => one.at - other.at),
    forks: profiles.length,
    commits: segments.reduce((sum, segment) => sum + placesOf(segment).length, 0),
  }));
}

/** Forks between neighbouring steps and changes of tests, the earliest commits first. */
function segmentsOf(
  { suspects, changedTests }: Pick<Series, 'suspects' | 'changedTests'>,
  profiles: readonly ForkProfile[],
): ForkProfile[][] {
  const begins = [...suspects.filter(({ isFound }) => isFound).map(({ at }) => at), ...changedTests];
  const segmentOf = ({ at }: ForkProfile) => begins.filter(begin => begin <= at).length;
  return [...Map.groupBy(profiles, segmentOf).values()];
}

function isTestable(segment: readonly ForkProfile[]): boolean {
  return placesOf(segment).length > 0;
}

/** Places of the forks that begin a testable commit: with enough forks on both sides, and a round with forks of both. */
function placesOf(segment: readonly ForkProfile[]): number[] {
  const begins = [...segment.keys()].filter(
    fork => fork >= LEAST_FORKS && segment.length - fork >= LEAST_FORKS && segment[fork]!.at !== segment[fork - 1]!.at,
  );
  return toldPlaces(
    segment.map(({ round }) => round),
    begins,
  );
}

/** The clearest change of a segment, then the changes in the parts before it and behind it. @param tests in the family */
function findingsIn(segment: readonly ForkProfile[], tests: number): ProfileFinding[] {
  const places = placesOf(segment);
  if (places.length === 0) return [];
  const rows = rowsOf(segment);
  const rounds = segment.map(({ round }) => round);
  const values = new Float64Array(rows.length * segment.length);
  for (const [row, { key, of }] of rows.entries())
    for (const [fork, { shares }] of segment.entries())
      values[row * segment.length + fork] = shares.get(key)?.[of] ?? 0;
  const { tested, critical } = testPlaces({ values, rows: rows.length, rounds, places }, ALPHA / tests);
  const ranked = tested.filter(({ p }) => p * tests <= ALPHA).sort((one, other) => other.statistic - one.statistic);
  const methodAt = ({ place, row, difference, error, p }: PlacedRow): FoundMethod => {
    const own = values.subarray(row * segment.length, row * segment.length + places[place]!);
    const before = own.reduce((sum, each) => sum + each, 0) / own.length;
    const { key, of } = rows[row]!;
    const [className, name, descriptor] = JSON.parse(key);
    return {
      ...{ method: { className, name, descriptor }, of, before, now: Math.max(0, before + difference) },
      ...{ margin: critical * error, p: Math.min(1, p * tests) },
    };
  };
  // A method that only one side has may have another name on the other side: the place of its clearest change tells.
  const isOfBoth = ({ place, row }: PlacedRow) => {
    const own = values.subarray(row * segment.length, (row + 1) * segment.length);
    const first = places[place]!;
    return own.subarray(0, first).some(each => each > 0) && own.subarray(first).some(each => each > 0);
  };
  const kept = new Map([...Map.groupBy(ranked, ({ row }) => row)].map(([row, [best]]) => [row, isOfBoth(best!)]));
  const found = ranked.filter(each => kept.get(each.row) === true && isLarge(methodAt(each)));
  const [clearest] = found;
  if (clearest === undefined) return [];
  const place = places[clearest.place]!;
  const own = found.filter(each => each.place === clearest.place).map(methodAt);
  const time = differenceAt(
    segment.map(({ millis }) => logOf(millis)),
    rounds,
    place,
  );
  const [first, ...others] = explaining(own, (time?.difference ?? 0) >= 0);
  const forks = [place, segment.length - place] as const;
  const finding = {
    ...{ before: segment[place - 1]!.at, at: segment[place]!.at, forks },
    ...{ methods: [first!, ...others] as const, time: time && changeOf(time) },
  };
  return [finding, ...findingsIn(segment.slice(0, place), tests), ...findingsIn(segment.slice(place), tests)];
}

type Row = { readonly key: string; readonly of: 'self' | 'total' };

/** Methods with a large enough share, on average over all forks so that the choice does not depend on a difference. */
function rowsOf(segment: readonly ForkProfile[]): Row[] {
  const keys = new Set(segment.flatMap(({ shares }) => [...shares.keys()]));
  return [...keys].flatMap(key =>
    (['self', 'total'] as const).flatMap(of => {
      const sum = segment.reduce((sum, { shares }) => sum + (shares.get(key)?.[of] ?? 0), 0);
      return sum >= LEAST_SHARE * segment.length ? [{ key, of }] : [];
    }),
  );
}

/**
 * The methods that a change is told by. Where one method takes more of a whole, all others take less: the one that changed most is the
 * cause, and where methods of both directions changed by almost as much, the time of the benchmark tells which. Own times come first, since
 * a time with all that is called changes for every caller alike; of such times, the smallest one is the innermost method's, the cause.
 */
function explaining(methods: readonly FoundMethod[], isSlower: boolean): FoundMethod[] {
  const own = methods.filter(({ of }) => of === 'self');
  const among = own.length > 0 ? own : methods;
  const most = Math.max(...among.map(sizeOf));
  const large = among.filter(method => sizeOf(method) >= ALMOST * most);
  const isAlike = (method: FoundMethod) => method.now > method.before === isSlower;
  const causes = large.some(isAlike) ? large.filter(isAlike) : large;
  causes.sort((one, other) => (own.length > 0 ? sizeOf(other) - sizeOf(one) : one.now - other.now));
  const [first] = causes;
  const others = among
    .filter(method => method !== first && method.now > method.before === first!.now > first!.before)
    .sort((one, other) => sizeOf(other) - sizeOf(one));
  return [first!, ...(own.length > 0 ? others : [])].slice(0, MOST_METHODS);
}

/** Whether a change matters: a share that grew from s to t while all else stayed makes the whole (t − s) / (1 − t) longer. */
function isLarge({ before, now }: FoundMethod): boolean {
  return Math.abs(now - before) >= LEAST_CHANGE * (1 - now);
}

function sizeOf({ before, now }: FoundMethod): number {
  return Math.abs(now - before);
}

/** @param difference of logarithms */
function changeOf({ difference, margin }: Difference): ProfileFinding['time'] {
  const part = (log: number) => Math.exp(log) - 1;
  return { change: part(difference), low: part(difference - margin), high: part(difference + margin) };
}
