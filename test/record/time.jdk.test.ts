// Tests `insitu record --time` on real JVMs: rare calls are timed with their callers, frequent ones as sums, others not at all; what is not found is said.
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { methodsNamed } from '../../server/analysis/named-methods.ts';
import { PARTIAL_METHOD, type Profile } from '../../server/cct/profile.ts';
import { responseTimesOf } from '../../server/metrics/response-times.ts';
import type { Engine } from '../support/engines/engines.ts';
import { needs } from '../support/engines/needs.ts';
import { RecordingScene } from '../support/recorders/recording-scene.ts';
import {
  ends,
  type Process,
  samplesOf,
  startJava,
  stored,
  until,
  untilFollowing,
} from '../support/recorders/recording-shop.ts';

/** `rare` runs some 100 times a second, `often` some thousands of times, `always` some million times. */
const SOURCE = `
public class Rates {
    static volatile long sum;
    public static void main(String[] none) throws Exception {
        while (!new java.io.File("stop").exists()) {
            rare(5);
            for (int i = 0; i < 50; i++) often(i);
            for (int i = 0; i < 20000; i++) always(i);
            if (new java.io.File("later").exists()) Later.step();
        }
    }
    static void rare(int millis) throws Exception { Thread.sleep(millis); }
    static void often(int i) { for (int j = 0; j < 100; j++) sum += i * j; }
    static void always(int i) { sum += i; }
    interface Shape { int area(); }
}
class Later { static void step() { Rates.sum++; } }
`;

const scene = new RecordingScene();

function startRates(jdk: Engine): Process {
  const source = join(scene.folder, 'Rates.java');
  writeFileSync(source, SOURCE);
  execFileSync(jdk.program('javac'), ['-d', scene.folder, source]);
  return scene.own(startJava(jdk, scene.folder, ['-cp', scene.folder, 'Rates']));
}

function timesOf(profile: Profile | null, name: string) {
  const [named] = methodsNamed(profile!.methods, name);
  return named === undefined ? null : responseTimesOf(profile!, [named.rows])[0]!;
}

const recordings = (jdk: Engine, { pid }: Process) =>
  execFileSync(jdk.program('jcmd'), [String(pid), 'JFR.check'], { encoding: 'utf8' });

needs('jdk25', 'calls that are timed while a recorder follows', jdk => {
  test('with callers, as sums, or not at all, by how often they are made; samples go on; the filter ends with the recorder', async () => {
    const rates = startRates(jdk);
    const recorder = scene.recorderOf(rates, '--time', 'Rates', 'Rates::missing', 'Later');
    await untilFollowing(recorder);
    await until('calls are timed', () => /"message":"times each call of/.test(recorder.text()));
    const text = recorder.text();
    expect(text).toMatch(
      /times each call of \d methods? with its caller, and sums of 1 method: about [\d.]+ % of a processor/,
    );
    expect(text).toMatch(/callers are not known [^"]*: Rates\.often \([\d,]+ calls a second\)/);
    expect(text).toMatch(/not timed, [^"]*: Rates\.always \([\d,]+ calls a second\)/);
    await until('what is missing is said', () => /no class Later is loaded/.test(recorder.text()));
    expect(recorder.text()).toContain('the class Rates has no method missing with code of its own');
    expect(recordings(jdk, rates)).toMatch(/name=insitu-calls duration=10m .*\(running\)/);
    await new Promise(resolve => setTimeout(resolve, 4_000));
    await ends(recorder);
    expect(recordings(jdk, rates)).not.toMatch(/running/);
    const profile = await stored(scene.folder);
    const rare = timesOf(profile, 'Rates.rare')!;
    expect(rare.callers.map(({ caller }) => caller > PARTIAL_METHOD)).toEqual([true]);
    expect(rare.count).toBeGreaterThan(100);
    expect(rare.mean).toBeGreaterThan(5e6);
    expect(rare.mean).toBeLessThan(50e6);
    const often = timesOf(profile, 'Rates.often')!;
    expect(often.callers.map(({ caller }) => caller)).toEqual([PARTIAL_METHOD]);
    // Both run in the same loop.
    expect(often.count / rare.count).toBeGreaterThan(35);
    expect(often.count / rare.count).toBeLessThan(65);
    expect(timesOf(profile, 'Rates.always')).toBeNull();
    expect(samplesOf(profile, 'cpu')).toBeGreaterThan(10);
    expect(readdirSync(scene.folder).filter(name => name.endsWith('.jfr'))).toEqual([]);
  });
});

needs('jdk17', 'a JVM that cannot time calls', jdk => {
  test('is named with the JDK that can, and its samples are recorded', async () => {
    const rates = startRates(jdk);
    const recorder = scene.recorderOf(rates, '--time', 'Rates');
    await until('it is said', () => /is too old to time calls/.test(recorder.text()));
    expect(recorder.text()).toContain('run it with Java 25 or newer; samples are recorded');
    await until('samples are recorded', async () => samplesOf(await stored(scene.folder), 'cpu') > 0);
    await ends(recorder);
  });
});
