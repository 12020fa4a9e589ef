// Vitest reporter: notes which tests have begun and ended, for the watch of the run, and which test files' processes ended by a signal, so that a crash of the platform is no failed test.
import { appendFileSync, writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

export type Death = {
  /** Absolute path of the test file. */
  readonly file: string;
  readonly signal: string;
};

export type Deaths = {
  readonly died: readonly Death[];
  /** Errors outside of tests that are something else. */
  readonly otherErrors: number;
};

/** The environment variable with the path of the file that the report, `Deaths` as JSON, is written to. */
export const DEATHS_FILE = 'INSITU_DEATHS_FILE';
/** The environment variable with the path of the file that gets a line for each test that begins (`+ name`) and ends (`- name`). */
export const EVENTS_FILE = 'INSITU_EVENTS_FILE';

/** The words of Vitest, which a test checks with a real run. */
const DIED = /exited unexpectedly with .*?signal (SIG[A-Z0-9]+) .*while running test files? (.+)$/s;

function deathOf(error: SerializedError): Death | null {
  const [, signal, file] = DIED.exec(error.cause?.message ?? '') ?? [];
  return signal === undefined || file === undefined ? null : { file, signal };
}

function note(sign: '+' | '-', { module, fullName }: TestCase): void {
  const file = process.env[EVENTS_FILE];
  const name = `${module.relativeModuleId} > ${fullName}`.replaceAll('\n', ' ');
  if (file !== undefined) appendFileSync(file, `${sign} ${name}\n`);
}

/** The tests that have begun and not ended, of the lines of an events file. */
export function openTests(lines: readonly string[]): string[] {
  const open: string[] = [];
  for (const line of lines) {
    const name = line.slice(2);
    if (line.startsWith('+')) open.push(name);
    else if (open.includes(name)) open.splice(open.indexOf(name), 1);
  }
  return open;
}

export default class RunReporter implements Reporter {
  onTestCaseReady(test: TestCase): void {
    note('+', test);
  }

  onTestCaseResult(test: TestCase): void {
    note('-', test);
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const died = errors.map(deathOf).filter(death => death !== null);
    const deaths: Deaths = { died, otherErrors: errors.length - died.length };
    const file = process.env[DEATHS_FILE];
    if (file !== undefined) writeFileSync(file, JSON.stringify(deaths));
  }
}
