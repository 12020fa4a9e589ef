// Tests that timing calls never ends the recorder, and reads no file that the JVM's user has put in the place of the recording.
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTicksOf } from '../../server/base/linux-processes.ts';
import type { Problem } from '../../server/base/problem.ts';
import { CallTimer } from '../../server/record/call-timer.ts';
import type { Jvm } from '../../server/record/jvms.ts';
import { openPlain } from '../../server/record/plain-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-timer-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a JVM without a folder for its files is told as a problem', async () => {
  const child = spawn('sleep', ['600']);
  try {
    const pid = child.pid!;
    const [user, startTicks] = [process.geteuid!(), startTicksOf(pid)!];
    const about = { main: '', args: '', jvmArgs: [], classPath: '', javaVersion: '', sinceMillis: 0, identity: '' };
    const jvm: Jvm = { pid, startTicks, user, root: join(folder, 'gone'), name: 'Shop', ...about };
    const problems: Problem[] = [];
    const timer = new CallTimer({ jvm, filters: ['Shop'], report: more => problems.push(...more) });
    timer.look(0);
    await expect
      .poll(() => problems.map(({ message }) => message), { timeout: 30_000 })
      .toContainEqual(expect.stringMatching(/^its calls cannot be timed: ENOENT/));
    await timer.end();
  } finally {
    child.kill('SIGKILL');
  }
});

test("only a plain file of the JVM's user is read as its recording", () => {
  const [file, link] = [join(folder, 'a.jfr'), join(folder, 'b.jfr')];
  const user = process.geteuid!();
  writeFileSync(file, '');
  symlinkSync(file, link);
  closeSync(openPlain(file, user));
  expect(() => openPlain(link, user)).toThrow('ELOOP');
  expect(() => openPlain(folder, user)).toThrow("it is no plain file of the JVM's user");
  expect(() => openPlain(file, user + 1)).toThrow("it is no plain file of the JVM's user");
});
