// A real JVM that runs the sample shop, and a recorder beside it, as processes of their own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { globSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { listedMetrics } from '../../../server/cct/listed-metrics.ts';
import type { Profile } from '../../../server/cct/profile.ts';
import { TYPED } from '../../../server/model/time-types.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { FolderStore } from '../../../server/store/folder-store.ts';
import { loadProfile } from '../../../server/store/load-snapshots.ts';
import { compileSample } from '../../oracle/oracle.ts';
import type { Engine } from '../engines/engines.ts';
import { insituProgram } from '../insitu/program.ts';
import { deadline } from '../patience.ts';

/** Generous, as a machine may do much else: nothing is waited for that does not come. */
const LONGEST_MILLIS = 60_000;

/** The shop's classes for a JVM, compiled once for each state of the sources. */
export function compiledShop({ name }: Engine): string {
  return compileSample('v1', name === 'jdk25' ? 25 : 17);
}

/** A process of a test; `ended` gives its exit status or the signal that ended it. */
export type Process = {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<string>;
  /** The text that it has written so far, both streams. */
  readonly text: () => string;
};

function started(command: string, args: readonly string[], cwd: string): Process {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', part => (text += part));
  const ended = new Promise<string>(resolve => child.on('close', (code, signal) => resolve(String(signal ?? code))));
  return { child, pid: child.pid!, ended, text: () => text };
}

/** Any program of any JVM, working in `folder`. */
export function startJava(jdk: Engine, folder: string, args: readonly string[]): Process {
  return started(jdk.program('java'), args, folder);
}

/** A program of any JVM that has the first two processors alone. */
export function startJavaOnTwo(jdk: Engine, folder: string, args: readonly string[]): Process {
  return started('taskset', ['-c', '0,1', jdk.program('java'), ...args], folder);
}

/** The shop, busy for some seconds; `flags` are the JVM's. It writes its journal into `folder`. */
export function startShop(jdk: Engine, folder: string, seconds: number, flags: readonly string[] = []): Process {
  const args = ['--seconds', String(seconds), '--threads', '2', '--seed', '1'];
  return startJava(jdk, folder, [...flags, '-cp', compiledShop(jdk), 'com.acme.shop.Main', ...args]);
}

/** `insitu record` with its own store and spool below `folder`. */
export function startRecorder(folder: string, args: readonly string[]): Process {
  const place = ['--store', storeOf(folder), '--spool', join(folder, 'spool')];
  const execution = ['--project', 'acme', '--program', 'shop', '--version', '1'];
  return startInsitu(folder, ['record', ...place, ...execution, '--json', ...args]);
}

/** Any command of insitu, working in `folder`. */
export function startInsitu(folder: string, args: readonly string[]): Process {
  return started(process.execPath, [insituProgram, ...args], folder);
}

export function storeOf(folder: string): string {
  return join(folder, 'store');
}

export function spoolOf(folder: string): string {
  return join(folder, 'spool');
}

/** Waits until `met` gives something. */
export async function until<T>(what: string, met: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (const isOver = deadline(LONGEST_MILLIS); ; await pause(50)) {
    const value = await met();
    if (value !== null && value !== undefined && value !== false) return value as NonNullable<T>;
    if (isOver()) throw new Error(`${what}: waited in vain`);
  }
}

export function isFollowing(recorder: Process): boolean {
  return recorder.text().includes('"kind":"following"');
}

export async function untilFollowing(recorder: Process): Promise<void> {
  await until('the recorder follows the JVM', () => {
    if (recorder.child.exitCode !== null) throw new Error(`the recorder has ended: ${recorder.text()}`);
    return isFollowing(recorder);
  });
}

/** Tells a process to end and waits for it. */
export async function ends(process_: Process, signal: NodeJS.Signals = 'SIGTERM'): Promise<string> {
  process_.child.kill(signal);
  return await process_.ended;
}

/** The content of the store, merged; null while it is empty. */
export async function stored(folder: string): Promise<Profile | null> {
  const store = new FolderStore(storeOf(folder), storeOf(folder));
  const { value } = await loadProfile(store, { project: 'acme', program: 'shop' });
  return value?.profile ?? null;
}

/** Instances that the store has anything of. */
export async function storedInstances(folder: string): Promise<string[]> {
  const { value } = await new FolderStore(storeOf(folder), storeOf(folder)).list({});
  return [...new Set(value.map(({ execution }) => execution.instance))];
}

