// Runs one suite with Vitest, or the checks that stand before the tests, and counts what came of it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './command.ts';
import { countReport, type Outcome, type VitestReport } from './outcome.ts';
import type { Suite } from './suites.ts';

/** Types or lint as if it were one test. */
export async function runCheck(name: string, root: string, program: string, args: readonly string[]): Promise<Outcome> {
  const { status, seconds } = await runCommand(join(root, 'node_modules/.bin', program), args, root, 120);
  return { name, passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: [], seconds };
}

/** Runs a suite's files; a suite that is killed at its cap or leaves no report counts as one failure. */
export async function runSuite(suite: Suite, root: string): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-suite-'));
  const reportFile = join(folder, 'report.json');
  try {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
    const args = [vitest, 'run', '--project', suite.name, ...reporters];
    const { status, killed, seconds } = await runCommand(process.execPath, args, root, suite.capMinutes * 60);
    if (killed) return lost(suite, seconds, `killed at its cap of ${suite.capMinutes} min`);
    const report = readReport(reportFile);
    if (report === undefined) return lost(suite, seconds, `Vitest ended with status ${status} and left no report`);
    const counts = countReport(report);
    if (status !== 0 && counts.failed === 0) return { name: suite.name, seconds, ...counts, failed: 1 };
    return { name: suite.name, seconds, ...counts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lost(suite: Suite, seconds: number, trouble: string): Outcome {
  return { name: suite.name, passed: 0, failed: 1, skipped: [], seconds, trouble };
}

function readReport(file: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  } catch {
    return undefined;
  }
}
