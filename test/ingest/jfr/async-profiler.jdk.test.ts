// Recordings of the real async-profiler: each metric has the samples and sums that its own converter tells of the same file.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listedMetrics } from '../../../server/cct/listed-metrics.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { needs } from '../../support/engines/needs.ts';
import { isInFull } from '../../support/runs.ts';

const source = fileURLToPath(new URL('ProfiledWork.java', import.meta.url));
const METRICS = ['cpu', 'wall', 'alloc', 'lock', 'nativemem'] as const;
const OLD = '3.0';
const NEW = '4.6';

/** Options of the profiler, its versions, and the metrics that must come of them. */
const WAYS: readonly (readonly [options: string, versions: readonly string[], metrics: readonly string[]])[] = [
  ['event=cpu,interval=5ms', [OLD, NEW], ['cpu']],
  ['event=itimer,interval=5ms', [OLD, NEW], ['cpu']],
  ['event=wall,interval=10ms', [OLD, NEW], ['wall']],
  ['wall=10ms', [OLD, NEW], ['wall']],
  ['event=itimer,interval=5ms,wall=10ms', [OLD, NEW], ['cpu', 'wall']],
  ['event=itimer,interval=5ms,wall=10ms,nobatch', [NEW], ['cpu', 'wall']],
  ['event=wall,interval=10ms,nobatch', [NEW], ['wall']],
  ['event=itimer,interval=5ms,alloc=200k,lock=100us', [OLD, NEW], ['cpu', 'alloc', 'lock']],
  ['nativemem=0', [NEW], ['nativemem']],
];

needs('jdk17', 'recordings of async-profiler', jdk => {
  needs('async-profiler', 'against its own converter', profiler => {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-async-profiler-'));
    beforeAll(() => void execFileSync(jdk.program('javac'), ['-d', folder, source]));
    afterAll(() => rmSync(folder, { recursive: true }));

    // In short each way is taken with one version, by turns.
    const taken = WAYS.flatMap(([options, versions, metrics], i) =>
      (isInFull() ? versions : [versions[i % versions.length]!]).map(each => [each, options, metrics] as const),
    );
    test.each(taken)('version %s, %s', async (version, options, metrics) => {
      const file = join(folder, `${version}-${options.replace(/\W/g, '-')}.jfr`);
      const library = join(profiler.home, version, 'libasyncProfiler.so');
      const agent = `-agentpath:${library}=start,${options},jfr,file=${file}`;
      execFileSync(jdk.program('java'), [agent, '-cp', folder, 'ProfiledWork', '1500'], { stdio: 'pipe' });
      const { profile, problems } = await ingestFile(file, { names: 'raw' });
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(
        listedMetrics(profile!)
          .map(({ id }) => id)
          .sort(),
      ).toEqual([...metrics].sort());
      for (const metric of METRICS) {
        const counts = ownStacks(toCollapsed(profile!, { frames: 'method', threads: false, metric }));
        expect(counts, metric).toEqual(converted(file, metric, []));
        expect(counts.size > 0, metric).toBe(metrics.includes(metric));
        const weights = toCollapsed(profile!, { frames: 'method', threads: false, metric, weights: 'alone' });
        if (metric === 'cpu' || metric === 'wall') continue;
        const sums = ownStacks(weights);
        const theirs = converted(file, metric, ['--total']);
        expect([...sums.keys()].sort(), metric).toEqual([...theirs.keys()].sort());
        // Times are whole nanoseconds of each event here, and of the sum there.
        for (const [stack, sum] of theirs)
          expect(Math.abs(sums.get(stack)! - sum), metric).toBeLessThanOrEqual(
            metric === 'lock' ? counts.get(stack)! : 0,
          );
      }
    });

    function converted(file: string, metric: string, options: readonly string[]): Map<string, number> {
      const output = `${file}.${metric}.collapsed`;
      const converter = ['-jar', join(profiler.home, 'jfrconv.jar'), `--${metric}`, ...options];
      execFileSync(jdk.program('java'), [...converter, '-o', 'collapsed', file, output], { stdio: 'pipe' });
      return ownStacks(readFileSync(output, 'utf8'));
    }
  });
});

/** Sums by the methods of the program in a stack: the notations of all other frames differ. Stacks without any are one. */
function ownStacks(collapsed: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of collapsed.split('\n').filter(text => text !== '')) {
    const space = line.lastIndexOf(' ');
    const own = line
      .slice(0, space)
      .split(';')
      .flatMap(frame => /^ProfiledWork\.([\w$]+?)(?:_\[\w\])?$/.exec(frame)?.[1] ?? []);
    const key = own.join(';');
    sums.set(key, (sums.get(key) ?? 0) + Number(line.slice(space + 1)));
  }
  return sums;
}
