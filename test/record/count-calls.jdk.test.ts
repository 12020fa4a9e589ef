// Tests `insitu count` on real JVMs: counts and means against the program's own clock, in a JVM that records nothing, itself, or for a recorder.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { CodeAction } from 'vscode-languageserver';
import { methodsNamed } from '../../server/analysis/named-methods.ts';
import { listedMetrics } from '../../server/cct/listed-metrics.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { responseTimesOf } from '../../server/metrics/response-times.ts';
import type { Engine } from '../support/engines/engines.ts';
import { needs } from '../support/engines/needs.ts';
import { startServer } from '../support/insitu/lsp-client.ts';
import { putPicture } from '../support/insitu/lsp-store.ts';
import { RecordingScene } from '../support/recorders/recording-scene.ts';
import {
  ends,
  type Process,
  startInsitu,
  startJava,
  stored,
  storeOf,
  until,
  untilFollowing,
} from '../support/recorders/recording-shop.ts';

/** Sums up for itself what `step` takes, and writes that when it is told to end. */
const SOURCE = `
public class Timed {
    static volatile long sum;
    static long calls, nanos;
    public static void main(String[] none) throws Exception {
        while (!new java.io.File("stop").exists()) {
            long began = System.nanoTime();
            step(3);
            nanos += System.nanoTime() - began;
            calls++;
            other();
        }
        java.nio.file.Files.writeString(java.nio.file.Path.of("told"), calls + " " + nanos);
    }
    static void step(int millis) throws Exception { Thread.sleep(millis); leaf(); }
    static void other() throws Exception { step(1); }
    static void leaf() { for (int i = 0; i < 1000; i++) sum += i; }
}
`;
const PICTURE = `
Timed.main
  Timed.step :7 | 10@13
    java.lang.Thread.sleep :13 | 900@1
    Timed.leaf :13 | 90@15`;

const scene = new RecordingScene();

async function startTimed(jdk: Engine, ...flags: readonly string[]): Promise<Process> {
  const source = join(scene.folder, 'Timed.java');
  writeFileSync(source, SOURCE);
  execFileSync(jdk.program('javac'), ['-d', scene.folder, source]);
  await putPicture(storeOf(scene.folder), PICTURE, { version: '1' });
  return scene.own(startJava(jdk, scene.folder, [...flags, '-cp', scene.folder, 'Timed']));
}

function startCount({ pid }: Process, ...args: readonly string[]): Process {
  const place = ['--store', storeOf(scene.folder), '--project', 'acme', '--program', 'shop', '--version', '1'];
  return scene.own(startInsitu(scene.folder, ['count', ...place, '--pid', String(pid), ...args]));
}

function timesOf(profile: Profile | null, name: string) {
  const [named] = methodsNamed(profile!.methods, name);
  return responseTimesOf(profile!, [named!.rows])[0]!;
}

/** The program's own numbers of `step`. */
async function told(timed: Process): Promise<{ calls: number; mean: number }> {
  writeFileSync(join(scene.folder, 'stop'), '');
  expect(await timed.ended).toBe('0');
  const [calls, nanos] = readFileSync(join(scene.folder, 'told'), 'utf8').split(' ').map(Number);
  return { calls: calls!, mean: nanos! / calls! };
}

function leftBehind(): string[] {
  return readdirSync(tmpdir()).filter(
    name => /^insitu-(?!scene)/.test(name) && existsSync(join(tmpdir(), name, 'time.jfc')),
  );
}

