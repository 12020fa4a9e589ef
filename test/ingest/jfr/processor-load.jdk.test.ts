// The processor time that a recording tells of its JVM, against the time that the operating system tells the JVM of itself.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listedMetrics } from '../../../server/cct/listed-metrics.ts';
import { nanosPerSample } from '../../../server/cct/processor-load.ts';
import type { TimeWindow } from '../../../server/cct/profile.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { needs } from '../../support/engines/needs.ts';

type Printed = {
  readonly recording: {
    readonly events: readonly {
      readonly type: string;
      readonly values: {
        readonly startTime: string;
        readonly hwThreads?: number;
        readonly jvmUser?: number;
        readonly jvmSystem?: number;
        readonly machineTotal?: number;
      };
    }[];
  };
};

const BUSY = `
public class Busy {
  static volatile long sum;
  public static void main(String[] args) throws Exception {
    var process = ProcessHandle.current();
    long before = process.info().totalCpuDuration().get().toMillis();
    for (long until = System.nanoTime() + 4_000_000_000L; System.nanoTime() < until;) for (int i = 0; i < 1000; i++) sum += i;
    System.out.println(process.info().totalCpuDuration().get().toMillis() - before);
  }
}
`;

needs('jdk17', 'the load of a JVM', jdk => {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-load-'));
  beforeAll(() => {
    writeFileSync(join(folder, 'Busy.java'), BUSY);
    execFileSync(jdk.program('javac'), ['-d', folder, join(folder, 'Busy.java')]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Milliseconds, by the events as the JDK's own tool prints them: each load since the one before it. */
  function toldByJdk(file: string, windows: readonly TimeWindow[]): number {
    const printed = execFileSync(
      jdk.program('jfr'),
      ['print', '--json', '--events', 'jdk.CPULoad,jdk.CPUInformation', file],
      { encoding: 'utf8', maxBuffer: 1 << 24 },
    );
    const events = (JSON.parse(printed) as Printed).recording.events.map(({ type, values }) => ({ type, ...values }));
    const { hwThreads } = events.find(({ type }) => type === 'jdk.CPUInformation')!;
    const loads = events
      .filter(({ type, machineTotal }) => type === 'jdk.CPULoad' && machineTotal! > 0)
      .map(({ startTime, jvmUser, jvmSystem }) => ({ at: Date.parse(startTime), load: jvmUser! + jvmSystem! }));
    let [from, millis] = [windows[0]!.startMillis, 0];
    for (const [index, { at, load }] of loads.entries()) {
      const until = index === loads.length - 1 ? windows.at(-1)!.endMillis : at;
      millis += load * hwThreads! * (until - from);
      from = until;
    }
    return millis;
  }

  test('all samples together are the time that the system tells', async () => {
    const file = join(folder, 'busy.jfr');
    const recording = `-XX:StartFlightRecording=settings=profile,filename=${file}`;
    const out = execFileSync(jdk.program('java'), [recording, '-cp', folder, 'Busy'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const millis = Number(out.trim().split('\n').at(-1));
    const { profile } = await ingestFile(file, { names: 'raw' });
    const metric = profile!.metrics.findIndex(({ id }) => id === 'cpu');
    const samples = profile!.cells[metric]!.count.reduce((sum, each) => sum + each, 0);
    const told = (nanosPerSample(profile!, metric)! * samples) / 1e6;
    // The recording begins before the program and ends behind it. On a busy machine few loads tell of a short run.
    expect(told / millis).toBeGreaterThan(0.2);
    expect(told / millis).toBeLessThan(5);
    expect(told).toBeCloseTo(toldByJdk(file, profile!.windows), -2);
    expect(listedMetrics(profile!).map(({ id }) => id)).not.toContain('processor-load');
  });
});
