// JVMs that live shorter than a recorder looks, and recorders that live no longer: with real ones nothing goes unnamed, and little is lost.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, globSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { listedMetrics } from '../../server/cct/listed-metrics.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { ingestFile } from '../../server/ingest/read.ts';
import { readSpooled } from '../../server/record/spool.ts';
import { needs } from '../support/engines/needs.ts';
import { jdks } from '../support/engines/versions.ts';
import { RecordingScene } from '../support/recorders/recording-scene.ts';
import {
  compiledShop,
  ends,
  eventsOf,
  expectAtLeast,
  samplesOf,
  spooled,
  spoolOf,
  startJava,
  startRecordedShop,
  stored,
  until,
  untilFollowing,
} from '../support/recorders/recording-shop.ts';
import { isInFull } from '../support/runs.ts';

const LIVES = isInFull() ? [5000, 1000, 1000, 300, 0] : [2000, 300, 0];
const KILLS = isInFull() ? 6 : 3;
/** The most time that a JVM may have recorded before it is followed at all. */
const AHEAD_MILLIS = 5000;

const scene = new RecordingScene();

/** The one window that is open in the spool; an empty text while there is none. */
function openWindow(): string {
  const [file] = globSync('*/*.open', { cwd: spoolOf(scene.folder) });
  return file === undefined ? '' : join(spoolOf(scene.folder), file);
}

function savedSince(millis: number): boolean {
  return (statSync(openWindow(), { throwIfNoEntry: false })?.mtimeMs ?? 0) > millis;
}

/** The profile of the chunk that a JVM has written. */
async function inFolder(path: string): Promise<Profile> {
  const name = readdirSync(path).find(each => each.endsWith('.jfr'))!;
  return (await ingestFile(join(path, name), { names: 'normalised' })).profile!;
}

for (const engine of jdks()) {
  needs(engine, `a JVM of ${engine} that lives a second`, jdk => {
    test('is recorded, or named with the reason', async () => {
      // No other JVM of this machine may be meant.
      const name = `Brief${randomUUID().replaceAll('-', '')}`;
      const source = join(scene.folder, `${name}.java`);
      const body =
        'long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000; while (System.nanoTime() < end);';
      writeFileSync(source, `public class ${name} { public static void main(String[] args) { ${body} } }`);
      execFileSync(jdk.program('javac'), ['-d', scene.folder, source]);
      const recorder = scene.recorder('--main', name, '--settings', 'base');
      await until('it looks', () => readdirSync(scene.folder).includes('spool'));
      await pause(500);
      const seen: string[] = [];
      for (const millis of LIVES) {
        const java = scene.own(startJava(jdk, scene.folder, ['-cp', scene.folder, name, String(millis)]));
        expect(await java.ended).toBe('0');
        // As it does when it is signalled before it has begun.
        expect(java.text()).toBe('');
        const what = await until(`JVM ${java.pid} of ${millis} ms is told of`, () => {
          const own = eventsOf(recorder).filter(event => JSON.stringify(event).includes(String(java.pid)));
          if (own.some(({ kind }) => kind === 'left')) return 'recorded';
          return own.find(({ problem }) => /ended before/.test(problem?.message ?? ''))?.problem?.message;
        });
        seen.push(`${millis} ms: ${what}`);
      }
      console.log(seen.join('; '));
      expect(await ends(recorder)).toBe('0');
      expect(spooled(scene.folder)).toEqual([]);
    });
  });
}

needs('jdk17', 'a recorder that is killed each second', jdk => {
  beforeAll(() => compiledShop(jdk));

  test('gets on, and loses no more than two seconds when its JVM is killed too', async () => {
    const { shop, hasBegun, repository } = startRecordedShop(jdk, scene.folder, 400);
    scene.own(shop);
    await until('it records', hasBegun);
    await pause(AHEAD_MILLIS);
    const positions: number[] = [];
    const earlier = join(scene.folder, 'earlier');
    for (let kill = 1; kill <= KILLS; kill++) {
      if (kill === KILLS) cpSync(repository(), earlier, { recursive: true });
      const begun = Date.now();
      const recorder = scene.recorderOf(shop, '--interval', '10m');
      await untilFollowing(recorder);
      // A busy machine may take more than this second to read what there is.
      await Promise.all([pause(1000), until('it has saved', () => savedSince(begun))]);
      if (kill === KILLS) shop.child.kill('SIGKILL');
      expect(await ends(recorder, 'SIGKILL')).toBe('SIGKILL');
      positions.push(readSpooled(openWindow())!.note.position!.byte);
    }
    await shop.ended;
    console.log(`read up to ${positions.join(', ')} bytes`);
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
    const next = scene.recorder('--main', 'no such program');
    await until('the spool is empty', () => spooled(scene.folder).length === 0);
    expect(await ends(next)).toBe('0');
    const [least, most] = [await inFolder(earlier), await inFolder(repository())];
    expect(samplesOf(least, 'cpu')).toBeGreaterThan(20);
    const kept = await stored(scene.folder);
    for (const { id } of listedMetrics(least)) {
      expectAtLeast(kept, least, id);
      expectAtLeast(most, kept!, id);
    }
  });
});
