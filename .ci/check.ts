// Types and lint of the whole project: what the fast suite checks before its tests.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const checks = [
  ['tsc', '--noEmit', '-p', '.'],
  ['biome', 'check', '--error-on-warnings', '.'],
] as const;
for (const [program, ...args] of checks) {
  const { status } = spawnSync(join(root, 'node_modules/.bin', program), args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
