// Events that no recording in samples/ has, in recordings that a JDK makes here, and the recorder's own count of lost samples: as the JDK reads them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listedMetrics } from '../../../server/cct/listed-metrics.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { jfrStacks, sampleRecordings } from '../../oracle/oracle.ts';
import { needs } from '../../support/engines/needs.ts';

const program = fileURLToPath(new URL('./AllocatingThreads.java', import.meta.url));
const EVENTS = ['jdk.ObjectAllocationInNewTLAB', 'jdk.ObjectAllocationOutsideTLAB'];

needs('jdk25', 'events that a JDK 25 records here', jdk => {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-live-'));
  const recording = join(folder, 'live.jfr');

  beforeAll(() => {
    const enabled = EVENTS.map(event => `+${event}#enabled=true,+${event}#stackTrace=true`);
    const flags = ['-Xlog:jfr*=off', `-XX:StartFlightRecording=settings=none,filename=${recording},${enabled.join()}`];
    run('java', [...flags, program]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function run(name: string, args: readonly string[]): string {
    const options = { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 } as const;
    const { status, stdout, stderr } = spawnSync(jdk.program(name), args, options);
    expect(status, stderr).toBe(0);
    return stdout;
  }

  test.each(EVENTS)('%s with its weights, in platform and virtual threads', async event => {
    const { profile, problems } = await ingestFile(recording, { names: 'raw', events: [event] });
    expect(problems).toEqual([]);
    const ours = toCollapsed(profile!, { frames: 'full', threads: true, metric: 'alloc', weights: true });
    expect(ours).toBe(jfrStacks(recording, [event], { weights: true }));
    // Nothing is compared with nothing, whatever else the JVM allocates.
    const seen = event.includes('New')
      ? ['platform-1;', 'virtual-1;', 'AllocatingThreads.small(I)V']
      : ['main;', 'AllocatingThreads.large(I)V'];
    for (const text of seen) expect(ours).toContain(text);
  });

  test('both are one metric', async () => {
    const { profile } = await ingestFile(recording, { names: 'normalised' });
    expect(listedMetrics(profile!).map(({ id, events }) => [id, events])).toEqual([['alloc', EVENTS]]);
    const { threads } = profile!;
    // The unnamed virtual thread has a row of its own, whatever carried it.
    expect([...threads.name].some((name, row) => name === '' && threads.virtual[row] === 1)).toBe(true);
  });

  test.each(sampleRecordings.filter(({ jdk: version }) => version === 25))(
    'samples that $name lost',
    async ({ path }) => {
      type Printed = { recording: { events: { values: { lostSamples: number } }[] } };
      const printed: Printed = JSON.parse(run('jfr', ['print', '--json', '--events', 'jdk.CPUTimeSamplesLost', path]));
      const lost = printed.recording.events.reduce((sum, { values }) => sum + values.lostSamples, 0);
      const { profile } = await ingestFile(path, { names: 'raw' });
      expect(profile!.losses.lostSamples).toBe(lost);
      expect(lost).toBeGreaterThan(0);
    },
  );
});
