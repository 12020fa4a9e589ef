// Tests the options of `insitu record` and `insitu doctor`, with a program that answers like a JVM, and the refusals.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bootId, startTicksOf } from '../../../server/base/linux-processes.ts';
import { Follower } from '../../../server/record/follower.ts';
import { Spool } from '../../../server/record/spool.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { insitu } from '../../support/insitu/command-line.ts';
import { type FakeJvm, type FakeJvmOptions, startFakeJvm } from '../../support/recorders/fake-jvm.ts';
import { RecordingScene } from '../../support/recorders/recording-scene.ts';
import {
  ends,
  eventsOf,
  samplesOf,
  spooled,
  spoolOf,
  startInsitu,
  stored,
  storeOf,
  until,
  untilFollowing,
} from '../../support/recorders/recording-shop.ts';
import { followerOptions, growingRepository } from '../../support/recordings/growing-repository.ts';

const RECORDING = join(import.meta.dirname, '../../../samples/recordings/shop-v1-jdk17-a.jfr');
const DUMP = `2026-11-22 04:00:00
Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):

"secret-worker-1" #1 prio=5 os_prio=0 cpu=10.00ms elapsed=10.00s tid=0x00007f0000000001 nid=0x1 runnable  [0x00007f0000000000]
   java.lang.Thread.State: RUNNABLE
	at com.acme.Secret.run(Secret.java:10)
	at java.lang.Thread.run(java.base@17.0.15/Thread.java:840)

`;

const scene = new RecordingScene();
const jvms: FakeJvm[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const each of jvms.splice(0)) await each.end();
});

async function fakeJvm(options: FakeJvmOptions = {}): Promise<FakeJvm> {
  const jvm = await startFakeJvm(join(scene.folder, `jvm-${jvms.length}`), options);
  jvms.push(jvm);
  return jvm;
}

function doctor(...args: readonly string[]) {
  const place = ['--store', storeOf(scene.folder), '--spool', join(scene.folder, 'spool'), '--project', 'acme'];
  return insitu('doctor', ...place, ...args);
}

/** Everything that the store holds, as text. */
async function textOfStore(): Promise<string> {
  const profile = (await stored(scene.folder))!;
  const lines = profile.metrics.map(({ id }) => toCollapsed(profile, { frames: 'full', threads: true, metric: id }));
  return JSON.stringify([profile.methods.strings, profile.threads.rawNames, profile.threads.group, lines]);
}

