// Typed time of flight recordings against the clocks of the threads themselves, and against the metrics of the same events.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ingested } from '../../../server/ingest/ingest.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { needs } from '../../support/engines/needs.ts';
import { jdks } from '../../support/engines/versions.ts';
import { typedNanos } from '../../support/profiles/typed-nanos.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const RUN_MILLIS = 14_000;
/** Of the time that a thread was alive. */
const NEAR = 0.05;

/** JDK 25 starts with the samples of CPU time that measure `:RUN`. */
const SETTINGS = { jdk17: 'settings=profile', jdk25: 'settings=profile,jdk.CPUTimeSample#enabled=true' } as const;

for (const engine of jdks())
  needs(engine, `typed time of ${engine} on one processor`, jdk => {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-typed-'));
    const recording = join(folder, 'typed.jfr');
    /** By thread: nanoseconds alive and on a processor, by its own clocks. */
    let clocks: Map<string, readonly [number, number]>;
    let read: Ingested;

    beforeAll(async () => {
      run(jdk.program('javac'), ['-d', folder, here('./TypedTimes.java')]);
      const flags = ['-Xlog:jfr*=off', `-XX:StartFlightRecording:${SETTINGS[engine]},filename=${recording}`];
      const out = run('taskset', ['-c', '0', jdk.program('java'), ...flags, '-cp', '.', 'TypedTimes', `${RUN_MILLIS}`]);
      clocks = new Map(
        out
          .trim()
          .split('\n')
          .map(line => line.split(' '))
          .filter(({ length }) => length === 3)
          .map(([name, alive, cpu]) => [name!, [Number(alive), Number(cpu)]]),
      );
      read = await ingestFile(recording, { names: 'raw', timeTypes: true });
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    function run(program: string, args: readonly string[]): string {
      const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
      expect(status, stderr).toBe(0);
      return stdout;
    }

    test('parts of each thread are those of its own clocks, within five points', () => {
      expect([...clocks.keys()].sort()).toEqual(['burner-a', 'burner-b', 'holder', 'sleeper', 'waiter']);
      const typed = typedNanos(read.profile!);
      for (const [name, [alive, cpu]] of clocks) {
        const own = typed.get(name)!;
        const all = [...own.values()].reduce((sum, nanos) => sum + nanos, 0);
        expect(Math.abs(all - alive) / alive, `${name} alive`).toBeLessThan(NEAR);
        const part = (type: string) => (own.get(type) ?? 0) / all;
        if (name.startsWith('burner')) expect(Math.abs(part(':RUN') - cpu / alive), `${name} runs`).toBeLessThan(NEAR);
      }
      const part = (name: string, type: string) => (typed.get(name)!.get(type) ?? 0) / clocks.get(name)![0];
      expect(part('sleeper', ':SLEEP')).toBeGreaterThan(1 - NEAR);
      // The holder has the monitor for nine tenths of the time, in which the waiter waits unless it pauses.
      expect(part('waiter', ':MONITOR')).toBeGreaterThan(0.75);
      expect(part('waiter', ':MONITOR')).toBeLessThan(1);
      // A thread that ends may wait some milliseconds for a monitor of the JVM.
      expect(part('sleeper', ':MONITOR')).toBeLessThan(0.01);
      const monitors = toCollapsed(read.profile!, { frames: 'full', metric: 'typed', threads: true })
        .split('\n')
        .filter(line => /^waiter.*;:MONITOR/.test(line));
      expect(monitors.length).toBeGreaterThan(0);
      for (const line of monitors) expect(line).toMatch(/;:MONITOR:0(?:;holder:0)? \d+$/);
      expect(monitors.some(line => line.includes(';:MONITOR:0;holder:0 '))).toBe(true);
    });
  });
