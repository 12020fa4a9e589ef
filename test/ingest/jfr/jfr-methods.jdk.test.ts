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
import { textOfTimes } from '../../support/profiles/timed.ts';

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
/** Nanoseconds of a duration as `jfr print` writes it: `PT0.001S`. */
function nanosOf(iso: string): number {
  return Math.round(Number(/^PT([\d.]+)S$/.exec(iso)![1]) * 1e9);
}

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
    const sum = all.reduce((sums, { weight }) => sums + weight, 0);
    const isTraced = (frame: string) => TRACED.includes(withoutLine(frame));
    const outermost = theirs().filter(({ frames }) => !frames.some(isTraced));
    const total = outermost.reduce((all, { weight }) => all + weight, 0);
    // Own times are whole nanoseconds of each call, where the clock of the JVM has other ticks.
    const calls = all.reduce((count, each) => count + each.count, 0);
    expect(Math.abs(total - sum)).toBeLessThanOrEqual(calls);
    expect(sum).toBeGreaterThan(1000 * calls);
  });

  test('response times are the durations of the JDK’s own reader, by the method that called', () => {
    type Named = { name: string; descriptor: string };
    type Printed = { duration: string; method: Named; stackTrace: { frames: { method: Named }[] } };
    const printed: { recording: { events: { values: Printed }[] } } = JSON.parse(
      run('jfr', ['print', '--json', '--stack-depth', '1', '--events', 'jdk.MethodTrace', recording]),
    );
    const text = ({ name, descriptor }: Named) => `TracedCalls.${name}${descriptor}`;
    const times = new Map<string, [number, number]>();
    for (const { duration, method, stackTrace } of printed.recording.events.map(({ values }) => values)) {
      const key = `${text(method)} by ${text(stackTrace.frames[0]!.method)}`;
      const [calls, sum] = times.get(key) ?? [0, 0];
      times.set(key, [calls + 1, sum + nanosOf(duration)]);
    }
    const found = textOfTimes(ingested.profile!).filter(
      line => line.includes(' calls, ') && !line.includes('recurse(I)V by'),
    );
    const sums = new Map<string, [number, number]>();
    for (const line of found) {
      const [, key, calls, sum] = /^(.*) from \d+: (\d+) calls, (\S+) ns/.exec(line)!;
      const before = sums.get(key!) ?? [0, 0];
      sums.set(key!, [before[0] + Number(calls), before[1] + Number(sum)]);
    }
    expect(sums).toEqual(times);
    expect(sums.size).toBeGreaterThan(3);
  });

  test('of timed methods the JDK’s own totals are known, without a caller', () => {
    const [timed] = ingested.methodTimings!.filter(({ invocations }) => invocations === 40);
    const nanos = timed!.averageNanos! * timed!.invocations;
    const line = textOfTimes(ingested.profile!).filter(each => each.startsWith('TracedCalls.recurse(I)V by'));
    expect(line).toEqual([
      expect.stringMatching(/^TracedCalls\.recurse\(I\)V by \[truncated\] from \d+: 40 calls, .* 0\.00000000000, /),
    ]);
    expect(Number(/calls, (\S+) ns/.exec(line[0]!)![1])).toBeCloseTo(nanos, -1);
    expect(line[0]).toContain(`${timed!.minimumNanos} to ${timed!.maximumNanos}`);
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
    const truth = printed.recording.events.map(({ values }) => ({
      name: values.method.name,
      invocations: values.invocations,
      times: [values.minimum, values.average, values.maximum].map(nanosOf),
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
