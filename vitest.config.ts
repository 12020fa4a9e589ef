// One or two Vitest projects a suite: `vitest run --project 'jdk*'` runs exactly the files which `npm test -- --only jdk` runs.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { shippedWorkers } from './test/run/shipped-workers.ts';
import { projectsOf, suites } from './test/run/suites.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [shippedWorkers(pathOf('./dist/insitu.cjs'))],
  // The page imports the columns of the contract by the name that the package has for it.
  resolve: { alias: { 'insitu/views': pathOf('./server/views/view-messages.ts') } },
  test: {
    passWithNoTests: true,
    // Processes, not threads: the end of one file's worker threads must not reach into the tests of another file.
    pool: 'forks',
    maxWorkers: 2,
    // Times are written in the zone of the machine.
    env: { TZ: 'UTC' },
    globalSetup: ['test/run/built.ts'],
    setupFiles: ['test/run/set-up.ts'],
    // No test ends by the clock: `npm test` ends a suite in which nothing goes on any more (`test/run/standstill.ts`).
    testTimeout: 0,
    hookTimeout: 0,
    projects: suites.flatMap(suite =>
      projectsOf(suite).map(({ name, include, exclude, isolate }) => ({
        extends: true as const,
        test: {
          name,
          include: [...include],
          exclude: ['**/node_modules/**', '.cache/**', 'dist/**', ...exclude],
          isolate,
          fileParallelism: suite.serial !== true,
        },
      })),
    ),
  },
});
