// A git that hangs ends with the process that started it, however that one ends.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

test('no git outlives the process that started it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-git-ends-'));
  try {
    const [git, pid] = [join(folder, 'git'), join(folder, 'pid')];
    writeFileSync(git, `#!/bin/sh\necho $$ > ${pid}\nexec sleep 60\n`);
    chmodSync(git, 0o755);
    const module = pathToFileURL(join(import.meta.dirname, '../../../server/mapping/git/run-git.ts')).href;
    const program = `
      import { existsSync } from 'node:fs';
      import { runGit } from ${JSON.stringify(module)};
      void runGit('/', ['rev-parse'], { env: { PATH: ${JSON.stringify(`${folder}:/usr/bin:/bin`)} } });
      setInterval(() => existsSync(${JSON.stringify(pid)}) && process.exit(7), 20);`;
    const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { timeout: 30_000 });
    expect(status).toBe(7);
    const started = readFileSync(pid, 'utf8').trim();
    await expect.poll(() => stateOf(started), { timeout: 5_000 }).toMatch(/^(?:gone|Z)$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The letter of the process's state; `gone` where there is none. */
function stateOf(pid: string): string {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return 'gone';
  const text = readFileSync(stat, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3);
}
