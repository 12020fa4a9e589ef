// The shares of methods in each fork of a benchmark, from the forks' recordings.

import { metricRow } from '../analysis/select-data.ts';
import type { Problem } from '../base/problem.ts';
import { methodName } from '../cct/method-names.ts';
import { PARTIAL_METHOD } from '../cct/profile.ts';
import { indexTree } from '../cct/tree-index.ts';
import { analyse } from '../metrics/analysis.ts';
import { methodTimes, selfTimes } from '../metrics/method-times.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Store } from '../store/store.ts';
import { sortForks } from './held-up.ts';
import type { Journal } from './journal.ts';
import { executionOf } from './track.ts';

/** Shares of all samples of a fork. */
type MethodShares = { total: number; self: number };

export type ForkProfile = {
  /** Place of the commit in the range. */
  readonly at: number;
  readonly round: number;
  readonly millis: number;
  /** By `methodKey`. */
  readonly shares: ReadonlyMap<string, MethodShares>;
};

type Recorded = {
  readonly journal: Journal;
  readonly store: Store;
  readonly project: string;
  readonly program: string;
  /** Full hashes, the oldest first. */
  readonly commits: readonly string[];
  /** Takes problems with recordings that cannot be read. */
  readonly tell: (problem: Problem) => void;
};

/** Classes that write JDK Flight Recorder's events: what recording costs is no change of a program. */
const RECORDER = /^jdk\.jfr\./;

/** The forks of a benchmark whose recordings are in the store, without held-up ones; by commit. */
export async function forkProfiles(recorded: Recorded, benchmark: string): Promise<ForkProfile[]> {
  const { journal, commits } = recorded;
  const sorted = sortForks(commits.map(commit => journal.forksOf(commit, benchmark)));
  const profiles: ForkProfile[] = [];
  for (const [at, commit] of commits.entries())
    for (const fork of journal.measuredForks(commit, benchmark)) {
      const key = { commit, benchmark, fork };
      const result = sorted[at]!.kept.find(each => each === journal.resultOf(key));
      if (result === undefined) continue;
      const shares = sharesOf(await snapshotsOf(recorded, key));
      if (shares !== null) profiles.push({ at, round: result.round, millis: result.millis, shares });
    }
  return profiles;
}

/** The fork's snapshots, one of each JVM. */
async function snapshotsOf(
  { store, tell, ...recorded }: Recorded,
  key: { readonly commit: string; readonly benchmark: string; readonly fork: number },
): Promise<Snapshot[]> {
  const snapshots: Snapshot[] = [];
  const { value: entries, problems } = await store.list(executionOf(recorded, key));
  for (const problem of problems) tell(problem);
  for (const entry of entries) {
    const { value, problems } = await store.read(entry);
    for (const problem of problems) tell(problem);
    if (value?.header.benchmark === key.benchmark) snapshots.push(value);
  }
  return snapshots;
}

/** Shares by `methodKey`; null without samples. */
function sharesOf(snapshots: readonly Snapshot[]): Map<string, MethodShares> | null {
  const shares = new Map<string, MethodShares>();
  let whole = 0;
  for (const { profile } of snapshots) {
    const metric = metricRow(profile, null);
    if (metric === null) continue;
    const analysis = analyse(profile, indexTree(profile), { metric });
    const [total, self] = [methodTimes(analysis).weight, selfTimes(analysis).weight];
    whole += analysis.whole.weight;
    for (let row = PARTIAL_METHOD + 1; row < total.length; row++) {
      const name = methodName(profile.methods, row);
      if (total[row] === 0 || RECORDER.test(name.className)) continue;
      const key = JSON.stringify([name.className, name.name, name.descriptor]);
      const sum = shares.get(key) ?? { total: 0, self: 0 };
      shares.set(key, sum);
      sum.total += total[row]!;
      sum.self += self[row]!;
    }
  }
  if (!(whole > 0)) return null;
  for (const sum of shares.values()) {
    sum.total /= whole;
    sum.self /= whole;
  }
  return shares;
}
