// Vitest's global set-up: builds what is shipped (`dist/`) where it is older than the sources, because tests start that program and its worker threads.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export default function setup(): void {
  const bootstrap = fileURLToPath(new URL('../../.ci/bootstrap.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [bootstrap, '--only-set-up'], { stdio: 'inherit' });
  if (status !== 0)
    throw new Error('dist/, which the tests start programs from, could not be built; the message stands above');
}
