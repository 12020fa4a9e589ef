// Tests that work which ends with standard input ends whatever standard input is: a pipe, a file, or nothing.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MODULE = new URL('../../server/cli/until-told.ts', import.meta.url).href;
const SCRIPT = `import { untilTold } from ${JSON.stringify(MODULE)};
const alive = setInterval(() => {}, 1000);
await untilTold(signal => new Promise(done => signal.addEventListener('abort', done)), true);
clearInterval(alive);
console.log('ended');`;

test.each([
  ['/dev/null', '/dev/null'],
  ['a file', fileURLToPath(import.meta.url)],
  ['a closed pipe', null],
])('%s', async (_, path) => {
  const input = path === null ? 'pipe' : openSync(path, 'r');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    stdio: [input, 'pipe', 'inherit'],
  });
  child.stdin?.end();
  if (typeof input === 'number') closeSync(input);
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  let out = '';
  for await (const part of child.stdout!) out += part;
  clearTimeout(late);
  expect(out).toBe('ended\n');
});
