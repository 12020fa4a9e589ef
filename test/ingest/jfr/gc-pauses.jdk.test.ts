// The pauses of garbage collections that a recording tells, against the JDK's own print, for several collectors.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pausesOf } from '../../../server/cct/gc-pauses.ts';
import { listedMetrics } from '../../../server/cct/listed-metrics.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';

type Printed = {
  readonly recording: {
    readonly events: readonly {
      readonly values: { readonly name: string; readonly cause: string; readonly sumOfPauses: string };
    }[];
  };
};

const GARBAGE = `
import java.util.ArrayDeque;
public class Garbage {
  public static void main(String[] args) {
    var kept = new ArrayDeque<byte[]>();
    for (int i = 0; i < 200_000; i++) {
      kept.add(new byte[2_000]);
      if (kept.size() > 5_000) kept.poll();
    }
    System.gc();
    System.out.println(kept.size());
  }
}
`;

function collectionsOf(jdk: Engine, collectors: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-gc-'));
  beforeAll(() => {
    writeFileSync(join(folder, 'Garbage.java'), GARBAGE);
    execFileSync(jdk.program('javac'), ['-d', folder, join(folder, 'Garbage.java')]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(collectors)('are the same with %s', async collector => {
    const file = join(folder, `${collector}.jfr`);
    const recording = `-XX:StartFlightRecording=settings=default,filename=${file}`;
    execFileSync(jdk.program('java'), [`-XX:+Use${collector}`, '-Xmx64m', recording, '-cp', folder, 'Garbage'], {
      stdio: 'pipe',
    });
    const print = ['print', '--json', '--events', 'jdk.GarbageCollection', file];
    const printed = execFileSync(jdk.program('jfr'), print, { encoding: 'utf8', maxBuffer: 1 << 26 });
    const told = new Map<string, { nanos: number; count: number }>();
    for (const { values } of (JSON.parse(printed) as Printed).recording.events) {
      const kind = `${values.name}, ${values.cause}`;
      const { nanos, count } = told.get(kind) ?? { nanos: 0, count: 0 };
      told.set(kind, { nanos: nanos + nanosOf(values.sumOfPauses), count: count + 1 });
    }
    expect(told.size).toBeGreaterThan(1);
    const { profile } = await ingestFile(file, { names: 'normalised' });
    const ours = pausesOf(profile!);
    expect(new Map(ours.map(({ kind, count }) => [kind, count]))).toEqual(
      new Map([...told].map(([kind, { count }]) => [kind, count])),
    );
    // The print has nanoseconds, the recording ticks.
    for (const { kind, nanos, count } of ours) expect(Math.abs(nanos - told.get(kind)!.nanos)).toBeLessThan(2 * count);
    expect(ours.map(({ nanos }) => nanos)).toEqual(ours.map(({ nanos }) => nanos).sort((a, b) => b - a));
    expect(listedMetrics(profile!).map(({ id }) => id)).not.toContain('gc-pauses');
  });
}

/** Nanoseconds of `PT0.001234S`. */
function nanosOf(text: string): number {
  return Number(/^PT([\d.]+)S$/.exec(text)![1]) * 1e9;
}

needs('jdk17', 'pauses of JDK 17', jdk => collectionsOf(jdk, ['SerialGC', 'ParallelGC', 'G1GC']));
needs('jdk25', 'pauses of JDK 25', jdk => collectionsOf(jdk, ['G1GC', 'ZGC']));
