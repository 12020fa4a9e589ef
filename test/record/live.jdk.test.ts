// Real JVMs recorded live: nothing is lost and nothing counts twice, whichever process is killed.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { ingestFile } from '../../server/ingest/read.ts';
import { needs } from '../support/engines/needs.ts';
import { jdks } from '../support/engines/versions.ts';
import { RecordingScene } from '../support/recorders/recording-scene.ts';
import {
  compiledShop,
  ends,
  eventsOf,
  expectCovers,
  type RecordedShop,
  samplesOf,
  spooled,
  startRecordedShop,
  startShop,
  stored,
  storeOf,
  until,
  untilFollowing,
} from '../support/recorders/recording-shop.ts';
import { isInFull } from '../support/runs.ts';

const scene = new RecordingScene();

for (const engine of jdks()) {
  needs(engine, `a JVM of ${engine}`, jdk => {
    beforeAll(() => compiledShop(jdk));

    function recordedShop(seconds: number): RecordedShop {
      const recorded = startRecordedShop(jdk, scene.folder, seconds);
      scene.own(recorded.shop);
      return recorded;
    }

    test('all samples of a run are in the store when the JVM ends by itself', async () => {
      const { shop, file } = recordedShop(6);
      const recorder = scene.recorderOf(shop, '--interval', '3s');
      await untilFollowing(recorder);
      expect(await shop.ended).toBe('0');
      await until('the recorder has left the JVM', () => eventsOf(recorder).some(({ kind }) => kind === 'left'));
      expect(await ends(recorder)).toBe('0');
      const { profile } = await ingestFile(file, { names: 'normalised' });
      expectCovers(await stored(scene.folder), profile!);
      expect(spooled(scene.folder)).toEqual([]);
    });

    // On JDK 17 faults.jdk.test.ts kills it at more moments.
    if (engine === 'jdk25' && isInFull()) {
      test('a recorder that is killed loses nothing and counts nothing twice', async () => {
        // It ends when it is told to: a busy machine may take longer to start one recorder than any time that it could be given.
        const { shop, file, hasBegun } = recordedShop(400);
        await until('it records', hasBegun);
        for (const millis of [1500, 300, 900]) {
          const recorder = scene.recorderOf(shop, '--interval', '2s');
          await untilFollowing(recorder);
          await pause(millis);
          expect(await ends(recorder, 'SIGKILL')).toBe('SIGKILL');
        }
        const last = scene.recorderOf(shop, '--interval', '2s');
        await untilFollowing(last);
        await ends(shop);
        await until('the recorder has left the JVM', () => eventsOf(last).some(({ kind }) => kind === 'left'));
        await until('all is stored', () => spooled(scene.folder).length === 0);
        expect(await ends(last)).toBe('0');
        const { profile } = await ingestFile(file, { names: 'normalised' });
        expectCovers(await stored(scene.folder), profile!);
      });
    }

    test('its numbers are in the store while it runs, and the end of the recorder ends the recording', async () => {
      const shop = scene.own(startShop(jdk, scene.folder, 60, ['-Dinsitu.version=other']));
      const recorder = scene.recorderOf(shop, '--interval', '10m');
      await untilFollowing(recorder);
      const early = await until('there is something to show', () => stored(scene.folder));
      await until('there is more', async () => samplesOf(await stored(scene.folder), 'cpu') > samplesOf(early, 'cpu'));
      expect(await ends(recorder)).toBe('0');
      const names = readdirSync(storeOf(scene.folder), { recursive: true, encoding: 'utf8' });
      expect(names.filter(name => name.endsWith('-live.cct'))).toEqual([]);
      expect(names.filter(name => name.endsWith('.cct'))).toHaveLength(1);
    });

    test('of a JVM that is killed all is kept that it had flushed', async () => {
      const shop = scene.own(startShop(jdk, scene.folder, 60));
      const recorder = scene.recorderOf(shop, '--interval', '10m');
      await untilFollowing(recorder);
      await until('it has samples', async () => samplesOf(await stored(scene.folder), 'cpu') > 20);
      await ends(shop, 'SIGKILL');
      await until('the recorder has left the JVM', () => eventsOf(recorder).some(({ kind }) => kind === 'left'));
      expect(await ends(recorder)).toBe('0');
      expect(samplesOf(await stored(scene.folder), 'cpu')).toBeGreaterThan(20);
    });
  });
}

needs('jdk17', 'a store that is down', jdk => {
  beforeAll(() => compiledShop(jdk));

  test('windows wait in the spool, and go out once when it is back, also after the recorder was killed and the JVM is gone', async () => {
    const shop = scene.own(startShop(jdk, scene.folder, 60));
    writeFileSync(storeOf(scene.folder), 'no folder');
    const recorder = scene.recorderOf(shop, '--interval', '2s');
    await untilFollowing(recorder);
    await until('two windows wait', () => spooled(scene.folder).filter(name => name.endsWith('.closed')).length >= 2);
    await ends(recorder, 'SIGKILL');
    await ends(shop, 'SIGKILL');
    rmSync(storeOf(scene.folder));
    mkdirSync(storeOf(scene.folder));
    const waiting = spooled(scene.folder);
    const next = scene.recorder('--main', 'no such program');
    await until('the spool is empty', () => spooled(scene.folder).length === 0);
    expect(await ends(next)).toBe('0');
    const names = readdirSync(storeOf(scene.folder), { recursive: true, encoding: 'utf8' });
    expect(names.filter(name => name.endsWith('.cct')).length).toBeGreaterThanOrEqual(waiting.length - 1);
    expect(samplesOf(await stored(scene.folder), 'cpu')).toBeGreaterThan(0);
  });
});
