// The processor time that a recording tells of its JVM, against the time that the operating system tells the JVM of itself.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nanosPerSample } from '../../../server/cct/processor-load.ts';
import { listedMetrics } from '../../../server/cct/processor-time.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { needs } from '../../support/engines/needs.ts';

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
    // The recording begins before the program and ends behind it, and loads are told once a second, in ticks of the system.
    expect(told / millis).toBeGreaterThan(0.6);
    expect(told / millis).toBeLessThan(1.6);
    expect(listedMetrics(profile!).map(({ id }) => id)).not.toContain('processor-load');
  });
});