describe('doctor', () => {
  test('tells what would be done with a JVM and why, and does nothing to it', async () => {
    const jvm = await fakeJvm();
    const { status, out, err } = await doctor('--pid', String(jvm.pid), '--program', 'shop', '--version', '1');
    expect(out).toContain(`store  ${storeOf(scene.folder)}\nspool  ${join(scene.folder, 'spool')}\n`);
    expect(out).toContain(`JVM ${jvm.pid}  com.acme.Shop`);
    expect(out).toContain('a recording with the settings standard would be started');
    expect(out).toMatch(/^ {2}program {2}shop {2}--program$/m);
    expect(err).toMatch(/lines of inlined code are approximate/);
    expect(status).toBe(0);
    expect(jvm.asked().filter(command => /JFR\.(start|stop|dump)/.test(command))).toEqual([]);
    expect(existsSync(storeOf(scene.folder))).toBe(false);
  });

  test('--json tells the same to programs', async () => {
    const jvm = await fakeJvm();
    const { status, out } = await doctor('--pid', String(jvm.pid), '--json');
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      store: storeOf(scene.folder),
      problems: [],
      jvms: [{ pid: jvm.pid, name: 'com.acme.Shop', execution: { project: 'acme', program: 'com.acme.Shop' } }],
    });
  });

  test('a JVM runs since it was started, not since somebody looked at it', async () => {
    const before = Date.now();
    const jvm = await fakeJvm();
    const after = Date.now();
    // The JVM must be older than the tolerance below when it is looked at first.
    await pause(2500);
    const [{ sinceMillis }] = JSON.parse((await doctor('--pid', String(jvm.pid), '--json')).out).jvms;
    expect(sinceMillis).toBeLessThanOrEqual(after + 10);
    expect(sinceMillis).toBeGreaterThanOrEqual(before - 2000);
  });

  test('says of a process id why there is no JVM', async () => {
    const own = await doctor('--pid', String(process.pid));
    expect(own).toMatchObject({ status: 1, err: expect.stringContaining(`process ${process.pid}: it is no JVM`) });
    const none = await doctor('--pid', '4194303');
    expect(none).toMatchObject({ status: 1, err: expect.stringContaining('process 4194303: it is not running') });
  });

  test('a JVM that is too old is refused, one that cannot be followed all the time is told of', async () => {
    const old = await fakeJvm({ version: '8.0_292' });
    const refused = await doctor('--pid', String(old.pid));
    expect(refused).toMatchObject({ status: 1, err: expect.stringContaining('its Java 8.0_292 is too old') });
    expect(refused.out).toContain('cannot be recorded');
    const eleven = await fakeJvm({ version: '11.0.33' });
    const told = await doctor('--pid', String(eleven.pid));
    expect(told).toMatchObject({ status: 0, err: expect.stringContaining('it writes nothing that can be followed') });
  });

  test('a store that cannot be written to is an error', async () => {
    writeFileSync(storeOf(scene.folder), 'a file');
    const { status, err } = await doctor('--main', 'no such program');
    expect(err).toMatch(/error: .*store: nothing can be stored here: a part of its path is a file/);
    expect(status).toBe(1);
  });

  test('a writer that may not list the bucket is told so, and that a recorder can do without', async () => {
    const asked: string[] = [];
    let objects = 0;
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url?.replace(/\?.*/, '')}`);
      request.resume().on('end', () => {
        if (request.method === 'PUT') response.writeHead(objects++ === 0 ? 200 : 412).end();
        else response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    try {
      vi.stubEnv('AWS_ACCESS_KEY_ID', 'writer');
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'hidden-secret');
      vi.stubEnv('XDG_CACHE_HOME', join(scene.folder, 'cache'));
      const store = `s3://profiles/team?endpoint=http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { status, out, err } = await doctor('--main', 'no such program', '--store', store);
      expect(asked.slice(0, 2)).toEqual(['PUT /profiles/team/insitu-probe', 'PUT /profiles/team/insitu-probe']);
      expect(err).toMatch(/^info: .*the store cannot be read: the engine refuses this user/m);
      expect(`${out}${err}`).not.toContain('hidden-secret');
      expect(status).toBe(0);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('record', () => {
  test.each([
    [['--interval', '0s'], /a second or more/],
    [['--interval', '500ms'], /a second or more/],
    [['--interval', 'often'], /number and one of/],
    [['--threads-every', '0s'], /a second or more/],
    [['--spool-size', '0k'], /1m or more/],
    [['--thread-names', 'some'], /is invalid\. Allowed choices are all, normalised/],
    [['--redact', '('], /Invalid regular expression/],
  ])('%j is refused', async (options, message) => {
    const { status, err } = await insitu('record', '--all', ...options);
    expect(err).toMatch(message);
    expect(status).toBe(2);
  });

  test('which JVM must be said', async () => {
    expect(await insitu('record')).toMatchObject({ status: 2, err: expect.stringContaining('which JVM?') });
  });

  test('a folder of --watch that is not there ends it at once', async () => {
    const watched = join(scene.folder, 'nope');
    const place = ['--store', storeOf(scene.folder), '--spool', join(scene.folder, 'spool')];
    const refused = await insitu('record', '--watch', watched, ...place);
    expect(refused).toMatchObject({ status: 1, err: expect.stringContaining(`${watched}: there is no such folder`) });
  });

  test('a process that is not running ends it with the reason', async () => {
    const place = ['--store', storeOf(scene.folder), '--spool', join(scene.folder, 'spool')];
    const running = scene.own(startInsitu(scene.folder, ['record', ...place, '--pid', '4194303']));
    expect(await running.ended).toBe('1');
    expect(running.text()).toContain('error: process 4194303: it is not running');
  });

  test('it says at once what it waits for', async () => {
    const place = ['--store', storeOf(scene.folder), '--spool', join(scene.folder, 'spool')];
    const running = scene.own(startInsitu(scene.folder, ['record', ...place, '--main', 'com\\.acme\\.Nothing']));
    await until('it says so', () =>
      running.text().includes('waiting for a JVM that --main com\\.acme\\.Nothing means'),
    );
    expect(await ends(running)).toBe('0');
  });

  test('what is put into the folder of --watch is stored without the names that must not be told', async () => {
    const watched = join(scene.folder, 'dropped');
    mkdirSync(watched);
    const running = scene.recorder('--watch', watched, '--redact', 'com\\.acme', '--thread-names', 'groups');
    copyFileSync(RECORDING, join(watched, 'night.jfr'));
    await until('it is imported', () => existsSync(join(watched, 'imported', 'night.jfr')));
    expect(await ends(running)).toBe('0');
    expect(samplesOf(await stored(scene.folder), 'cpu')).toBeGreaterThan(100);
    const text = await textOfStore();
    expect(text).toContain('redacted.shop');
    expect(text).not.toMatch(/com[./]acme|processor-|reporter/);
  });

  test('of a JVM that is followed nothing is stored that --redact names', async () => {
    const jvm = await fakeJvm({ chunks: [RECORDING] });
    const running = scene.recorder('--pid', String(jvm.pid), '--redact', 'com\\.acme', '--thread-names', 'none');
    await until('something is stored', async () => samplesOf(await stored(scene.folder), 'cpu') > 100);
    expect(await ends(running)).toBe('0');
    expect(jvm.asked()).toContain('JFR.stop name=insitu');
    const text = await textOfStore();
    expect(text).toContain('redacted.shop');
    expect(text).not.toMatch(/com[./]acme|processor-|reporter/);
  });

  test('the end of the recorder finishes the chunk of a JVM that cannot be followed, and leaves its recording alone', async () => {
    const jvm = await fakeJvm({ version: '11.0.33', recording: 'own' });
    const running = scene.recorder('--pid', String(jvm.pid));
    await untilFollowing(running);
    expect(await ends(running)).toBe('0');
    expect(jvm.asked().at(-1)).toMatch(/^JFR\.dump name=1 maxsize=1 filename=\/tmp\/insitu-[-0-9a-f]+\.jfr$/);
    expect(jvm.asked().filter(command => /JFR\.(start|stop)/.test(command))).toEqual([]);
  });

  const idOf = ({ pid }: FakeJvm) => `${bootId().slice(0, 8)}-${pid}-${startTicksOf(pid)}`;

  test('of a process that does not run it is told, and nothing is waited for', async () => {
    const running = scene.recorder('--pid', '4194303');
    expect(await running.ended).toBe('1');
    expect(running.text()).toContain('"message":"it is not running","file":"process 4194303"');
  });

  test('of a JVM that ends while it is attached to the reason is told, and what was left of it is stored', async () => {
    const jvm = await fakeJvm({ endsAt: 'JFR.check' });
    const repository = join(scene.folder, 'repository');
    const growing = growingRepository(repository, readFileSync(RECORDING));
    while (growing.grow(1_000_000));
    const spool = new Spool(spoolOf(scene.folder), idOf(jvm));
    const follower = new Follower(followerOptions({ spool, repository, closed: () => undefined }));
    while (follower.poll());
    follower.save();
    const running = scene.recorder('--pid', String(jvm.pid));
    await until(
      'it ends, or is told to',
      () => running.child.exitCode !== null || running.text().includes('"problem"'),
    );
    expect(await ends(running)).toBe('1');
    const messages = eventsOf(running).flatMap(({ problem }) => problem?.message ?? []);
    expect(messages).toEqual(['it ended before it could be recorded']);
    expect(spooled(scene.folder)).toEqual([]);
    expect(samplesOf(await stored(scene.folder), 'cpu')).toBeGreaterThan(100);
  });

  test('the status is 1 where a window stays in the spool, and says why', async () => {
    const jvm = await fakeJvm({ chunks: [RECORDING], recording: 'own' });
    const running = scene.recorder('--pid', String(jvm.pid));
    await untilFollowing(running);
    // A note of where reading goes on cannot be written there.
    mkdirSync(join(spoolOf(scene.folder), idOf(jvm), '2.open'));
    expect(await ends(running)).toBe('1');
    expect(running.text()).toMatch(/error: .*spool: 1 window could not be stored: .*EISDIR/);
    expect(spooled(scene.folder)).toContain(`${idOf(jvm)}/1.closed`);
  });

  test('--threads-every takes thread dumps, redacted like all else', async () => {
    const jvm = await fakeJvm({ threads: DUMP });
    const running = scene.recorder('--pid', String(jvm.pid), '--threads-every', '1s', '--redact', '[Ss]ecret');
    await until('it was asked', () => jvm.asked().filter(command => command === 'Thread.print').length >= 2);
    expect(await ends(running)).toBe('0');
    expect(samplesOf(await stored(scene.folder), 'wall')).toBeGreaterThanOrEqual(1);
    const text = await textOfStore();
    expect(text).toContain('com.acme.redacted');
    expect(text).not.toMatch(/[Ss]ecret/);
  });

  test('without --threads-every it is asked for none', async () => {
    const jvm = await fakeJvm({ chunks: [RECORDING] });
    const running = scene.recorder('--pid', String(jvm.pid));
    await until('something is stored', async () => samplesOf(await stored(scene.folder), 'cpu') > 100);
    expect(await ends(running)).toBe('0');
    expect(jvm.asked()).not.toContain('Thread.print');
  });
});
