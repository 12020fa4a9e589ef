// The depth of stacks in real JVMs: set in JVMs that never recorded, left alone in all others, which another depth may end.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasThread } from '../../server/base/linux-processes.ts';
import { diagnose } from '../../server/record/attach.ts';
import { describeJvm } from '../../server/record/jvms.ts';
import { needs } from '../support/engines/needs.ts';
import { RecordingScene } from '../support/recorders/recording-scene.ts';
import {
  ends,
  type Process,
  samplesOf,
  startInsitu,
  startJava,
  stored,
  storeOf,
  until,
  untilFollowing,
} from '../support/recorders/recording-shop.ts';
import { isInFull } from '../support/runs.ts';

/** Stacks of 180 frames that wait, compute and allocate. */
const SOURCE = `public class Deep {
    static volatile Object sink;
    static void down(int depth) throws InterruptedException {
        if (depth > 0) {
            down(depth - 1);
            return;
        }
        for (int i = 0; i < 2_000; i++) sink = new byte[2_000];
        Thread.sleep(25);
    }
    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 6; i++) {
            Thread thread = new Thread(() -> {
                try {
                    while (true) down(180);
                } catch (InterruptedException ended) {
                    throw new IllegalStateException(ended);
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
        Thread.sleep(120_000);
    }
}
`;

const DEEP = 180;
const scene = new RecordingScene();

for (const engine of ['jdk11', 'jdk17', 'jdk25'] as const)
  needs(engine, `the depth of stacks, ${engine}`, jdk => {
    let classes = '';
    beforeAll(() => {
      classes = mkdtempSync(join(tmpdir(), 'insitu-deep-'));
      writeFileSync(join(classes, 'Deep.java'), SOURCE);
      execFileSync(jdk.program('javac'), ['-g', '-d', classes, join(classes, 'Deep.java')]);
    });
    afterAll(() => rmSync(classes, { recursive: true, force: true }));

    const deep = (...flags: readonly string[]): Process =>
      scene.own(startJava(jdk, scene.folder, [...flags, '-cp', classes, 'Deep']));
    const doctor = async (java: Process): Promise<string> => {
      const asked = startInsitu(scene.folder, ['doctor', '--pid', String(java.pid), '--store', storeOf(scene.folder)]);
      expect(await asked.ended, asked.text()).toBe('0');
      return asked.text();
    };
    const depthIn = async (java: Process) => {
      const { value } = await diagnose(describeJvm(java.pid)!, 'JFR.configure');
      return Number(/^Stack depth: (\d+)/m.exec(value ?? '')?.[1]);
    };
    /** Until the recorder has stored samples, and the JVM still runs. */
    const recorded = async (java: Process, recorder: Process) => {
      await untilFollowing(recorder);
      await until('there are samples', async () => samplesOf(await stored(scene.folder), 'sleep') > 100);
      expect(java.child.exitCode ?? java.child.signalCode, java.text()).toBeNull();
    };

    test('is what the settings say where nothing recorded before', async () => {
      const java = deep();
      const recorder = scene.recorderOf(java, '--interval', '2s', '--settings', 'full');
      await recorded(java, recorder);
      expect(await depthIn(java)).toBe(512);
      const { tree } = (await stored(scene.folder))!;
      expect(Math.max(...tree.depth)).toBeGreaterThan(DEEP);
      expect(await ends(recorder)).toBe('0');
    });

    // One JDK tells of depths as another does.
    if (engine !== 'jdk25' && !isInFull()) return;

    test('is not made less than what the JVM was started with', async () => {
      const java = deep('-XX:FlightRecorderOptions=stackdepth=1024');
      const recorder = scene.recorderOf(java, '--interval', '2s', '--settings', 'base');
      await untilFollowing(recorder);
      expect(await depthIn(java)).toBe(1024);
      expect(await ends(recorder)).toBe('0');
    });

    test('stays as it was where something did, and that is told', async () => {
      const java = deep();
      const jvm = await until('it can be asked', () => describeJvm(java.pid));
      await until('it records', async () => /Started/.test((await diagnose(jvm, 'JFR.start name=own')).value ?? ''));
      // So that each thread has had a stack recorded.
      await pause(2_000);
      await diagnose(jvm, 'JFR.stop name=own');
      expect(await doctor(java)).toContain('stacks are cut off at 64 frames: its Flight Recorder ran before');
      const recorder = scene.recorderOf(java, '--interval', '2s', '--settings', 'full');
      await recorded(java, recorder);
      expect(recorder.text()).toContain('stacks are cut off at 64 frames: its Flight Recorder ran before');
      expect(await depthIn(java)).toBe(64);
      expect(await ends(recorder)).toBe('0');
      expect(java.child.exitCode ?? java.child.signalCode, java.text()).toBeNull();
    });

    test('and the doctor leaves a JVM that never recorded as it is', async () => {
      const java = deep();
      await until('it can be asked', () => describeJvm(java.pid));
      expect(await doctor(java)).toContain('a recording with the settings standard would be started');
      expect(hasThread(java.pid, 'JFR Recorder Thread')).toBe(false);
    });
  });
