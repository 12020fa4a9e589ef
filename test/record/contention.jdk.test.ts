// Tests the waits of threads of a JVM that is recorded on two processors: judged by the clocks of the threads themselves, asked as a user asks.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../support/engines/needs.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { RecordingScene } from '../support/recorders/recording-scene.ts';
import { ends, startJavaOnTwo, storeOf, until, untilFollowing } from '../support/recorders/recording-shop.ts';

/** Two windows of the recorder and a rest. Threads sleep for up to a second before they begin: a shorter run would be another part of their time. */
const RUN_MILLIS = 26_000;
/** Of a class's time. */
const NEAR = 0.05;

const scene = new RecordingScene();

needs('jdk17', 'contention on two processors', jdk => {
  test('is found by one query for each kind, within five points of the clocks', async () => {
    execFileSync(jdk.program('javac'), ['-nowarn', '-d', scene.folder, join(import.meta.dirname, 'Contention.java')]);
    const go = join(scene.folder, 'go');
    const java = scene.own(startJavaOnTwo(jdk, scene.folder, ['-cp', scene.folder, 'Contention', `${RUN_MILLIS}`, go]));
    const recorder = scene.recorderOf(java, '--interval', '12s');
    await untilFollowing(recorder);
    // The clocks and the recorder tell of the same time: the start of the recorder takes processors as well.
    writeFileSync(go, '');
    expect(await java.ended).toBe('0');
    await until('the JVM is left', () => recorder.text().includes('"kind":"left"'));
    expect(await ends(recorder)).toBe('0');

    const clocks = clocksIn(java.text());
    const spinners = partsOf(clocks, 'spinner');
    const [ran, queued] = [await costOf('* ..:RUN', 'spinner-*'), await costOf('* ..:LOAD', 'spinner-*')];
    near(ran.share, spinners.run);
    near(queued.share, 1 - spinners.run);
    expect(ran.lowerBound).toBe(false);
    expect(queued.rows).toEqual(['spinner-#']);
    // Of two processors, by the same looks: what else runs on this machine has the rest.
    const served = await costOf('* ..:RUN', 'spinner-*', '--view', 'server');
    near(served.share, (6 * ran.share) / 2);
    expect([ran.estimated, served.estimated]).toEqual([true, true]);

    const convoy = await costOf('* ..:MONITOR', 'convoy-*');
    await nearBlocked(convoy.share, 'convoy-*', partsOf(clocks, 'convoy').blocked);
    expect(convoy.lowerBound).toBe(true);
    expect(convoy.rows).toEqual(['convoy-#']);

    // The system does not obey priorities: the thread of low priority is shown, and no time is of its kind.
    const inverted = await costOf('* ..:MONITOR', 'urgent');
    await nearBlocked(inverted.share, 'urgent', partsOf(clocks, 'urgent').blocked);
    expect(inverted.rows).toEqual(['lowly']);
    const { err } = await ask('query', '* ..:PRIO');
    expect(err).toContain('no thread has time of the type ":PRIO"');

    await nearBlocked((await costOf('* ..Contention.readFrom ..:IO', 'reader')).share, 'reader', 1);
  });
});

function ask(...args: readonly string[]) {
  return insitu(...args, '--store', storeOf(scene.folder), '--project', 'acme', '--program', 'shop');
}

/** Share of the time of a class of threads, the names behind it, and whether the share is a lower bound. */
async function costOf(query: string, threads: string, ...more: readonly string[]) {
  const { out, err } = await ask('query', query, '--threads', threads, '--refine', 'down', '--json', ...more);
  expect(err).toBe('');
  const { cost, lowerBound, estimated, rows } = JSON.parse(out);
  return { share: cost.share as number, lowerBound, estimated, rows: rows.map(({ name }: { name: string }) => name) };
}

function near(share: number, wanted: number): void {
  expect(Math.abs(share - wanted)).toBeLessThan(NEAR);
}

/**
 * A thread that has got what it waited for, and waits for a processor, is blocked by its own clock still, and queued by the recorder's. Its
 * own clock begins when the thread does, and the recorder saw it sleep before.
 */
async function nearBlocked(share: number, threads: string, blocked: number): Promise<void> {
  const others = await Promise.all([':LOAD', ':SLEEP'].map(type => shareOfType(type, threads)));
  // The part of a wait in a window that was closed before the wait ended is unrecorded: there are two such windows at most.
  const unrecorded = Math.min(NEAR, await shareOfType(':UNRECORDED', threads));
  expect(share).toBeLessThan(blocked + NEAR);
  expect(share).toBeGreaterThan(blocked - others.reduce((sum, other) => sum + other, unrecorded) - NEAR);
}

/** The share is 0 where no thread has time of the type. */
async function shareOfType(type: string, threads: string): Promise<number> {
  const { out } = await ask('query', `* ..${type}`, '--threads', threads, '--json');
  return out === '' ? 0 : JSON.parse(out).cost.share;
}

type Clocks = ReadonlyMap<string, readonly [alive: number, run: number, blocked: number]>;

function clocksIn(text: string): Clocks {
  const lines = text.split('\n').map(line => line.split(' '));
  const threads = lines.filter(({ length }) => length === 4);
  expect(threads).toHaveLength(12);
  return new Map(threads.map(([name, ...nanos]) => [name!, nanos.map(Number) as [number, number, number]]));
}

/** Of the threads whose names begin so, together. */
function partsOf(clocks: Clocks, name: string): { readonly run: number; readonly blocked: number } {
  const own = [...clocks].filter(([each]) => each.startsWith(name)).map(([, nanos]) => nanos);
  const [alive, run, blocked] = [0, 1, 2].map(at => own.reduce((sum, nanos) => sum + nanos[at]!, 0)) as [
    number,
    number,
    number,
  ];
  return { run: run / alive, blocked: blocked / alive };
}