/** Samples of a metric. */
export function samplesOf(profile: Profile | null, metric: string): number {
  const cells = profile?.cells[profile.metrics.findIndex(({ id }) => id === metric)];
  return cells?.count.reduce((sum, count) => sum + count, 0) ?? 0;
}

/** Every sample of two profiles is the same, with stack, lines, thread and weight. */
export function expectSame(actual: Profile | null, wanted: Profile): void {
  // Of the loads of a JVM a recorder keeps none.
  const metrics = (profile: Profile) =>
    listedMetrics(profile)
      .map(({ id }) => id)
      .sort();
  // A recorder asks the system besides what threads did with their time.
  expect(metrics(actual!).filter(id => id !== TYPED.id)).toEqual(metrics(wanted));
  for (const metric of metrics(wanted)) {
    expect(`${metric} ${samplesOf(actual, metric)}`).toBe(`${metric} ${samplesOf(wanted, metric)}`);
    const options = { frames: 'full', threads: true, metric, weights: true } as const;
    const [ours, theirs] = [toCollapsed(actual!, options).split('\n'), toCollapsed(wanted, options).split('\n')];
    expect(ours.filter(line => !theirs.includes(line))).toEqual([]);
  }
}

/**
 * Every sample of `wanted` is there. What is there besides is the JVM writing its recording to a file when it ends, which that file
 * cannot hold, and what its compiler threads did meanwhile.
 */
export function expectCovers(actual: Profile | null, wanted: Profile): void {
  for (const { id } of wanted.metrics) {
    const [ours, theirs] = [stackCounts(actual!, id), stackCounts(wanted, id)];
    expectAtLeast(actual, wanted, id);
    for (const [stack, count] of ours) {
      if (count > (theirs.get(stack) ?? 0)) expect(stack).toMatch(/jdk[./]jfr|JFR|CompilerThread#;\[no stack\]$/);
    }
  }
}

/** Every sample of `wanted` is there, and there may be others. */
export function expectAtLeast(actual: Profile | null, wanted: Profile, metric: string): void {
  const ours = stackCounts(actual!, metric);
  for (const [stack, count] of stackCounts(wanted, metric))
    expect(`${metric} ${stack} ${(ours.get(stack) ?? 0) >= count}`).toBe(`${metric} ${stack} true`);
}

function stackCounts(profile: Profile, metric: string): Map<string, number> {
  const lines = toCollapsed(profile, { frames: 'full', threads: true, metric }).trimEnd().split('\n');
  return new Map(lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]));
}

/** Files below the spool. */
export function spooled(folder: string): string[] {
  return readdirSync(spoolOf(folder), { recursive: true, encoding: 'utf8' }).filter(name => /open|closed/.test(name));
}

/** The settings file of a tier, as `insitu record --print-settings` prints it. */
export function settingsOf(tier: string): string {
  return execFileSync(process.execPath, [insituProgram, 'record', '--print-settings', '--settings', tier], {
    encoding: 'utf8',
  });
}

/** The shop with a recording of its own: its chunk files, and the file that it writes when it ends. */
export type RecordedShop = {
  readonly shop: Process;
  readonly file: string;
  readonly repository: () => string;
  /** Whether its first chunk has begun. */
  readonly hasBegun: () => boolean;
};

/** Starts it; `seconds` later it ends by itself. */
export function startRecordedShop(jdk: Engine, folder: string, seconds: number): RecordedShop {
  const settings = join(folder, 'full.jfc');
  writeFileSync(settings, settingsOf('full'));
  const file = join(folder, 'final.jfr');
  const chunks = join(folder, 'chunks');
  const shop = startShop(jdk, folder, seconds, [
    `-XX:StartFlightRecording=filename=${file},settings=${settings}`,
    `-XX:FlightRecorderOptions=repository=${chunks}`,
  ]);
  // The JVM makes a folder of its own there.
  const repository = () => join(chunks, readdirSync(chunks)[0]!);
  const hasBegun = () => globSync('*/*.jfr', { cwd: chunks }).length > 0;
  return { shop, file, repository, hasBegun };
}

/** All events that a recorder has told of. */
export function eventsOf(recorder: Process): { kind: string; at: number; problem?: { message: string } }[] {
  return recorder
    .text()
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line));
}
