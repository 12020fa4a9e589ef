// Tests the holders of locks that threads wait for: a JVM that is recorded by its events, and by thread dumps, is judged by clocks in its own code.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../support/engines/needs.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { RecordingScene } from '../support/recorders/recording-scene.ts';
import {
  ends,
  type Process,
  startJavaOnTwo,
  storeOf,
  until,
  untilFollowing,
} from '../support/recorders/recording-shop.ts';

const RUN_MILLIS = 13_000;
/** Of a class's time. */
const NEAR = 0.05;
/** Of the time that it waits. */
const NEAR_HOLDER = 0.1;
/** Events tell waits from so many milliseconds on. */
const EVENT_MILLIS = 20;

/** Of a class of threads, in seconds. */
type Clocks = { alive: number; run: number; waited: number; readonly holders: Map<string, number> };

/** Part of the waits by the class that had the lock; `a, then b` for both, one after the other. */
type Found = { readonly share: number; readonly holders: ReadonlyMap<string, number> };

const scene = new RecordingScene();

needs('jdk17', 'holders of locks', jdk => {
  /** Starts the threads, which wait for `go`. */
  function started(leastMillis: number, ...more: readonly string[]) {
    execFileSync(jdk.program('javac'), ['-nowarn', '-d', scene.folder, join(import.meta.dirname, 'Holders.java')]);
    const args = ['-cp', scene.folder, 'Holders', `${RUN_MILLIS}`, go(), `${leastMillis}`, ...more];
    return scene.own(startJavaOnTwo(jdk, scene.folder, args));
  }

  const go = () => join(scene.folder, 'go');

  async function clocksOf(java: Process): Promise<ReadonlyMap<string, Clocks>> {
    writeFileSync(go(), '');
    expect(await java.ended, java.text()).toBe('0');
    return clocksIn(java.text());
  }

  test('events name them where the thread that entered is the one that left, and both threads elsewhere', async () => {
    const java = started(EVENT_MILLIS);
    const recorder = scene.recorderOf(java, '--interval', '8s');
    await untilFollowing(recorder);
    const clocks = await clocksOf(java);
    await until('the JVM is left', () => recorder.text().includes('"kind":"left"'));
    expect(await ends(recorder)).toBe('0');
    for (const role of ['light-#', 'pooled-#', 'inarow', 'visitor', 'entrant-#']) {
      const found = await foundBy(':MONITOR', role, down);
      // Before they begin, threads are parked.
      const parked = (await costOf(`* ..:PARK`, role)).share;
      const queued = (await costOf(`* ..:LOAD`, role)).share;
      nearShare(found.share / (1 - parked), clocks.get(role)!, queued / (1 - parked), role);
      nearHolders(found.holders, clocks.get(role)!, role);
    }
    // A thread that barges in for a millisecond has not had the monitor for the forty before.
    expect((await foundBy(':MONITOR', 'entrant-#', down)).holders.get('barger') ?? 0).toBeLessThan(NEAR_HOLDER);
    // Events tell nothing of the owners of locks of java.util.concurrent.
    expect((await foundBy(':PARK', 'asker', down)).holders.size).toBe(0);
    const runner = clocks.get('runner')!;
    const parked = (await costOf('* ..:PARK', 'runner')).share;
    expect(
      Math.abs((await costOf('* ..:RUN', 'runner')).share / (1 - parked) - runner.run / runner.alive),
    ).toBeLessThan(NEAR);
  });

  test('dumps name them by their stacks, and tell how long threads run whatever they are seen doing', async () => {
    const dumps = join(scene.folder, 'dumps.txt');
    const clocks = await clocksOf(started(0, dumps));
    expect((await ask('import', dumps, '--processors', '2')).status).toBe(0);
    for (const role of ['light-#', 'pooled-#', 'inarow', 'visitor', 'entrant-#']) {
      const found = await foundBy(':MONITOR', role, extended);
      nearShare(found.share, clocks.get(role)!, 0, role);
      nearHolders(found.holders, clocks.get(role)!, role);
    }
    const asker = await foundBy(':LOCK', 'asker', extended);
    nearHolders(asker.holders, clocks.get('asker')!, 'asker');
    for (const role of ['runner', 'entrant-#', 'inarow']) {
      const { run, alive } = clocks.get(role)!;
      const { share } = await costOf('* ..:RUN', role);
      expect(Math.abs(share - run / alive), `${role} runs`).toBeLessThan(NEAR);
    }
  });
});

