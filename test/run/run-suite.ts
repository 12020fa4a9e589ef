// Runs one suite with Vitest, or the checks that stand before the tests, and counts what came of it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crowd } from './crowd.ts';
import { type Again, countReport, type Failure, failuresOf, type Outcome, type VitestReport } from './outcome.ts';
import { DEATHS_FILE, type Death, type Deaths, EVENTS_FILE, openTests } from './run-reporter.ts';
import { Standstill } from './standstill.ts';
import { projectsOf, type Suite } from './suites.ts';
import { type Ended, type Output, runCommand, type Watch } from './watched-command.ts';

/** How a process ends that fell over its own feet or its platform's; other signals come from somebody who wanted it to end. */
const CRASHES: readonly string[] = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGABRT'];
/** More of them in one suite are no bad luck. */
const MOST_CRASHES = 2;
const MOST_FAILED_FILES = 2;

const LOOK_MILLIS = 5_000;

export type Run = Ended & { readonly report: VitestReport | undefined; readonly deaths: Deaths };

/** Types or lint as if it were one test. */
export async function runCheck(name: string, root: string, program: string, args: readonly string[]): Promise<Outcome> {
  const { status, seconds } = await runCommand(
    join(root, 'node_modules/.bin', program),
    args,
    { cwd: root },
    watchOf(() => []),
  );
  return { name, passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: [], seconds };
}

/** Ends a suite that stands still. @param events tells the lines of the events file. */
function watchOf(events: () => readonly string[]): Watch {
  const started = performance.now();
  const sight = (cpuSeconds: number, lines: readonly string[]) => ({
    seconds: (performance.now() - started) / 1000,
    events: lines.length,
    cpuSeconds,
    crowd: crowd(),
  });
  const standstill = new Standstill(sight(0, []));
  const look = (cpuSeconds: number): string | null => {
    const lines = events();
    const why = standstill.look(sight(cpuSeconds, lines));
    return why === null ? null : [why, ...openTests(lines).map(name => `running: ${name}`)].join('; ');
  };
  return { everyMillis: LOOK_MILLIS, look };
}

/**
 * Runs a suite's files; a suite that is ended at a standstill, or leaves no report, counts as one failure. A file
 * whose process crashed, and in a suite that drives other programs one with a failed test, is run once more.
 *
 * @param output what is printed is shown, or not.
 */
