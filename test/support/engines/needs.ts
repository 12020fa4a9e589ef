// The only way to skip a test: groups that need an engine run when it is there (or can be fetched), else say why not and count as skipped.
import { describe, test } from 'vitest';
import type { EngineName } from '../../run/suites.ts';
import { type Engine, provideEngine } from './engines.ts';

/**
 * A group of tests that needs `engine`, as `describe` for all else. The engine is fetched when it is missing; where that
 * is impossible (no apt, no network) the reason is printed and the group counts as one skipped test. With CI=true a
 * skip that is not listed in test/run/allowed-skips.ts fails the run.
 */
export function needs(engine: EngineName, title: string, body: (engine: Engine) => void): void {
  const provided = provideEngine(engine);
  if ('missing' in provided) {
    console.warn(`skipped: ${title}: needs ${engine}: ${provided.missing}`);
    test.skip(`${title} (needs ${engine}: ${provided.missing})`, () => {});
  } else {
    describe(title, () => body(provided));
  }
}
