// The history of benchmarks over commits as plain data, and as text: what began where, and what is missing.
import { csvRow } from '../base/csv.ts';
import type { CommitAbout } from '../mapping/git/commit-history.ts';
import type { Journal } from './journal.ts';
import { baseOf } from './plan.ts';
import type { ProfileEvidence, ProfileFinding } from './profile-findings.ts';
import { FINDING, isBroken, type Series, type Step, seriesOf } from './series.ts';
import { forksFor, leastVisible } from './visible-steps.ts';

export type History = {
  /** The oldest first. */
  readonly commits: readonly CommitAbout[];
  /** Place of the commit that runs in every round; null where nothing was measured. */
  readonly base: number | null;
  /** Of the orders of all rounds. */
  readonly seed: number;
  readonly series: readonly Series[];
  /** Commits without a number although something was tried, with the reason. */
  readonly gaps: readonly Gap[];
};

/** A history with what the profiles tell, by series. */
export type ProfiledHistory = History & { readonly evidence: readonly ProfileEvidence[] };

type Gap = { readonly at: number; readonly benchmark: string; readonly reason: string };

export function historyOf(journal: Journal, commits: readonly CommitAbout[], benchmarks: readonly string[]): History {
  const hashes = commits.map(({ hash }) => hash);
  const plan = { journal, commits: hashes, benchmarks, forks: 1 };
  const measured = [...commits.keys()].filter(at =>
    benchmarks.some(name => journal.measuredForks(hashes[at]!, name).length > 0),
  );
  const base = baseOf(plan, measured);
  const series = benchmarks.map(name => seriesOf(journal, hashes, name, base));
  const gaps = series.flatMap(({ benchmark, points }) =>
    points.flatMap(({ at, failures }) => {
      const [failure] = failures;
      const isGap = failure !== undefined && isBroken(journal, hashes[at]!, benchmark);
      return isGap ? [{ at, benchmark, reason: `${failure.reason}: ${failure.detail}` }] : [];
    }),
  );
  return { commits, base, seed: journal.seed, series, gaps };
}

/** Commits between the two sides of a step that have no number: the change may have come with any of them. */
export function doubtfulCommits({ commits }: History, { before, at }: Step): readonly CommitAbout[] {
  return commits.slice(before + 1, at);
}

/** The smallest change that the forks of a benchmark can show. */
type Visible = {
  /** Forks of a commit: the median over the commits. */
  readonly forks: number;
  /** The smallest step that is found eight times in ten, as a part. */
  readonly least: number;
  /** Forks of each commit that a step of `WANTED_STEP` needs. */
  readonly wanted: number;
};

/** A step that people want to see. */
const WANTED_STEP = 0.1;

/** The smallest visible change; null where no commit has two forks, so that the noise is not known. */
export function visibleIn({ points, noise }: Series): Visible | null {
  const counts = points.flatMap(({ values }) => (values.length > 0 ? [values.length] : [])).sort((a, b) => a - b);
  const forks = counts[counts.length >> 1] ?? 0;
  if (forks < 2) return null;
  // In a short range, fewer commits stand on each side.
  const finding = { ...FINDING, window: Math.max(1, Math.min(FINDING.window, counts.length >> 1)) };
  return { forks, least: leastVisible({ noise, forks }, finding), wanted: forksFor(WANTED_STEP, noise, finding) };
}

/** `steps below 46 % are not seen with 2 forks of each commit; 10 % needs 34`; empty where nothing tells the noise. */
export function visibleText(series: Series): string {
  const visible = visibleIn(series);
  if (visible === null) return '';
  const { forks, least, wanted } = visible;
  const more = least <= WANTED_STEP ? '' : `; ${changeText(WANTED_STEP).slice(1)} needs ${wanted}, or longer ones`;
  return `steps below ${changeText(least).slice(1)} are not seen with ${forks} forks of each commit${more}`;
}

/** `+38 %`, `−4.2 %`. */
export function changeText(change: number): string {
  const size = Math.abs(100 * change);
  return `${change < 0 ? '−' : '+'}${size.toFixed(size >= 10 ? 0 : 1)} %`;
}

/** `120 ms`, `1.24 s`, `0.85 ms`. */
export function millisText(millis: number): string {
  if (millis === 0) return '0';
  if (millis >= 10_000) return `${(millis / 1000).toFixed(1)} s`;
  if (millis >= 1000) return `${(millis / 1000).toFixed(2)} s`;
  return millis >= 10 ? `${millis.toFixed(0)} ms` : `${millis.toPrecision(2)} ms`;
}

/** `time +24 % (+13 % to +38 %)`: of the benchmark, over all forks of a finding by profile. */
export function profileTimeText({ time }: ProfileFinding): string {
  if (time === null) return 'time not known';
  return `time ${changeText(time.change)} (${changeText(time.low)} to ${changeText(time.high)})`;
}

/** How certain a step is: `±4.1 %, p 0.008, 5 + 5 forks`. */
export function certaintyText({ p, comparison: { forks, verdict, margin } }: Step): string {
  const counted = `${forks[0]} + ${forks[1]} forks`;
  if (verdict === 'notTested') return `not tested, ${counted}`;
  return `±${changeText(margin).slice(1)}, p ${pText(p)}, ${counted}`;
}

export function pText(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toPrecision(2);
}

/** `a1b2c3d4e5f6`, or its tag. */
export function nameOf({ hash, tag }: CommitAbout): string {
  return tag ?? hash.slice(0, 12);
}

/** One row for each commit and benchmark, with the header: fields with commas or quotes are quoted. */
export function csvOf({ commits, series }: History): string {
  const head = 'commit,tag,authored,author,subject,benchmark,mean_ms,forks,held_up,failed,reason,step,p';
  const rows = series.flatMap(({ benchmark, points, suspects }) =>
    points.map(({ at, mean, values, heldUp, failures }) => {
      const { hash, tag, authoredMillis, author, subject } = commits[at]!;
      const step = suspects.find(each => each.at === at);
      const failed = failures.reduce((sum, { count }) => sum + count, 0);
      const found = step === undefined ? [] : [step.isFound ? step.comparison.change : 0, step.p];
      return [
        ...[hash, tag ?? '', new Date(authoredMillis).toISOString(), author, subject, benchmark],
        ...[
          mean ?? '',
          values.length,
          heldUp,
          failed,
          failures[0]?.detail ?? '',
          ...(found.length > 0 ? found : ['', '']),
        ],
      ];
    }),
  );
  return `${[head, ...rows.map(csvRow)].join('\n')}\n`;
}
