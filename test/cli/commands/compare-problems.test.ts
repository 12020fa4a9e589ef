// Tests that `insitu compare` prints what is wrong with a file once, also where both sides are read again for another metric.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { insitu } from '../../support/insitu/command-line.ts';
import { ChunkWriter, methodPools, stackPool, TYPE, threadPool } from '../../support/recordings/jfr-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'insitu-problems-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A recording with samples of two metrics, of which the recorder lost some. */
function recording(name: string, samples: number, lost: number): string {
  const [CPU_TIME, LOST] = [210, 211];
  const startTime = ['startTime', TYPE.long, 'ticks'] as const;
  const writer = new ChunkWriter({
    events: [
      {
        id: CPU_TIME,
        name: 'jdk.CPUTimeSample',
        fields: [
          startTime,
          ['eventThread', TYPE.thread, 'pool'],
          ['stackTrace', TYPE.stack, 'pool'],
          ['failed', TYPE.boolean],
          ['samplingPeriod', TYPE.long, 'ticks'],
          ['biased', TYPE.boolean],
        ],
      },
      { id: LOST, name: 'jdk.CPUTimeSamplesLost', fields: [startTime, ['lostSamples', TYPE.int]] },
    ],
  }).sample(1);
  for (let at = 0; at < samples; at++)
    writer.event(writer.body(CPU_TIME).long(0).long(1).long(1).raw(0).long(10_000).raw(0));
  writer.event(writer.body(LOST).long(0).int(lost));
  writer.checkpoint([
    stackPool([{ key: 1, frames: [{ method: 1, line: 10 }] }]),
    ...methodPools([{ key: 1, owner: 'A', name: 'run' }]),
    threadPool([{ key: 1, name: 'one' }]),
  ]);
  const file = join(folder, name);
  writeFileSync(file, writer.finish());
  return file;
}

test('a loss in each of two files', async () => {
  const [before, now] = [recording('before.jfr', 1, 7), recording('now.jfr', 3, 9)];
  const { out, err, status } = await insitu('compare', before, now, '--fixed-work');
  expect([status, out.split('\n')[0]]).toEqual([0, expect.stringContaining('3 samples of cpu-time')]);
  expect(err.match(/the recorder lost \d samples/g)?.sort()).toEqual([
    'the recorder lost 7 samples',
    'the recorder lost 9 samples',
  ]);
  const called = await insitu('callees', 'A.run', '--recording', before, '--metric', 'cpu-time');
  expect(called.out).toContain(' · 1 sample\n');
});