function ask(...args: readonly string[]) {
  return insitu(...args, '--store', storeOf(scene.folder), '--project', 'acme', '--program', 'shop');
}

type Row = { readonly name: string; readonly ofPath: { readonly share: number } };

/** Share of the time of a class of threads, 0 where none has time of the type, and the names behind it. */
async function costOf(query: string, threads: string, refine = 'down') {
  const more = ['--view', `thread:${threads.replace('#', '*')}`, '--refine', refine, '--min', '1', '--json'];
  const { out } = await ask('query', query, ...more);
  if (out === '') return { share: 0, rows: [] as readonly Row[] };
  const { cost, rows } = JSON.parse(out) as { cost: { share: number }; rows: readonly Row[] };
  return { share: cost.share, rows };
}

type Refine = { readonly kind: string; readonly roleOf: (name: string) => string | null };

/** Classes of threads stand behind the type. */
const down: Refine = { kind: 'down', roleOf: name => name };
/** The holder's stack does: each role has a method of its own. */
const extended: Refine = {
  kind: 'extended',
  roleOf(name) {
    const [, role] = /Holders\$(\w+)\.step$/.exec(name) ?? [];
    if (role === undefined) return null;
    return ['Light', 'Entrant', 'Pooled'].includes(role) ? `${role.toLowerCase()}-#` : role.toLowerCase();
  },
};

async function foundBy(type: string, threads: string, { kind, roleOf }: Refine): Promise<Found> {
  const { share, rows } = await costOf(`* ..${type}`, threads, kind);
  const holders = rows.flatMap(({ name, ofPath }) => {
    const role = roleOf(name);
    return role === null ? [] : [[role, ofPath.share] as const];
  });
  return { share, holders: new Map(holders) };
}

/** A thread that has got what it waited for, and waits for a processor, is blocked by its own clock still. */
function nearShare(share: number, { waited, alive }: Clocks, queued: number, role: string): void {
  expect(share, `${role} waits`).toBeLessThan(waited / alive + NEAR);
  expect(share, `${role} waits`).toBeGreaterThan(waited / alive - queued - NEAR);
}

function nearHolders(found: ReadonlyMap<string, number>, { waited, holders }: Clocks, role: string): void {
  for (const [holder, seconds] of holders) {
    const alone = found.get(holder) ?? 0;
    const both = [...found].flatMap(([name, part]) =>
      name.includes(', then ') && name.includes(holder) ? [part] : [],
    );
    const what = `${role} waits for ${holder}: ${JSON.stringify([...found])}, by its clock ${seconds / waited}`;
    expect(alone, what).toBeLessThan(seconds / waited + NEAR_HOLDER);
    expect(alone + both.reduce((sum, part) => sum + part, 0), what).toBeGreaterThan(seconds / waited - NEAR_HOLDER);
  }
}

function clocksIn(text: string): ReadonlyMap<string, Clocks> {
  const clocks = new Map<string, Clocks>();
  for (const line of text.trim().split('\n')) {
    const [name = '', alive, run, waited, ...holders] = line.split(' ');
    if (waited === undefined) continue;
    const role = name.replace(/\d+/, '#');
    const sum = clocks.get(role) ?? { alive: 0, run: 0, waited: 0, holders: new Map() };
    clocks.set(role, sum);
    sum.alive += Number(alive) / 1e9;
    sum.run += Number(run) / 1e9;
    sum.waited += Number(waited) / 1e9;
    for (const each of holders) {
      const [holder = '', nanos] = each.split('=');
      sum.holders.set(holder, (sum.holders.get(holder) ?? 0) + Number(nanos) / 1e9);
    }
  }
  expect(clocks.size).toBe(15);
  return clocks;
}
