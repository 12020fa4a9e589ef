// Asking a JVM for its attach socket writes nowhere but into a new file, whatever the JVM's user has put in the way.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTicksOf } from '../../server/base/linux-processes.ts';
import { diagnose } from '../../server/record/attach.ts';
import { hasBegun, type Jvm } from '../../server/record/jvms.ts';
import { ownerFlaw } from '../../server/record/owner-flaw.ts';

/** Stands in for a JVM: opens its socket when it gets SIGQUIT, and tells whether a file asks for that. Some end meanwhile. */
const PROGRAM = `
const what = process.argv[1] ?? '';
const { existsSync, rmSync } = require('node:fs');
const socket = '/tmp/.java_pid' + process.pid;
rmSync(socket, { force: true });
process.on('exit', () => rmSync(socket, { force: true }));
process.on('SIGTERM', () => process.exit());
const listen = () => process.on('SIGQUIT', () => {
  if (what === 'is asked for its socket') process.exit();
  const name = '.attach_pid' + process.pid;
  const asks = ['.', '/tmp'].filter(folder => existsSync(folder + '/' + name)).join(' ');
  const server = require('node:net').createServer(client => client.on('data', () => {
    if (what !== 'answers') return client.end('0\\n' + asks);
    rmSync(socket);
    client.end('0');
    setTimeout(() => process.exit(), 300);
  }));
  server.listen(socket);
});
if (what === 'starts') setTimeout(listen, 1000);
else listen();
setInterval(() => undefined, 60_000);
console.log('ready');
`;

let folder = '';
let child: ChildProcess;
let jvm: Jvm;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-attach-'));
  await start();
});

/** @param what it does just then: `starts`, `is asked for its socket`, `answers`. */
async function start(what = ''): Promise<void> {
  child = spawn(process.execPath, ['-e', PROGRAM, what], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout!, 'data');
  const user = process.geteuid!();
  const nothing = { root: '', name: 'Shop', main: 'Shop', args: '', jvmArgs: [], classPath: '', javaVersion: '' };
  jvm = {
    pid: child.pid!,
    startTicks: startTicksOf(child.pid!)!,
    user,
    ...nothing,
    sinceMillis: Date.now(),
    identity: '',
  };
}

async function end(): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

afterEach(async () => {
  await end();
  rmSync(folder, { recursive: true, force: true });
});

const request = () => join(folder, `.attach_pid${child.pid}`);

test('a file in the working folder asks, and is gone afterwards', async () => {
  expect(await diagnose(jvm, 'VM.version')).toEqual({ value: '.', problems: [] });
  expect(existsSync(request())).toBe(false);
});

test('what somebody who asked before has left is taken away', async () => {
  writeFileSync(request(), '');
  expect(await diagnose(jvm, 'VM.version')).toEqual({ value: '.', problems: [] });
  expect(existsSync(request())).toBe(false);
});

test('nothing is written through a link of that name: the other place is taken', async () => {
  const precious = join(folder, 'precious');
  writeFileSync(precious, 'not to be lost');
  symlinkSync(precious, request());
  // A link is there for the fake JVM to see as well.
  expect(await diagnose(jvm, 'VM.version')).toEqual({ value: '. /tmp', problems: [] });
  expect(readFileSync(precious, 'utf8')).toBe('not to be lost');
  expect(existsSync(`/tmp/.attach_pid${child.pid}`)).toBe(false);
});

const ENDED = expect.objectContaining({ message: 'it has ended' });

test('one that is gone is told of as gone, and of nothing else', async () => {
  await end();
  expect(await diagnose(jvm, 'VM.version')).toEqual({ value: null, problems: [ENDED] });
  // A JVM that was looked at on its way out tells no user any more.
  expect(await diagnose({ ...jvm, user: -1 }, 'VM.version')).toEqual({ value: null, problems: [ENDED] });
});

for (const what of ['is asked for its socket', 'answers'])
  test(`one that ends while it ${what} is told of as gone`, async () => {
    await end();
    await start(what);
    expect(await diagnose(jvm, 'VM.version')).toEqual({ value: null, problems: [ENDED] });
  });

test('one that only starts is waited for', async () => {
  await end();
  await start('starts');
  expect(await diagnose(jvm, 'VM.version')).toEqual({ value: '.', problems: [] });
});

/** The file in which a JVM tells when it was ready, 0 before. */
function perfData(readyAt: number): Uint8Array {
  const name = 'sun.rt.createVmEndTime';
  const bytes = Buffer.alloc(32 + 56);
  bytes.writeUInt32BE(0xcafec0c0);
  bytes.set([1, 2, 0, 1], 4);
  bytes.writeInt32LE(32, 24);
  bytes.writeInt32LE(1, 28);
  bytes.writeInt32LE(56, 32);
  bytes.writeInt32LE(20, 36);
  bytes.write('J', 44);
  bytes.writeInt32LE(48, 48);
  bytes.write(name, 52);
  bytes.writeBigInt64LE(BigInt(readyAt), 80);
  return bytes;
}

test('one that takes signals and does not run its program yet is not signalled before it does', async () => {
  const data = mkdtempSync('/tmp/hsperfdata_insitu-');
  try {
    const file = join(data, String(child.pid));
    writeFileSync(file, perfData(0));
    expect(hasBegun(jvm)).toBe(false);
    const answer = diagnose(jvm, 'VM.version');
    await pause(500);
    expect(existsSync(request())).toBe(false);
    expect(existsSync(`/tmp/.java_pid${child.pid}`)).toBe(false);
    writeFileSync(file, perfData(4711));
    expect(hasBegun(jvm)).toBe(true);
    expect(await answer).toEqual({ value: '.', problems: [] });
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});

test('no process that has got the number since is signalled', async () => {
  const other = { ...jvm, startTicks: jvm.startTicks - 1 };
  expect(await diagnose(other, 'VM.version')).toEqual({ value: null, problems: [ENDED] });
  expect(existsSync(`/tmp/.java_pid${child.pid}`)).toBe(false);
});

test('a repository is read by its own user alone, and by root only when it is the JVM’s', () => {
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  chmodSync(repository, 0o755);
  const own = process.geteuid!();
  expect(ownerFlaw(repository, own, own)).toBeNull();
  expect(ownerFlaw(repository, own, own + 1)).toMatchObject({ message: expect.stringContaining('another user') });
  expect(ownerFlaw(repository, own + 1, 0)).toMatchObject({ message: expect.stringContaining('another user') });
  expect(ownerFlaw(repository, 0, 0)).toBeNull();
  expect(ownerFlaw(join(folder, 'none'), own, own)).toMatchObject({
    message: expect.stringContaining('cannot be reached'),
  });
});
