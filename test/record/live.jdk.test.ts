// Real JVMs recorded live: nothing is lost and nothing counts twice, whoever is killed.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ingestFile } from '../../server/ingest/read.ts';
import { needs } from '../support/needs.ts';
import {
  compiledShop,
  ends,
  eventsOf,
  expectCovers,
  isFollowing,
  type Process,
  type RecordedShop,
  samplesOf,
  spooled,
  startRecordedShop,
  startRecorder,
  startShop,
  stored,
  storeOf,
  until,
  untilFollowing,
} from '../support/recording-shop.ts';

let folder = '';
const running: Process[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-record-'));
});

afterEach(async () => {
  for (const each of running.splice(0)) await ends(each, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A recorder of the shop alone, whatever else runs on the machine. */
function recorderOf(shop: Process, ...args: readonly string[]): Process {
  const recorder = startRecorder(folder, ['--pid', String(shop.pid), ...args]);
  running.push(recorder);
  return recorder;
}

for (const engine of ['jdk17', 'jdk25'] as const) {
  needs(engine, `a JVM of ${engine}`, jdk => {
    beforeAll(() => compiledShop(jdk), 120_000);

    function recordedShop(seconds: number): RecordedShop {
      const recorded = startRecordedShop(jdk, folder, seconds);
      running.push(recorded.shop);
      return recorded;
    }

    test('all samples of a run are in the store when the JVM ends by itself', async () => {
      const { shop, file } = recordedShop(6);
      const recorder = recorderOf(shop, '--interval', '3s');
      await untilFollowing(recorder);
      expect(await shop.ended).toBe('0');
      await until('the recorder has left the JVM', () => eventsOf(recorder).some(({ kind }) => kind === 'left'));
      expect(await ends(recorder)).toBe('0');
      const { profile } = await ingestFile(file, { names: 'normalised' });
      expectCovers(await stored(folder), profile!);
      expect(spooled(folder)).toEqual([]);
    });

    // On JDK 17 faults.jdk.test.ts kills it twenty times.
    if (engine === 'jdk25') {
      test('a recorder that is killed loses nothing and counts nothing twice', async () => {
        const { shop, file } = recordedShop(14);
        for (const millis of [1500, 300, 900]) {
          const recorder = recorderOf(shop, '--interval', '2s');
          await until(
            'it follows the JVM, or that has ended',
            () => shop.child.exitCode !== null || isFollowing(recorder),
          );
          await pause(millis);
          expect(await ends(recorder, 'SIGKILL')).toBe('SIGKILL');
        }
        const last = recorderOf(shop, '--interval', '2s');
        await shop.ended;
        await until('all is stored', () => last.text() !== '' && spooled(folder).length === 0);
        expect(await ends(last)).toBe('0');
        const { profile } = await ingestFile(file, { names: 'normalised' });
        expectCovers(await stored(folder), profile!);
      });
    }

    test('its numbers are in the store while it runs, and the end of the recorder ends the recording', async () => {
      const shop = startShop(jdk, folder, 60, ['-Dinsitu.version=other']);
      running.push(shop);
      const recorder = recorderOf(shop, '--interval', '10m');
      await untilFollowing(recorder);
      const early = await until('there is something to show', () => stored(folder));
      await until('there is more', async () => samplesOf(await stored(folder), 'cpu') > samplesOf(early, 'cpu'));
      expect(await ends(recorder)).toBe('0');
      const names = readdirSync(storeOf(folder), { recursive: true, encoding: 'utf8' });
      expect(names.filter(name => name.endsWith('-live.cct'))).toEqual([]);
      expect(names.filter(name => name.endsWith('.cct'))).toHaveLength(1);
    });

    test('of a JVM that is killed all is kept that it had flushed', async () => {
      const shop = startShop(jdk, folder, 60);
      running.push(shop);
      const recorder = recorderOf(shop, '--interval', '10m');
      await untilFollowing(recorder);
      await until('it has samples', async () => samplesOf(await stored(folder), 'cpu') > 20);
      await ends(shop, 'SIGKILL');
      await until('the recorder has left the JVM', () => eventsOf(recorder).some(({ kind }) => kind === 'left'));
      expect(await ends(recorder)).toBe('0');
      expect(samplesOf(await stored(folder), 'cpu')).toBeGreaterThan(20);
    });
  });
}

needs('jdk17', 'a store that is down', jdk => {
  beforeAll(() => compiledShop(jdk), 120_000);

  test('windows wait in the spool, and go out once when it is back, also after the recorder was killed and the JVM is gone', async () => {
    const shop = startShop(jdk, folder, 60);
    running.push(shop);
    writeFileSync(storeOf(folder), 'no folder');
    const recorder = recorderOf(shop, '--interval', '2s');
    await untilFollowing(recorder);
    await until('two windows wait', () => spooled(folder).filter(name => name.endsWith('.closed')).length >= 2);
    await ends(recorder, 'SIGKILL');
    await ends(shop, 'SIGKILL');
    rmSync(storeOf(folder));
    mkdirSync(storeOf(folder));
    const waiting = spooled(folder);
    const next = startRecorder(folder, ['--main', 'no such program']);
    running.push(next);
    await until('the spool is empty', () => spooled(folder).length === 0);
    expect(await ends(next)).toBe('0');
    const names = readdirSync(storeOf(folder), { recursive: true, encoding: 'utf8' });
    expect(names.filter(name => name.endsWith('.cct')).length).toBeGreaterThanOrEqual(waiting.length - 1);
    expect(samplesOf(await stored(folder), 'cpu')).toBeGreaterThan(0);
  });
});
