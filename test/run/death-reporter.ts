// Vitest reporter: tells which test files' processes ended by a signal, so that a crash of the platform is no failed test.
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

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

/** As Vitest words it, which is checked with a real run. */
const DIED = /exited unexpectedly with .*?signal (SIG[A-Z0-9]+) .*while running test files? (.+)$/s;

function deathOf(error: SerializedError): Death | null {
  const [, signal, file] = DIED.exec(error.cause?.message ?? '') ?? [];
  return signal === undefined || file === undefined ? null : { file, signal };
}

export default class DeathReporter implements Reporter {
  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const died = errors.map(deathOf).filter(death => death !== null);
    const deaths: Deaths = { died, otherErrors: errors.length - died.length };
    const file = process.env[DEATHS_FILE];
    if (file !== undefined) writeFileSync(file, JSON.stringify(deaths));
  }
}
