// The outcome of each suite, the sum of outcomes, and the skips that fail a run in CI.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export type Outcome = {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** Full titles of the skipped tests. */
  readonly skipped: readonly string[];
  readonly seconds: number;
  /** Why the suite as a whole failed, when it is more than its tests: killed at its cap, crashed. */
  readonly trouble?: string;
  /** Files that passed when they were run once more. */
  readonly survived?: readonly Again[];
  /** Every failure that was seen, those of files that passed in the end among them. */
  readonly failures?: readonly Failure[];
};

/** A test that failed, or a file outside its tests. */
export type Failure = { readonly file: string; readonly title: string; readonly message: string };

/** A file that is run once more. */
export type Again = {
  readonly file: string;
  /** The end of the first run, as `died by SIGSEGV` or `failed`. */
  readonly reason: string;
};

/** The part of Vitest's JSON report that is read here. */
export type VitestReport = {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
};

/**
 * Counts a report. Where a file fails outside its tests (it cannot be loaded, its set-up fails), each test that did not
 * run counts as failed, at least one; so does a run that fails outside its files.
 */
export function countReport(report: VitestReport): { passed: number; failed: number; skipped: string[] } {
  let passed = 0;
  let failed = 0;
  const skipped: string[] = [];
  for (const file of report.testResults) {
    const of = (status: string): number => file.assertionResults.filter(result => result.status === status).length;
    const notRun = file.assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed');
    const failedOutside = file.status === 'failed' && of('failed') === 0;
    passed += of('passed');
    failed += failedOutside ? Math.max(1, notRun.length) : of('failed');
    if (!failedOutside) skipped.push(...notRun.map(result => result.fullName.trim()));
  }
  if (!report.success && failed === 0) failed = 1;
  return { passed, failed, skipped };
}

/** The failures in a report, with paths from the root of the checkout. */
export function failuresOf(report: VitestReport, root: string): Failure[] {
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter(result => result.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [{ file, title: '(outside its tests)', message }];
    return failed.map(({ fullName, failureMessages }) => {
      return { file, title: fullName.trim(), message: (failureMessages ?? []).join('\n') };
    });
  });
}

/** A message is often followed by long lists of what was compared; the whole of it stands where the test ran. */
const MOST_LINES = 12;
const MOST_CHARACTERS = 240;
/** The most failures that are told: a fault that breaks everything is understood from a few. */
const MOST_FAILURES = 20;

/** Failures with the beginnings of their messages, for the end of a run: the output far above may not be at hand any more. */
export function describeFailures(outcomes: readonly Outcome[]): string[] {
  const told = outcomes.flatMap(({ failures = [], survived = [] }) =>
    failures.map(failure => describeFailure(failure, survived)),
  );
  const more = told.length - MOST_FAILURES;
  return more > 0 ? [...told.slice(0, MOST_FAILURES), `and ${more} more failures`] : told;
}

function describeFailure({ file, title, message }: Failure, survived: readonly Again[]): string {
  const passedLater = survived.some(again => again.file === file);
  const plain = stripVTControlCharacters(message).trimEnd().split('\n').slice(0, MOST_LINES);
  const lines = plain.filter(line => line !== '').map(line => `    ${line.slice(0, MOST_CHARACTERS)}`);
  return [`${passedLater ? 'failed at first' : 'failed'}: ${file} > ${title}`, ...lines].join('\n');
}

/** The skipped tests that must not be skipped where everything can be installed. */
export function forbiddenSkips(outcomes: readonly Outcome[], allowed: readonly string[]): string[] {
  return outcomes.flatMap(outcome => outcome.skipped).filter(title => !allowed.includes(title));
}

/** The last line of a run, which nothing may follow: a program that reads it may know this form alone. */
export function summary(outcomes: readonly Outcome[]): string {
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, outcome) => total + of(outcome), 0);
  return `${sum(o => o.passed)} passed, ${sum(o => o.failed)} failed, ${sum(o => o.skipped.length)} skipped`;
}

/** How many files did not pass at first, and passed when they were run again; null where none did. */
export function survivors(outcomes: readonly Outcome[]): string | null {
  const survived = outcomes.flatMap(outcome => outcome.survived ?? []);
  if (survived.length === 0) return null;
  const reasons = [...Map.groupBy(survived, ({ reason }) => reason)].map(([reason, files]) =>
    files.length === 1 ? `1 file ${reason}` : `${files.length} files ${reason}`,
  );
  return `${reasons.join(', ')} and passed when run again`;
}

/** One suite's line. */
export function describeOutcome({ name, passed, failed, skipped, seconds, trouble, survived }: Outcome): string {
  const again = (survived ?? []).map(({ file, reason }) => `${file} ${reason} and passed when run again`);
  const remarks = [...(trouble === undefined ? [] : [trouble]), ...again].map(remark => ` (${remark})`).join('');
  const counts = `${passed} passed, ${failed} failed, ${skipped.length} skipped`;
  return `${name.padEnd(10)} ${counts}, ${seconds.toFixed(0)} s${remarks}`;
}
