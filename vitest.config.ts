// One vitest project a suite, so that `vitest run --project jdk` runs exactly the files which `npm test -- --only jdk` runs.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { excluded, suites } from './test/run/suites.ts';

export default defineConfig({
  // The page imports the columns of the contract by the name that the package has for it.
  resolve: { alias: { 'insitu/views': fileURLToPath(new URL('./server/views/view-messages.ts', import.meta.url)) } },
  test: {
    passWithNoTests: true,
    // Processes, not threads: the end of one file's worker threads must not reach into the tests of another file.
    pool: 'forks',
    maxWorkers: 2,
    // Times are written in the zone of the machine.
    env: { TZ: 'UTC' },
    projects: suites.map(suite => ({
      extends: true as const,
      test: {
        name: suite.name,
        include: [...suite.include],
        exclude: ['**/node_modules/**', '.cache/**', 'dist/**', ...excluded(suite)],
        testTimeout: suite.testSeconds * 1000,
        hookTimeout: suite.testSeconds * 1000,
        fileParallelism: suite.serial !== true,
      },
    })),
  },
});