export async function runSuite(suite: Suite, root: string, output: Output = 'inherit'): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-suite-'));
  try {
    const first = await runVitest(suite, { root, folder, output }, []);
    const { died } = first.deaths;
    const again = first.report === undefined ? [] : [...worthAnotherRun(died), ...unsteady(suite, first.report)];
    const seen = first.report === undefined ? [] : failuresOf(first.report, root);
    if (again.length === 0) return withFailures(outcomeOf(suite, root, first, died), seen);
    const named = again.map(({ file, reason }) => `${relative(root, file)} ${reason}`).join(', ');
    if (output === 'inherit') console.log(`==== ${suite.name}: run once more: ${named}`);
    const files = again.map(({ file }) => file);
    const second = await runVitest(suite, { root, folder, output }, files);
    if (second.report !== undefined) seen.push(...failuresOf(second.report, root));
    return withFailures(outcomeOfBoth(suite, root, first, second, again), seen);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withFailures(outcome: Outcome, failures: readonly Failure[]): Outcome {
  return failures.length === 0 ? outcome : { ...outcome, failures };
}

/** The files of a suite whose processes crashed; none of them where it was no bad luck. */
export function worthAnotherRun(died: readonly Death[]): readonly Again[] {
  const isBadLuck = died.length <= MOST_CRASHES && died.every(({ signal }) => CRASHES.includes(signal));
  return isBadLuck ? died.map(({ file, signal }) => ({ file, reason: `died by ${signal}` })) : [];
}

/** Files with a failed test that may have lost a race with another program; none where too many have for that. */
function unsteady(suite: Suite, { testResults }: VitestReport): readonly Again[] {
  if (suite.drivesPrograms !== true) return [];
  const isFailed = ({ status }: { readonly status: string }) => status === 'failed';
  const files = testResults.filter(file => isFailed(file) && file.assertionResults.some(isFailed));
  return files.length <= MOST_FAILED_FILES ? files.map(({ name }) => ({ file: name, reason: 'failed' })) : [];
}

async function runVitest(
  suite: Suite,
  { root, folder, output }: { readonly root: string; readonly folder: string; readonly output: Output },
  files: readonly string[],
): Promise<Run> {
  const reportFile = join(folder, 'report.json');
  const deathsFile = join(folder, 'deaths.json');
  const eventsFile = join(folder, 'events.txt');
  for (const old of [reportFile, deathsFile, eventsFile]) rmSync(old, { force: true });
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const runReporter = fileURLToPath(new URL('run-reporter.ts', import.meta.url));
  const reporters = ['default', 'json', runReporter].map(reporter => `--reporter=${reporter}`);
  const args = [
    vitest,
    'run',
    ...projectsOf(suite).flatMap(({ name }) => ['--project', name]),
    ...reporters,
    `--outputFile.json=${reportFile}`,
    ...files,
  ];
  const env = { ...process.env, [DEATHS_FILE]: deathsFile, [EVENTS_FILE]: eventsFile };
  const ended = await runCommand(
    process.execPath,
    args,
    { cwd: root, env, output },
    watchOf(() => linesOf(eventsFile)),
  );
  const deaths = readJson<Deaths>(deathsFile) ?? { died: [], otherErrors: 0 };
  return { ...ended, report: readJson<VitestReport>(reportFile), deaths };
}

/**
 * The first run, with what the second one found out about the files that were run `again`; where the second run came to no end, they count as
 * failed, and all other results stand.
 */
export function outcomeOfBoth(suite: Suite, root: string, first: Run, second: Run, again: readonly Again[]): Outcome {
  const files = again.map(({ file }) => file);
  const firstResults = first.report?.testResults ?? [];
  const seconds = first.seconds + second.seconds;
  if (second.report === undefined || second.killed !== null) {
    const counts = countReport({ success: true, testResults: firstResults });
    const isCounted = (file: string) => firstResults.some(({ name, status }) => name === file && status === 'failed');
    const failed = counts.failed + files.filter(file => !isCounted(file)).length;
    const why = 'came to no end when run again';
    const trouble = again.map(({ file, reason }) => `${relative(root, file)} ${reason} and ${why}`).join(', ');
    return { name: suite.name, ...counts, failed, seconds, trouble };
  }
  const success = second.report.success && first.deaths.otherErrors === 0;
  const others = firstResults.filter(({ name }) => !files.includes(name));
  const report = { success, testResults: [...others, ...second.report.testResults] };
  return outcomeOf(suite, root, { ...second, seconds, report }, second.deaths.died, again);
}

/** @param died in the end, @param again were run once more. */
function outcomeOf(
  suite: Suite,
  root: string,
  run: Run,
  died: readonly Death[],
  again: readonly Again[] = [],
): Outcome {
  const { status, signal, killed, seconds, report } = run;
  if (killed !== null) return lost(suite, seconds, `ended ${killed}`);
  if (report === undefined)
    return lost(suite, seconds, `Vitest ended with ${signal ?? `status ${status}`} and left no report`);
  const counts = countReport(report);
  const failed = status !== 0 && counts.failed === 0 ? 1 : counts.failed;
  const trouble = died.map(death => `${relative(root, death.file)} died by ${death.signal}`).join(', ');
  const survived = again
    .filter(({ file }) => report.testResults.some(({ name, status }) => name === file && status === 'passed'))
    .map(({ file, reason }) => ({ file: relative(root, file), reason }));
  return { name: suite.name, ...counts, failed, seconds, survived, ...(trouble === '' ? {} : { trouble }) };
}

function lost(suite: Suite, seconds: number, trouble: string): Outcome {
  return { name: suite.name, passed: 0, failed: 1, skipped: [], seconds, trouble };
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  } catch {
    // The file of events does not exist before a test has begun.
    return [];
  }
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
