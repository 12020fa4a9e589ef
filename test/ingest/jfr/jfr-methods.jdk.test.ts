// Traced and timed methods in recordings that a JDK makes here: exact invocations, the callers as the JDK reads them, times that add up.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ingested } from '../../../server/ingest/ingest.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { needs } from '../../support/engines/needs.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
  <event name="jdk.MethodTrace">
    <setting name="enabled">true</setting>
    <setting name="stackTrace">true</setting>
    <setting name="threshold">0 ns</setting>
    <setting name="filter">TracedCalls::outer;TracedCalls::inner</setting>
  </event>
  <event name="jdk.MethodTiming">
    <setting name="enabled">true</setting>
    <setting name="period">endChunk</setting>
    <setting name="filter">TracedCalls::recurse;TracedCalls::inner</setting>
  </event>
</configuration>
`;
const TRACED = ['TracedCalls.outer(I)V', 'TracedCalls.inner(I)V'];

needs('jdk25', 'methods that JDK 25 traces and times', jdk => {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-traced-'));
  const recording = join(folder, 'traced.jfr');
  let ingested: Ingested;

  beforeAll(async () => {
    writeFileSync(join(folder, 'traced.jfc'), SETTINGS);
    run('javac', ['-g', '-d', folder, here('./TracedCalls.java')]);
    const flags = ['-Xlog:jfr*=off', `-XX:StartFlightRecording=settings=traced.jfc,filename=${recording}`];
    run('java', [...flags, '-cp', '.', 'TracedCalls']);
    ingested = await ingestFile(recording, { names: 'raw' });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function run(program: string, args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(jdk.program(program), args, { cwd: folder, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    return stdout;
  }

  /** Collapsed lines of a metric as frames, count and weight; the first frame is the thread. */
  function linesOf(text: string): { frames: string[]; count: number; weight: number }[] {
    return text
      .trimEnd()
      .split('\n')
      .map(line => {
        const [stack, count, weight] = line.split(' ');
        // Semicolons in descriptors stand inside parentheses.
        return { frames: stack!.split(/;(?![^(]*\))/), count: Number(count), weight: Number(weight) };
      });
  }

  const ours = (metric: string) =>
    linesOf(toCollapsed(ingested.profile!, { frames: 'full', threads: true, metric, weights: true }));
  const withoutLine = (frame: string) => frame.slice(0, frame.lastIndexOf(':'));
  const theirs = () =>
    linesOf(run('java', [here('../../oracle/JfrStacks.java'), '--weights', recording, 'jdk.MethodTrace']));

  test('every invocation is there, once', () => {
    const counts = new Map<string, number>();
    for (const { frames, count } of ours('calls')) {
      const leaf = withoutLine(frames.at(-1)!);
      counts.set(leaf, (counts.get(leaf) ?? 0) + count);
    }
    expect(Object.fromEntries(counts)).toEqual({
      'TracedCalls.outer(I)V': 31,
      'TracedCalls.inner(I)V': 72,
      'TracedCalls.recurse(I)V': 40,
    });
    expect(ingested.problems).toEqual([]);
  });

  test('traced methods hang below their callers', () => {
    const counts = new Map<string, number>();
    for (const { frames, count } of ours('calls')) {
      if (withoutLine(frames.at(-1)!) === 'TracedCalls.recurse(I)V') continue;
      const callers = frames.slice(0, -1).join(';');
      counts.set(callers, (counts.get(callers) ?? 0) + count);
    }
    const truth = theirs().map(({ frames, count }) => [frames.join(';'), count] as const);
    expect([...counts].sort()).toEqual(truth.sort());
  });

  test('own times add up to the times of the outermost calls', () => {
    const all = ours('time').filter(({ frames }) => withoutLine(frames.at(-1)!) !== 'TracedCalls.recurse(I)V');
    const sum = all.reduce((total, { weight }) => total + weight, 0);
    const isTraced = (frame: string) => TRACED.includes(withoutLine(frame));
    const outermost = theirs().filter(({ frames }) => !frames.some(isTraced));
    expect(sum).toBe(outermost.reduce((total, { weight }) => total + weight, 0));
    expect(sum).toBeGreaterThan(0);
  });

  test('timed methods stand below the root with the JDK’s own figures', () => {
    const recurse = ours('calls').filter(({ frames }) => withoutLine(frames.at(-1)!) === 'TracedCalls.recurse(I)V');
    expect(recurse.map(({ frames, count }) => `${frames.join(';')} ${count}`)).toEqual([
      '-;TracedCalls.recurse(I)V:0 40',
    ]);
    type Printed = { method: { name: string }; invocations: number; minimum: string; average: string; maximum: string };
    const printed: { recording: { events: { values: Printed }[] } } = JSON.parse(
      run('jfr', ['print', '--json', '--events', 'jdk.MethodTiming', recording]),
    );
    const nanos = (iso: string) => Math.round(Number(/^PT([\d.]+)S$/.exec(iso)![1]) * 1e9);
    const truth = printed.recording.events.map(({ values }) => ({
      name: values.method.name,
      invocations: values.invocations,
      times: [values.minimum, values.average, values.maximum].map(nanos),
    }));
    const { methods } = ingested.profile!;
    const timings = ingested.methodTimings!.map(({ method, invocations, ...times }) => ({
      name: methods.strings[methods.name[method]!]!,
      invocations,
      times: [times.minimumNanos, times.averageNanos, times.maximumNanos],
    }));
    expect(timings).toEqual(truth);
    expect(new Set(timings.map(({ name }) => name))).toEqual(new Set(['inner', 'recurse']));
  });
});