needs('jdk25', 'calls that are counted for a while', jdk => {
  test('with their callers, in a JVM that records nothing: counts and means are its own', async () => {
    // An earlier run that was killed may have left files.
    const before = leftBehind();
    const timed = await startTimed(jdk);
    const count = startCount(timed, 'Timed.step', '--callers', '--for', '4s', '--yes');
    expect(await count.ended, count.text()).toBe('0');
    expect(count.text()).toMatch(/Timed\.step: mean .* · 50 % within .* calls/);
    const { calls, mean } = await told(timed);
    const times = timesOf(await stored(scene.folder), 'Timed.step');
    const byMain = times.callers.find(({ mean: each }) => each > 2_500_000)!;
    expect(times.callers).toHaveLength(2);
    expect(byMain.count).toBeGreaterThan(200);
    expect(byMain.count).toBeLessThanOrEqual(calls);
    expect(Math.abs(byMain.mean / mean - 1)).toBeLessThan(0.1);
    expect(leftBehind()).toEqual(before);
  });

  test('as sums, beside a recording of its own, which goes on', async () => {
    const timed = await startTimed(jdk, '-XX:StartFlightRecording', '-Xlog:disable');
    const count = startCount(timed, 'step', '--for', '2s', '--yes', '--json');
    expect(await count.ended, count.text()).toBe('0');
    const times = timesOf(await stored(scene.folder), 'Timed.step');
    expect(times.callers.map(({ caller }) => caller)).toEqual([1]);
    // 3 ms from main, 1 ms from other.
    expect(times.mean / 1e6).toBeGreaterThan(2);
    expect(times.mean / 1e6).toBeLessThan(3.5);
    const recordings = execFileSync(jdk.program('jcmd'), [String(timed.pid), 'JFR.check'], { encoding: 'utf8' });
    expect(recordings).toMatch(/name=1 .*running/);
    expect(recordings).not.toContain('insitu-time');
    // The samples of the other recording are its own.
    const metrics = listedMetrics((await stored(scene.folder))!).map(({ id }) => id);
    expect(metrics).toEqual(['cpu', 'calls', 'time']);
  });

  test('for the recorder that follows the JVM: they are stored once', async () => {
    const timed = await startTimed(jdk);
    const recorder = scene.recorderOf(timed);
    await untilFollowing(recorder);
    const count = startCount(timed, 'Timed.step', '--for', '2s', '--yes');
    expect(await count.ended, count.text()).toBe('0');
    expect(count.text()).toContain('the recorder that follows this JVM stores the calls');
    await ends(recorder);
    const { calls } = await told(timed);
    const times = timesOf(await stored(scene.folder), 'Timed.step');
    expect(times.count).toBeGreaterThan(100);
    expect(times.count).toBeLessThanOrEqual(2 * calls);
    // Without a destination the JVM would write its recording there.
    expect(readdirSync(scene.folder).filter(name => name.endsWith('.jfr'))).toEqual([]);
  });

  test('end early with what was counted by then', async () => {
    const timed = await startTimed(jdk);
    const count = startCount(timed, 'Timed.step', '--yes');
    await until('it counts', () => count.text().includes('counting in JVM'));
    await new Promise(resolve => setTimeout(resolve, 1_500));
    count.child.kill('SIGINT');
    expect(await count.ended, count.text()).toBe('0');
    expect(timesOf(await stored(scene.folder), 'Timed.step').count).toBeGreaterThan(50);
  });

  test('from the editor: the method at a place, told when it is over', async () => {
    const timed = await startTimed(jdk);
    const client = await startServer({
      folders: [scene.folder],
      env: {
        HOME: scene.folder,
        XDG_STATE_HOME: join(scene.folder, 'state'),
        XDG_CACHE_HOME: join(scene.folder, 'cache'),
      },
      initializationOptions: { store: storeOf(scene.folder), project: 'acme', program: 'shop', version: '1' },
    });
    try {
      const uri = pathToFileURL(join(scene.folder, 'Timed.java')).href;
      client.open(uri, SOURCE);
      await client.hints(uri);
      const line = SOURCE.split('\n').findIndex(each => each.includes('void step('));
      const position = { line, character: SOURCE.split('\n')[line]!.indexOf('step') };
      const place = { textDocument: { uri }, position };
      const actions = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
        textDocument: { uri },
        range: { start: position, end: position },
        context: { diagnostics: [], triggerKind: 1 },
      });
      expect(actions.map(({ command }) => command?.command)).toContain('insitu.countCalls');
      const ask = (params: object) => client.connection.sendRequest('insitu/countCalls', { ...place, ...params });
      await expect(ask({})).rejects.toThrow(/"pid" is missing/);
      expect(await ask({ pid: timed.pid, seconds: 2 })).toEqual({
        text: 'counting calls in Timed for 2 s',
        problems: [],
      });
      await client.waitFor(
        ({ params }) => /insitu: Timed\.step: mean .* calls/.test(String(Object(params).message)),
        30_000,
      );
      await client.stop();
    } finally {
      client.process.kill('SIGKILL');
    }
    expect(timesOf(await stored(scene.folder), 'Timed.step').count).toBeGreaterThan(100);
  });

  test('are refused of methods that call nothing, of the JDK, and where nobody can be asked', async () => {
    const timed = await startTimed(jdk);
    const short = startCount(timed, 'Timed.leaf', 'Thread.sleep', '--yes');
    expect(await short.ended).toBe('1');
    expect(short.text()).toContain('Timed.leaf is not counted: 0 % of its samples are in methods that it calls');
    expect(short.text()).toContain('java.lang.Thread.sleep is not counted: it is no method of the program');
    const silent = startCount(timed, 'Timed.step');
    expect(await silent.ended).toBe('2');
    expect(silent.text()).toContain(
      'count the calls of Timed.step for 60 s? Each call takes about 75 ns longer meanwhile',
    );
  });
});

needs('jdk17', 'a JVM that cannot time methods', jdk => {
  test('is named with the JDK that can', async () => {
    const count = startCount(await startTimed(jdk), 'Timed.step', '--yes');
    expect(await count.ended).toBe('1');
    expect(count.text()).toContain('run it with Java 25 or newer');
  });
});
