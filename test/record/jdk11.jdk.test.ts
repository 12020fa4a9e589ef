// A real JVM of JDK 11, which writes nothing that can be followed: its chunk is finished at the end of each window.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ingestFile } from '../../server/ingest/read.ts';
import { diagnose } from '../../server/record/attach.ts';
import { describeJvm } from '../../server/record/jvms.ts';
import { needs } from '../support/engines/needs.ts';
import { RecordingScene } from '../support/recorders/recording-scene.ts';
import {
  ends,
  eventsOf,
  expectCovers,
  type Process,
  samplesOf,
  settingsOf,
  startInsitu,
  startJava,
  stored,
  storeOf,
  until,
  untilFollowing,
} from '../support/recorders/recording-shop.ts';

const SOURCE = `public class Busy {
    static volatile double sink;
    static double work(int depth) {
        return depth == 0 ? Math.sqrt(System.nanoTime()) : work(depth - 1) + 1;
    }
    public static void main(String[] args) {
        long end = System.currentTimeMillis() + Long.parseLong(args[0]) * 1000;
        while (System.currentTimeMillis() < end) for (int i = 0; i < 10_000; i++) sink += work(20);
    }
}
`;

let classes = '';
const scene = new RecordingScene();

const windowsStored = (recorder: Process) => eventsOf(recorder).filter(({ kind }) => kind === 'stored').length;

/** Files of the JVM in /tmp for us, which should not be there any more. */
const leftInTmp = () => readdirSync(tmpdir()).filter(name => /^insitu-.*\.jfr$/.test(name));

needs('jdk11', 'a JVM of JDK 11', jdk => {
  beforeAll(() => {
    classes = mkdtempSync(join(tmpdir(), 'insitu-busy-'));
    writeFileSync(join(classes, 'Busy.java'), SOURCE);
    execFileSync(jdk.program('javac'), ['-g', '-d', classes, join(classes, 'Busy.java')]);
  });
  afterAll(() => rmSync(classes, { recursive: true, force: true }));

  function busy(seconds: number, ...flags: readonly string[]): Process {
    return scene.own(startJava(jdk, scene.folder, [...flags, '-cp', classes, 'Busy', String(seconds)]));
  }

  test('is recorded window by window; our recording ends with the recorder', async () => {
    const java = busy(120);
    const recorder = scene.recorderOf(java, '--interval', '3s');
    await untilFollowing(recorder);
    await until('two windows are stored', () => windowsStored(recorder) >= 2);
    await until('there are samples', async () => samplesOf(await stored(scene.folder), 'cpu') > 0);
    expect(await ends(recorder)).toBe('0');
    expect((await stored(scene.folder))!.methods.strings).toContain('Busy');
    expect(leftInTmp()).toEqual([]);
    expect((await diagnose(describeJvm(java.pid)!, 'JFR.check')).value).toContain('No available recordings');
    const doctor = startInsitu(scene.folder, ['doctor', '--pid', String(java.pid), '--store', storeOf(scene.folder)]);
    expect(await doctor.ended).toBe('0');
    expect(doctor.text()).toMatch(/it writes nothing that can be followed/);
  });

  test('each sample of its own recording counts once, also over an end of the recorder', async () => {
    const settings = join(scene.folder, 'full.jfc');
    writeFileSync(settings, settingsOf('full'));
    const file = join(scene.folder, 'final.jfr');
    const java = busy(400, `-XX:StartFlightRecording=filename=${file},settings=${settings}`);
    const first = scene.recorderOf(java, '--interval', '3s');
    await untilFollowing(first);
    await until('a window is stored', () => windowsStored(first) >= 1);
    expect(await ends(first)).toBe('0');
    const second = scene.recorderOf(java, '--interval', '3s');
    await untilFollowing(second);
    await until('a window is stored', () => windowsStored(second) >= 1);
    await ends(java);
    await until('the recorder has left the JVM', () => eventsOf(second).some(({ kind }) => kind === 'left'));
    expect(await ends(second)).toBe('0');
    const { profile } = await ingestFile(file, { names: 'normalised' });
    expectCovers(await stored(scene.folder), profile!);
  });

  test('when its own recording ends ours begins', async () => {
    const java = busy(120, '-XX:StartFlightRecording=name=own');
    const recorder = scene.recorderOf(java, '--interval', '2s');
    await untilFollowing(recorder);
    const jvm = describeJvm(java.pid)!;
    await diagnose(jvm, 'JFR.stop name=own');
    await until('ours runs', async () => /name=insitu\b/.test((await diagnose(jvm, 'JFR.check')).value ?? ''));
    const before = windowsStored(recorder);
    await until('its windows are stored', () => windowsStored(recorder) >= before + 2);
    expect(await ends(recorder)).toBe('0');
    expect((await diagnose(jvm, 'JFR.check')).value).toContain('No available recordings');
  });
});
