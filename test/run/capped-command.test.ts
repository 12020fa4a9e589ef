// A command that is over its cap, or has ended, leaves nothing behind that runs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Ended, runCommand } from './capped-command.ts';

/** Starts two processes that never end by themselves, one in a process group of its own as daemons are, and notes their numbers. */
const TWO_SLEEPERS = 'sleep 1000 & echo $! > pids; setsid sleep 1000 & echo $! >> pids';

function folderForNotes(): { cwd: string; noted: () => number[] } {
  const cwd = mkdtempSync(join(tmpdir(), 'insitu-cap-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, 'pids'), '');
  const lines = () => readFileSync(join(cwd, 'pids'), 'utf8').split('\n');
  return { cwd, noted: () => lines().filter(Boolean).map(Number) };
}

function isRunning(pid: number): boolean {
  try {
    // A killed process whose parent was killed too stays as a zombie until init collects it.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('a command over its cap is killed with everything it started', async () => {
  const { cwd, noted } = folderForNotes();
  let ended: Ended | undefined;
  // A busy machine may take seconds to start a shell.
  for (let cap = 0.25; noted().length < 2; cap *= 2)
    ended = await runCommand('bash', ['-c', `${TWO_SLEEPERS}; wait`], { cwd }, cap);
  expect(ended).toMatchObject({ killed: true, status: null, signal: 'SIGKILL' });
  expect(noted().map(isRunning)).toEqual([false, false]);
});

test('what a command leaves running when it ends is killed too', async () => {
  const { cwd, noted } = folderForNotes();
  const ended = await runCommand('bash', ['-c', `${TWO_SLEEPERS}; exit 3`], { cwd }, 600);
  expect(ended).toMatchObject({ killed: false, status: 3, signal: null });
  expect(noted()).toHaveLength(2);
  expect(noted().map(isRunning)).toEqual([false, false]);
});

test('a command that cannot start gives neither status nor signal', async () => {
  const ended = await runCommand('no-such-program-here', [], { cwd: '.' }, 600);
  expect(ended).toMatchObject({ killed: false, status: null, signal: null });
});
