// A lock belongs to a living process; any other file with its name is stale, and one of many processes at once takes it.
import { spawn, spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTicksOf } from '../../server/base/linux-processes.ts';
import { isRunning, lockHolder, releaseLock, takeLock } from '../../server/base/process-lock.ts';

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-lock-'));
  lock = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

const OTHER = `${process.ppid} ${startTicksOf(process.ppid)}\n`;
const { pid: GONE } = spawnSync(process.execPath, ['--version']);

test('the lock of a living process is not taken, and stays', () => {
  writeFileSync(lock, OTHER);
  expect(takeLock(lock)).toBe(process.ppid);
  releaseLock(lock);
  expect(readFileSync(lock, 'utf8')).toBe(OTHER);
});

test.each([
  ['empty, as a full disk leaves it', ''],
  ['cut off', OTHER.slice(0, -1)],
  ['of no process', '0 0\n'],
  ['of a group of processes', `-${process.ppid} ${startTicksOf(process.ppid)}\n`],
  ['of a process that has ended', `${GONE} 1\n`],
  ['of an earlier process with the number of a living one', `${process.ppid} 1\n`],
  ['of an earlier process with this number', `${process.pid} 1\n`],
])('a lock %s', (_, content) => {
  writeFileSync(lock, content);
  expect(takeLock(lock)).toBeNull();
  expect(readFileSync(lock, 'utf8')).toBe(`${process.pid} ${startTicksOf(process.pid)}\n`);
  expect(readdirSync(folder)).toEqual(['lock']);
  releaseLock(lock);
  expect(readdirSync(folder)).toEqual([]);
});

test('any bytes that name no living process are no lock', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.string().map(text => Buffer.from(text)),
      ),
      bytes => {
        writeFileSync(lock, bytes);
        expect(takeLock(lock)).toBeNull();
      },
    ),
    { numRuns: 50 },
  );
});

test('a link and a pipe of its name', () => {
  const target = join(folder, 'target');
  writeFileSync(target, 'kept');
  for (const make of [() => symlinkSync(target, lock), () => spawnSync('mkfifo', [lock])]) {
    rmSync(lock, { force: true });
    make();
    expect(lockHolder(lock)).toBeNull();
    expect(takeLock(lock)).toBeNull();
    expect(lstatSync(lock).isFile()).toBe(true);
  }
  expect(readFileSync(target, 'utf8')).toBe('kept');
});

test('a folder of its name stays, and is an error', () => {
  mkdirSync(lock);
  expect(() => takeLock(lock)).toThrow('folder');
  expect(readdirSync(folder)).toEqual(['lock']);
});

test('of many processes that find a stale lock at once, one takes it', async () => {
  const module = resolve('server/base/process-lock.ts');
  const program = `
    const { takeLock } = await import(${JSON.stringify(module)});
    process.stdout.write('ready\\n');
    process.stdin.once('data', () => process.stdout.write(String(takeLock(${JSON.stringify(lock)}) ?? 'taken')));
  `;
  writeFileSync(lock, '');
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const next = (child: (typeof children)[number]) =>
    new Promise<string>(told => child.stdout.once('data', data => told(String(data))));
  await Promise.all(children.map(next));
  const answers = children.map(next);
  for (const child of children) child.stdin.write('go\n');
  const told = await Promise.all(answers);
  const holder = children[told.indexOf('taken')]?.pid;
  expect(told.sort()).toEqual([...Array(5).fill(String(holder)), 'taken'].sort());
  for (const child of children) child.kill();
});

test('a process that has ended and waits to be buried does not run', async () => {
  // The program that takes the shell's place does not know of the shell's child.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const child = await new Promise<number>(told => parent.stdout.once('data', data => told(Number(data))));
  try {
    await expect.poll(() => isRunning(child)).toBe(false);
    expect(() => process.kill(child, 0)).not.toThrow();
  } finally {
    parent.kill();
  }
});

test('a process is told from later ones with its number', () => {
  expect(isRunning(process.ppid)).toBe(true);
  expect(isRunning(process.ppid, startTicksOf(process.ppid))).toBe(true);
  expect(isRunning(process.ppid, 1)).toBe(false);
  for (const pid of [0, -1, Number.NaN, 2 ** 40, GONE]) expect(isRunning(pid)).toBe(false);
});
