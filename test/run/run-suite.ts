// Runs one suite with Vitest, or the checks that stand before the tests, and counts what came of it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ended, type Output, runCommand } from './command.ts';
import { DEATHS_FILE, type Death, type Deaths } from './death-reporter.ts';
import { countReport, type Outcome, type VitestReport } from './outcome.ts';
import type { Suite } from './suites.ts';

/** How a process ends that fell over its own feet or its platform's; other signals come from somebody who wanted it to end. */
const CRASHES: readonly string[] = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGABRT'];
/** More of them in one suite are no bad luck. */
const MOST_CRASHES = 2;

type Run = Ended & { readonly report: VitestReport | undefined; readonly deaths: Deaths };

/** Types or lint as if it were one test. */
export async function runCheck(name: string, root: string, program: string, args: readonly string[]): Promise<Outcome> {
  const { status, seconds } = await runCommand(join(root, 'node_modules/.bin', program), args, { cwd: root }, 120);
  return { name, passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: [], seconds };
}

/**
 * Runs a suite's files; a suite that is killed at its cap or leaves no report counts as one failure. A file whose process
 * crashed, not one with a failed test, is run once more in what is left of the suite's time.
 *
 * @param output what is printed is shown, or not.
 */
export async function runSuite(suite: Suite, root: string, output: Output = 'inherit'): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-suite-'));
  try {
    const capSeconds = suite.capMinutes * 60;
    const first = await runVitest(suite, { root, folder, output }, [], capSeconds);
    const crashed = worthAnotherRun(first.deaths.died);
    if (first.report === undefined || crashed.length === 0) return outcomeOf(suite, root, first, first.deaths.died);
    const named = (deaths: readonly Death[]) => deaths.map(death => `${relative(root, death.file)} by ${death.signal}`);
    if (output === 'inherit') console.log(`==== ${suite.name}: died, and run once more: ${named(crashed).join(', ')}`);
    const files = crashed.map(({ file }) => file);
    const second = await runVitest(suite, { root, folder, output }, files, capSeconds - first.seconds);
    return outcomeOf(suite, root, together(first, second, files), second.deaths.died, crashed);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Those of a suite that died; none of them where it was no bad luck. */
export function worthAnotherRun(died: readonly Death[]): readonly Death[] {
  const isBadLuck = died.length <= MOST_CRASHES && died.every(({ signal }) => CRASHES.includes(signal));
  return isBadLuck ? died : [];
}

async function runVitest(
  suite: Suite,
  { root, folder, output }: { readonly root: string; readonly folder: string; readonly output: Output },
  files: readonly string[],
  capSeconds: number,
): Promise<Run> {
  const [reportFile, deathsFile] = [join(folder, 'report.json'), join(folder, 'deaths.json')];
  for (const old of [reportFile, deathsFile]) rmSync(old, { force: true });
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const deathReporter = fileURLToPath(new URL('death-reporter.ts', import.meta.url));
  const reporters = ['default', 'json', deathReporter].map(reporter => `--reporter=${reporter}`);
  const args = [vitest, 'run', '--project', suite.name, ...reporters, `--outputFile.json=${reportFile}`, ...files];
  const env = { ...process.env, [DEATHS_FILE]: deathsFile };
  const ended = await runCommand(process.execPath, args, { cwd: root, env, output }, capSeconds);
  const deaths = readJson<Deaths>(deathsFile) ?? { died: [], otherErrors: 0 };
  return { ...ended, report: readJson<VitestReport>(reportFile), deaths };
}

/** The first run, with what the second one found out about `files`. */
function together(first: Run, second: Run, files: readonly string[]): Run {
  const seconds = first.seconds + second.seconds;
  if (first.report === undefined || second.report === undefined) return { ...second, seconds };
  const others = first.report.testResults.filter(({ name }) => !files.includes(name));
  const success = second.report.success && first.deaths.otherErrors === 0;
  return { ...second, seconds, report: { success, testResults: [...others, ...second.report.testResults] } };
}

/** @param died in the end, @param crashed and were run once more. */
function outcomeOf(
  suite: Suite,
  root: string,
  run: Run,
  died: readonly Death[],
  crashed: readonly Death[] = [],
): Outcome {
  const { status, signal, killed, seconds, report } = run;
  if (killed) return lost(suite, seconds, `killed at its cap of ${suite.capMinutes} min`);
  if (report === undefined)
    return lost(suite, seconds, `Vitest ended with ${signal ?? `status ${status}`} and left no report`);
  const counts = countReport(report);
  const failed = status !== 0 && counts.failed === 0 ? 1 : counts.failed;
  const trouble = died.map(death => `${relative(root, death.file)} died by ${death.signal}`).join(', ');
  const survived = crashed
    .filter(({ file }) => report.testResults.some(({ name, status }) => name === file && status === 'passed'))
    .map(death => ({ ...death, file: relative(root, death.file) }));
  return { name: suite.name, ...counts, failed, seconds, survived, ...(trouble === '' ? {} : { trouble }) };
}

function lost(suite: Suite, seconds: number, trouble: string): Outcome {
  return { name: suite.name, passed: 0, failed: 1, skipped: [], seconds, trouble };
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
