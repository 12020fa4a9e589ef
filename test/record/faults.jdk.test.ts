// Faults of real processes: recorders and JVMs that are killed or hang, disks that are full, stores that are down.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { catches } from '../../server/base/linux-processes.ts';
import { ingestFile } from '../../server/ingest/read.ts';
import { diagnose } from '../../server/record/attach.ts';
import { describeJvm } from '../../server/record/jvms.ts';
import { needs } from '../support/engines/needs.ts';
import { patient } from '../support/patience.ts';
import {
  compiledShop,
  ends,
  eventsOf,
  expectCovers,
  expectSame,
  type Process,
  type RecordedShop,
  samplesOf,
  spooled,
  spoolOf,
  startRecordedShop,
  startRecorder,
  startShop,
  stored,
  storedInstances,
  storeOf,
  until,
  untilFollowing,
} from '../support/recorders/recording-shop.ts';
import { isInFull } from '../support/runs.ts';

const SIGQUIT = 3;
const KILLS = isInFull() ? 20 : 5;
const INTERVAL = ['--interval', '2s'];
/** So long systemd waits in docs/operations.md. */
const STOP_MILLIS = 40_000;

let folder = '';
let mounted: string | null = null;
const running: Process[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-faults-'));
});

afterEach(async () => {
  for (const each of running.splice(0)) {
    each.child.kill('SIGCONT');
    await ends(each, 'SIGKILL');
  }
  if (mounted !== null) execFileSync('umount', [mounted]);
  mounted = null;
  rmSync(folder, { recursive: true, force: true });
});

function recorderOf(shops: readonly Process[], ...args: readonly string[]): Process {
  const recorder = startRecorder(folder, [...shops.flatMap(({ pid }) => ['--pid', String(pid)]), ...args]);
  running.push(recorder);
  return recorder;
}

/** Ends a recorder as a service manager does; it must not have to be killed. */
async function stops(recorder: Process): Promise<string> {
  recorder.child.kill('SIGTERM');
  return await Promise.race([recorder.ended, pause(patient(STOP_MILLIS), 'it had to be killed', { ref: false })]);
}

const messagesOf = (recorder: Process) => eventsOf(recorder).map(({ problem }) => problem?.message ?? '');

