// Types and lint of the whole project, which the fast suite checks too, and the counts that keep the code simple.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LIMITS } from '../test/tidy/counts/limits.ts';
import { countFailures, countsTable } from '../test/tidy/counts/report.ts';
import { takeCounts } from '../test/tidy/counts/take.ts';
import { formatViolations } from '../test/tidy/files.ts';
import { bundleEntries } from './build.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const checks = [
  ['tsc', '--noEmit', '-p', '.'],
  ['tsc', '--noEmit', '-p', 'clients/web'],
  ['biome', 'check', '--error-on-warnings', '.'],
] as const;

async function checkAll(): Promise<number> {
  const failed = checks.filter(([program, ...args]) => {
    const { status } = spawnSync(join(root, 'node_modules/.bin', program), args, { cwd: root, stdio: 'inherit' });
    return status !== 0;
  });
  const taken = await takeCounts(root, Object.values(bundleEntries(root)));
  console.log(countsTable(taken));
  const failures = countFailures(taken);
  for (const failure of failures) console.error(`\n${failure}`);
  return failed.length + failures.length === 0 ? 0 : 1;
}

/** All places of one count. */
async function list(name: string): Promise<number> {
  const wanted = LIMITS.filter(limited => limited.name === name);
  if (wanted.length === 0) {
    console.error(`there is no count "${name}"; there are ${LIMITS.map(limited => limited.name).join(', ')}`);
    return 2;
  }
  for (const { counted } of await takeCounts(root, Object.values(bundleEntries(root)), wanted)) {
    if ('trouble' in counted) {
      console.error(`${name} cannot be counted: ${counted.trouble}`);
      return 1;
    }
    console.log(formatViolations(counted.places));
    console.error(`${name}: ${counted.total}`);
  }
  return 0;
}

const { values } = parseArgs({ options: { list: { type: 'string' } } });
process.exitCode = values.list === undefined ? await checkAll() : await list(values.list);
