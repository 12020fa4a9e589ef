// Tests `insitu record --count` on real JVMs: each call is counted once where it was made, and what cannot be counted is said.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Profile } from '../../server/cct/profile.ts';
import { toCollapsed } from '../../server/snapshot/export/collapsed.ts';
import type { Engine } from '../support/engines/engines.ts';
import { needs } from '../support/engines/needs.ts';
import { RecordingScene } from '../support/recorders/recording-scene.ts';
import { type Process, startJava, stored, until, untilFollowing } from '../support/recorders/recording-shop.ts';

const ROUNDS = 1000;
/** `two` runs twice in each `one`, and once in each `three`. */
const SOURCE = `
public class Counted {
    static int sum;
    public static void main(String[] none) throws Exception {
        while (!new java.io.File("go").exists()) Thread.sleep(20);
        for (int i = 0; i < ${ROUNDS}; i++) { one(i); Other.three(i); }
    }
    static void one(int i) { two(i); two(i + 1); }
    static void two(int i) { sum += i; }
}
class Other { static void three(int i) { Counted.two(i); } }
`;

const scene = new RecordingScene();

function startCounted(jdk: Engine, ...flags: readonly string[]): Process {
  const source = join(scene.folder, 'Counted.java');
  writeFileSync(source, SOURCE);
  execFileSync(jdk.program('javac'), ['-d', scene.folder, source]);
  return scene.own(startJava(jdk, scene.folder, [...flags, '-cp', scene.folder, 'Counted']));
}

/** Calls of the last method of each path. */
function callsByPath(profile: Profile): Record<string, number> {
  const options = { metric: 'calls', frames: 'method', threads: false, weights: false } as const;
  const lines = toCollapsed(profile, options).trim().split('\n');
  return Object.fromEntries(
    lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

needs('jdk25', 'calls that are counted', jdk => {
  test('are all calls of the named classes, by call path, without times', async () => {
    const counted = startCounted(jdk);
    const recorder = scene.recorderOf(counted, '--count', 'Counted', 'Other', 'java.lang.String');
    await untilFollowing(recorder);
    writeFileSync(join(scene.folder, 'go'), '');
    expect(await counted.ended).toBe('0');
    expect(await recorder.ended).toBe('0');
    const profile = (await stored(scene.folder))!;
    expect(profile.metrics.map(({ unit, kind }) => `${kind} ${unit}`)).toEqual(['exact invocations']);
    expect(profile.times).toBeUndefined();
    // The run of `main` had begun before.
    expect(callsByPath(profile)).toEqual({
      'Counted.main;Counted.one': ROUNDS,
      'Counted.main;Counted.one;Counted.two': 2 * ROUNDS,
      'Counted.main;Other.three': ROUNDS,
      'Counted.main;Other.three;Counted.two': ROUNDS,
    });
  });

  test('are refused in a JVM that records already', async () => {
    const counted = startCounted(jdk, '-XX:StartFlightRecording', '-Xlog:disable');
    const recorder = scene.recorderOf(counted, '--count', 'Counted');
    await until('it is said', () => recorder.text().includes('it records already'));
    expect(recorder.text()).toContain('start one without a recording');
  });
});

needs('jdk17', 'a JVM that cannot trace its methods', jdk => {
  test('is named with the JDK that can', async () => {
    const recorder = scene.recorderOf(startCounted(jdk), '--count', 'Counted');
    await until('it is said', () => recorder.text().includes('run it with Java 25 or newer'));
  });
});
