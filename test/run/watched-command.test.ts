// A command that its watch ends, or that has ended, leaves nothing behind that runs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand, type Watch } from './watched-command.ts';

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

const forever: Watch = { everyMillis: 1000, look: () => null };

test('a command that its watch ends is killed with everything it started', async () => {
  const { cwd, noted } = folderForNotes();
  const watch: Watch = { everyMillis: 20, look: () => (noted().length < 2 ? null : 'seen enough') };
  const ended = await runCommand('bash', ['-c', `${TWO_SLEEPERS}; wait`], { cwd }, watch);
  expect(ended).toMatchObject({ killed: 'seen enough', status: null, signal: 'SIGKILL' });
  expect(noted().map(isRunning)).toEqual([false, false]);
});

test('the watch is told the processor time of all that a command started', async () => {
  const seen: number[] = [];
  const look = (cpuSeconds: number): string | null => {
    seen.push(cpuSeconds);
    return cpuSeconds >= 0.3 ? 'worked' : null;
  };
  const spinner = 'setsid bash -c "while :; do :; done" & wait';
  const ended = await runCommand('bash', ['-c', spinner], { cwd: '.' }, { everyMillis: 20, look });
  expect(ended.killed).toBe('worked');
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test('what a command leaves running when it ends is killed too', async () => {
  const { cwd, noted } = folderForNotes();
  const ended = await runCommand('bash', ['-c', `${TWO_SLEEPERS}; exit 3`], { cwd }, forever);
  expect(ended).toMatchObject({ killed: null, status: 3, signal: null });
  expect(noted()).toHaveLength(2);
  expect(noted().map(isRunning)).toEqual([false, false]);
});

test('a command that cannot start gives neither status nor signal', async () => {
  const ended = await runCommand('no-such-program-here', [], { cwd: '.' }, forever);
  expect(ended).toMatchObject({ killed: null, status: null, signal: null });
});
