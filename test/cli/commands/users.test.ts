// Tests a recorder that is not root: it records JVMs of its own user, and refuses others.
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTicksOf } from '../../../server/base/linux-processes.ts';
import { diagnose } from '../../../server/record/attach.ts';
import { findRecording } from '../../../server/record/flight-recording.ts';
import { tierSettings } from '../../../server/record/flight-settings.ts';
import { describeJvm } from '../../../server/record/jvms.ts';
import { type CommandRun, insitu } from '../../support/insitu/command-line.ts';
import { type FakeJvm, type FakeJvmOptions, startFakeJvm } from '../../support/recorders/fake-jvm.ts';
import { asNobody, IS_ROOT, NOBODY } from '../../support/recorders/nobody.ts';

const PLACE = ['--project', 'acme', '--program', 'shop', '--version', '1'];

let folder = '';
const jvms: FakeJvm[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-users-'));
  chmodSync(folder, 0o755);
});
afterEach(async () => {
  for (const each of jvms.splice(0)) await each.end();
  rmSync(folder, { recursive: true, force: true });
});

async function jvmOf(user: number, options: FakeJvmOptions = {}): Promise<FakeJvm> {
  const place = join(folder, `jvm-${jvms.length}`);
  mkdirSync(place);
  if (IS_ROOT) chownSync(place, user, user);
  const jvm = await startFakeJvm(place, { ...options, ...(IS_ROOT ? { user } : {}) });
  jvms.push(jvm);
  return jvm;
}

async function command(...args: readonly string[]): Promise<CommandRun> {
  const own = join(folder, 'own');
  mkdirSync(own, { recursive: true });
  if (IS_ROOT) chownSync(own, NOBODY, NOBODY);
  const [name = '', ...more] = args;
  const place = ['--store', join(own, 'store'), '--spool', join(own, 'spool'), ...PLACE];
  // The modules of the command are loaded before, by the user who may read them.
  await insitu(name, '--help');
  return asNobody(() => insitu(name, ...place, ...more));
}

test('a JVM of the same user can be recorded', async () => {
  const jvm = await jvmOf(NOBODY);
  const { status, out } = await command('doctor', '--pid', String(jvm.pid));
  expect(out).toContain(`JVM ${jvm.pid}  com.acme.Shop`);
  expect(out).toContain('a recording with the settings standard would be started');
  expect(status).toBe(0);
  const found = await asNobody(() => findRecording(describeJvm(jvm.pid)!, tierSettings('standard')));
  expect(found).toMatchObject({ value: { isOurs: true, repository: join(folder, 'jvm-0', 'repository') } });
});

test('a JVM of another user is refused, and left in peace', async () => {
  // Process 1 is root's, also where another user runs this test.
  const pid = IS_ROOT ? (await jvmOf(0)).pid : 1;
  const wanted = `error: process ${pid}: it belongs to another user (run insitu as that user or as root)\n`;
  expect(await command('record', '--pid', String(pid))).toEqual({ status: 1, out: '', err: wanted });
  const { status, err } = await command('doctor', '--pid', String(pid));
  expect(err).toContain(`error: process ${pid}: it belongs to another user`);
  expect(status).toBe(1);
  const { out } = await command('doctor');
  expect(out).not.toContain(`JVM ${pid} `);
  const startTicks = startTicksOf(pid)!;
  const jvm = { ...describeJvm((await jvmOf(NOBODY)).pid)!, pid, startTicks, user: 0 };
  expect(await asNobody(() => diagnose(jvm, 'VM.version'))).toMatchObject({
    value: null,
    problems: [{ message: 'it belongs to another user', remedy: expect.stringContaining('as root') }],
  });
  for (const each of jvms) expect(each.asked()).toEqual([]);
});

test('a JVM whose files the system does not show is not even signalled', async () => {
  const jvm = await jvmOf(NOBODY);
  const described = describeJvm(jvm.pid)!;
  if (!IS_ROOT) return;
  const { problems } = await asNobody(() => diagnose(described, 'VM.version'), NOBODY - 1);
  expect(problems).toMatchObject([{ message: 'the system does not show its files to this user and group' }]);
  expect(jvm.asked()).toEqual([]);
});

test('root records everybody’s JVM, but takes only a repository of that JVM’s user for its own', async () => {
  const jvm = await jvmOf(NOBODY);
  const described = describeJvm(jvm.pid)!;
  const mask = process.umask(0o077);
  const found = await findRecording(described, tierSettings('standard')).finally(() => process.umask(mask));
  expect(found.value).toMatchObject({ isOurs: true });
  if (!IS_ROOT) return;
  chownSync(join(folder, 'jvm-0', 'repository'), NOBODY - 1, NOBODY - 1);
  const { value, problems } = await findRecording(described, tierSettings('standard'));
  expect(value).toBeNull();
  expect(problems).toMatchObject([{ severity: 'error', message: "its recordings belong to another user's account" }]);
});
