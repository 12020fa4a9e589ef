// Fetching an engine leaves either a whole one with its stamp or nothing, and says why.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const engines = fileURLToPath(new URL('../../.ci/engines', import.meta.url));
let folder: string;
let prefix: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-engine-'));
  prefix = join(folder, 'engines', 'toy');
  // The machine of the test may have no apt: these only have to be there.
  mkdirSync(join(folder, 'bin'));
  for (const name of ['apt-get', 'dpkg', 'sleep'])
    writeFileSync(join(folder, 'bin', name), '#!/bin/sh\n', { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs fetch.sh with an engine script of the given text. */
function fetchToy(
  key: string,
  script: string,
  path = `${join(folder, 'bin')}:${process.env.PATH}`,
): Promise<{ status: number | null; out: string }> {
  const file = join(folder, 'toy.sh');
  writeFileSync(file, script);
  const args = [join(engines, 'fetch.sh'), prefix, key, relative(engines, file), 'argument'];
  const child = spawn('/bin/bash', args, { env: { PATH: path } });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (out += chunk));
  return new Promise(resolve => child.on('close', status => resolve({ status, out })));
}

const GOOD = 'echo run >>"$1/../runs"; echo "Toy 1.0 ($2)" >"$1/.version"';
const runs = (): number => readFileSync(join(folder, 'engines', 'runs'), 'utf8').split('\n').length - 1;

test('a good script is run once for a key, and once more for another', async () => {
  expect(await fetchToy('k1', GOOD)).toMatchObject({
    status: 0,
    out: expect.stringContaining('toy: Toy 1.0 (argument), ready'),
  });
  expect(readFileSync(join(prefix, '.insitu-stamp'), 'utf8')).toBe('k1\nToy 1.0 (argument)\n');
  expect(await fetchToy('k1', GOOD)).toEqual({ status: 0, out: '' });
  expect(runs()).toBe(1);
  await fetchToy('k2', GOOD);
  expect(runs()).toBe(2);
});

test('two at once fetch once', async () => {
  const slow = `${GOOD}; /bin/sleep 0.3`;
  const both = await Promise.all([fetchToy('k1', slow), fetchToy('k1', slow)]);
  expect(both.map(({ status }) => status)).toEqual([0, 0]);
  expect(runs()).toBe(1);
});

test('a script that fails is tried twice, then leaves nothing behind', async () => {
  const { status, out } = await fetchToy('k1', 'echo run >>"$1/../runs"; echo half >"$1/half"; exit 1');
  expect(status).toBe(1);
  expect(out).toContain('trying once more');
  expect(out.trim().split('\n').at(-1)).toMatch(/^toy could not be fetched/);
  expect(runs()).toBe(2);
  expect(existsSync(prefix)).toBe(false);
});

test('a script that fails once only is fine', async () => {
  const { status } = await fetchToy(
    'k1',
    'if [ -e "$1/../once" ]; then echo 1 >"$1/.version"; else touch "$1/../once"; exit 1; fi',
  );
  expect(status).toBe(0);
});

test('without apt the reason is the last line', async () => {
  mkdirSync(join(folder, 'few'));
  for (const name of ['realpath', 'dirname', 'basename', 'mkdir'])
    writeFileSync(join(folder, 'few', name), `#!/bin/sh\nexec /usr/bin/${name} "$@"\n`, { mode: 0o755 });
  const { status, out } = await fetchToy('k1', GOOD, join(folder, 'few'));
  expect(status).toBe(1);
  expect(out.trim().split('\n').at(-1)).toMatch(/^apt-get is not on this machine/);
});