needs('jdk17', 'whatever fails', jdk => {
  beforeAll(() => compiledShop(jdk));

  function recordedShop(): RecordedShop {
    const recorded = startRecordedShop(jdk, folder, 400);
    running.push(recorded.shop);
    return recorded;
  }

  function plainShop(): Process {
    const shop = startShop(jdk, folder, 400);
    running.push(shop);
    return shop;
  }

  /** The JVM ends, its last window goes out, and all that it recorded by itself is in the store once. */
  async function expectWhole({ shop, file }: RecordedShop, recorder: Process): Promise<void> {
    await ends(shop);
    await until('the recorder has left the JVM', () => eventsOf(recorder).some(({ kind }) => kind === 'left'));
    await until('all is stored', () => spooled(folder).length === 0);
    expect(await stops(recorder)).toBe('0');
    const { profile } = await ingestFile(file, { names: 'normalised' });
    expectCovers(await stored(folder), profile!);
  }

  test(`a recorder that is killed at ${KILLS} moments loses nothing and counts nothing twice`, async () => {
    const recorded = recordedShop();
    await until('it records', recorded.hasBegun);
    const moments: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const recorder = recorderOf([recorded.shop], ...INTERVAL);
      // Every fourth one while it starts, the others once it reads.
      const isStarting = kill % 4 === 3;
      if (!isStarting) await untilFollowing(recorder);
      const millis = Math.round(Math.random() * (isStarting ? 1000 : 2500));
      await pause(millis);
      moments.push(`${isStarting ? 'start' : 'following'} + ${millis} ms`);
      expect(await ends(recorder, 'SIGKILL')).toBe('SIGKILL');
    }
    console.log(`killed at ${moments.join(', ')}`);
    const last = recorderOf([recorded.shop], ...INTERVAL);
    await untilFollowing(last);
    await expectWhole(recorded, last);
  });

  for (const way of ['its JVM', 'its folder'] as const) {
    test(`a recorder of ${way} that is stopped and started again loses nothing and counts nothing twice`, async () => {
      const { shop, file, repository, hasBegun } = recordedShop();
      await until('it records', hasBegun);
      for (let rounds = isInFull() ? 3 : 2; rounds > 0; rounds--) {
        const which = way === 'its JVM' ? ['--pid', String(shop.pid)] : ['--repository', repository()];
        const recorder = startRecorder(folder, [...which, '--interval', '2s']);
        running.push(recorder);
        await untilFollowing(recorder);
        const before = samplesOf(await stored(folder), 'cpu');
        await until('it has more', async () => samplesOf(await stored(folder), 'cpu') > before + 20);
        if (rounds === 1) await ends(shop);
        expect(await stops(recorder)).toBe('0');
        expect(spooled(folder).filter(name => name.endsWith('.closed'))).toEqual([]);
      }
      const { profile } = await ingestFile(file, { names: 'normalised' });
      expectCovers(await stored(folder), profile!);
    });
  }

  test('a JVM that is killed loses nothing that it had written', async () => {
    const { shop, hasBegun, repository } = recordedShop();
    await until('it records', hasBegun);
    const recorder = recorderOf([shop], '--interval', '10m');
    await untilFollowing(recorder);
    await until('it has samples', async () => samplesOf(await stored(folder), 'cpu') > 20);
    const earlier = join(folder, 'earlier');
    cpSync(repository(), earlier, { recursive: true });
    await pause(2000);
    await ends(shop, 'SIGKILL');
    await until('the recorder has left the JVM', () => eventsOf(recorder).some(({ kind }) => kind === 'left'));
    expect(await stops(recorder)).toBe('0');
    // The file of a killed JVM stays where it was; two seconds before it was shorter.
    const inFolder = async (path: string) => {
      const name = readdirSync(path).find(each => each.endsWith('.jfr'))!;
      return (await ingestFile(join(path, name), { names: 'normalised' })).profile!;
    };
    const written = await inFolder(repository());
    expect(samplesOf(await inFolder(earlier), 'cpu')).toBeLessThan(samplesOf(written, 'cpu'));
    expectSame(await stored(folder), written);
  });

  test('JVMs that hang, before or after they are followed, hold up neither the others nor the end', async () => {
    const [stuck, hung, other] = [plainShop(), plainShop(), plainShop()] as const;
    await until('all run', () => [stuck, hung, other].every(shop => catches(shop.pid, SIGQUIT)));
    stuck.child.kill('SIGSTOP');
    const recorder = recorderOf([stuck, hung, other], '--interval', '10m');
    await until('it follows two', () => eventsOf(recorder).filter(({ kind }) => kind === 'following').length === 2);
    await until('both have numbers', async () => (await storedInstances(folder)).length === 2);
    hung.child.kill('SIGSTOP');
    const before = samplesOf(await stored(folder), 'cpu');
    await until('the other has more', async () => samplesOf(await stored(folder), 'cpu') > before + 50);
    expect(await stops(recorder)).toBe('0');
    const names = readdirSync(storeOf(folder), { recursive: true, encoding: 'utf8' });
    expect(names.filter(name => name.endsWith('.cct') && !name.endsWith('-live.cct'))).toHaveLength(2);
  });

  // Each waits for fifteen seconds of the recorder's own. In short ends.test.ts has a store that is down, live.jdk.test.ts the windows that
  // wait for it, and followed.test.ts a recording that ends before its JVM.
  if (isInFull()) {
    test('a recorder that is stopped while the store is down ends in time, and its windows go out later, once', async () => {
      const recorded = recordedShop();
      await until('it records', recorded.hasBegun);
      writeFileSync(storeOf(folder), 'no folder');
      const first = recorderOf([recorded.shop], ...INTERVAL);
      await untilFollowing(first);
      await until('two windows wait', () => spooled(folder).filter(name => name.endsWith('.closed')).length >= 2);
      expect(await stops(first)).toBe('1');
      expect(first.text()).toMatch(/[2-9] windows could not be stored/);
      rmSync(storeOf(folder));
      const next = recorderOf([recorded.shop], ...INTERVAL);
      await untilFollowing(next);
      await expectWhole(recorded, next);
    });

    test('when its own recording ends ours begins, nothing counts twice, and ours ends with the recorder', async () => {
      const file = join(folder, 'own.jfr');
      const shop = startShop(jdk, folder, 400, [`-XX:StartFlightRecording=name=own,filename=${file}`]);
      running.push(shop);
      const recorder = recorderOf([shop], '--interval', '10m', '--settings', 'base');
      await untilFollowing(recorder);
      await until('there are numbers', async () => samplesOf(await stored(folder), 'cpu') > 20);
      const jvm = describeJvm(shop.pid)!;
      await diagnose(jvm, 'JFR.stop name=own');
      await until('ours runs', async () => /name=insitu\b/.test((await diagnose(jvm, 'JFR.check')).value ?? ''));
      const before = samplesOf(await stored(folder), 'cpu');
      await until('it goes on', async () => samplesOf(await stored(folder), 'cpu') > before + 20);
      expect(await stops(recorder)).toBe('0');
      expect((await diagnose(jvm, 'JFR.check')).value).toContain('No available recordings');
      expect(eventsOf(recorder).filter(({ kind }) => kind === 'left')).toHaveLength(1);
      expect(spooled(folder)).toEqual([]);
      const { profile } = await ingestFile(file, { names: 'normalised' });
      // Ours records no allocations.
      const at = profile!.metrics.findIndex(({ id }) => id === 'alloc');
      expect(samplesOf(profile, 'alloc')).toBeGreaterThan(20);
      expectCovers(await stored(folder), {
        ...profile!,
        metrics: [profile!.metrics[at]!],
        cells: [profile!.cells[at]!],
      });
    });
  }

  if (canMount()) {
    test('a disk that is full for some windows loses nothing and doubles nothing', async () => {
      const recorded = recordedShop();
      await until('it records', recorded.hasBegun);
      mkdirSync(spoolOf(folder));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'none', spoolOf(folder)]);
      mounted = spoolOf(folder);
      const recorder = recorderOf([recorded.shop], ...INTERVAL);
      await untilFollowing(recorder);
      for (const how of ['all at once', 'until little is left'] as const) {
        const ballast = join(spoolOf(folder), 'ballast');
        fill(ballast, how === 'all at once' ? 0 : 3000);
        await until('it is said', () => messagesOf(recorder).some(message => message.includes('ENOSPC')));
        // Two windows come to an end meanwhile.
        await pause(5000);
        rmSync(ballast);
        const before = samplesOf(await stored(folder), 'cpu');
        await until('it goes on', async () => samplesOf(await stored(folder), 'cpu') > before);
      }
      await expectWhole(recorded, recorder);
    });
  }
});

/** Whether this user may make a small disk. */
function canMount(): boolean {
  if (process.geteuid?.() !== 0) return false;
  const place = mkdtempSync(join(tmpdir(), 'insitu-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', place], { stdio: 'ignore' });
    execFileSync('umount', [place]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Takes all the room of a disk but for so many bytes. */
function fill(ballast: string, left: number): void {
  const parts: Buffer[] = [];
  for (const size of [1 << 16, 4096]) {
    for (;;) {
      parts.push(Buffer.alloc(size));
      try {
        writeFileSync(ballast, Buffer.concat(parts));
      } catch {
        parts.pop();
        break;
      }
    }
  }
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  writeFileSync(ballast, Buffer.alloc(Math.max(0, bytes - left)));
}
