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
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diagnose } from '../../server/record/attach.ts';
import { ownerFlaw } from '../../server/record/flight-recording.ts';
import type { Jvm } from '../../server/record/jvms.ts';

/** Stands in for a JVM: opens its socket when it gets SIGQUIT, and tells whether a file asks for that. */
const PROGRAM = `
const { existsSync, rmSync } = require('node:fs');
const socket = '/tmp/.java_pid' + process.pid;
rmSync(socket, { force: true });
process.on('exit', () => rmSync(socket, { force: true }));
process.on('SIGTERM', () => process.exit());
process.on('SIGQUIT', () => {
  const name = '.attach_pid' + process.pid;
  const asks = ['.', '/tmp'].filter(folder => existsSync(folder + '/' + name)).join(' ');
  const server = require('node:net').createServer(client => client.on('data', () => client.end('0\\n' + asks)));
  server.listen(socket);
});
setInterval(() => undefined, 60_000);
console.log('ready');
`;

let folder = '';
let child: ChildProcess;
let jvm: Jvm;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-attach-'));
  child = spawn(process.execPath, ['-e', PROGRAM], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout!, 'data');
  const user = process.geteuid!();
  const nothing = { root: '', name: 'Shop', main: 'Shop', args: '', jvmArgs: [], classPath: '', javaVersion: '' };
  jvm = { pid: child.pid!, startTicks: 0, user, ...nothing, sinceMillis: 0 };
});

afterEach(async () => {
  child.kill();
  await once(child, 'exit');
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
