// Checks that pprof exports come back the same, and that another implementation of the format reads and writes the same.
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import * as pprof from 'pprof-format';
import { expect, test } from 'vitest';
import type { Profile } from '../../../server/cct/profile.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { toPprof } from '../../../server/snapshot/export/pprof.ts';
import {
  ALLOCATION,
  CPU,
  profileOfStacks,
  profileOfText,
  type RawSample,
  textOfProfile,
} from '../../support/profiles/profiles.ts';
import { rawSamples } from '../../support/profiles/stack-oracle.ts';
import { profileIn } from '../../support/recordings/ingested.ts';
import { runs } from '../../support/runs.ts';

const METRICS = [CPU, ALLOCATION];

async function exported(profile: Profile, metric?: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of toPprof(profile, metric)) parts.push(part);
  return Buffer.concat(parts);
}

/** Samples without a stack say so by line 0; those whose stack was empty have line −1 everywhere. */
const marked = (samples: RawSample[]): RawSample[] =>
  samples.map((sample, i) => ({
    ...sample,
    line: sample.truncated === true || i % 2 === 0 ? -1 : 0,
    frames: sample.frames.map(({ method, line }) => ({ method: method.replace('(I)', '(ILa/B;)V'), line })),
  }));

test('random profiles come back: tree, metrics, threads, windows', async () => {
  await fc.assert(
    fc.asyncProperty(rawSamples({ metrics: 2, truncated: true }), async samples => {
      const profile = profileOfStacks(marked(samples), { metrics: METRICS });
      const again = await profileIn(await exported(profile));
      expect(again.metrics).toEqual(METRICS);
      for (const metric of [0, 1])
        expect(textOfProfile(again, metric, true)).toBe(textOfProfile(profile, metric, true));
    }),
    { numRuns: runs(200) },
  );
});

test('equal windows of two JVMs come back apart', async () => {
  const profile = profileOfText('A.b | 1@1 2@1#1 3@1#2');
  const times = { startMillis: 10, endMillis: 20 };
  const windows = [times, { ...times, jvm: 'a' }, { ...times, jvm: 'b' }];
  const again = await profileIn(await exported({ ...profile, windows }));
  expect(again.windows).toEqual(windows);
  expect([...again.cells[0]!.count]).toEqual([1, 2, 3]);
});

test('one metric alone', async () => {
  const profile = profileOfStacks([{ frames: [{ method: 'A.b', line: 3 }], metric: 1, weight: 8 }], {
    metrics: METRICS,
  });
  const again = await profileIn(await exported(profile, 'alloc'));
  expect(again.metrics).toEqual([ALLOCATION]);
  expect(textOfProfile(again)).toBe('A.b | 1@3=8');
});

test('threads with groups and virtual ones come back', async () => {
  const profile = profileOfText('A.b | 1@1 2@1/1 3@1/2');
  const threads = { ...profile.threads, group: ['system', 'main', ''], name: ['gc', 'main', ''] };
  const again = await profileIn(
    await exported({ ...profile, threads: { ...threads, virtual: Uint8Array.of(0, 0, 1) } }),
  );
  expect(again.threads).toMatchObject({ group: ['system', 'main', ''], name: ['gc', 'main', ''] });
  expect([...again.threads.virtual]).toEqual([0, 0, 1]);
});

test('another reader sees the same stacks', async () => {
  await fc.assert(
    fc.asyncProperty(rawSamples({ metrics: 2, truncated: true }), async samples => {
      const profile = profileOfStacks(marked(samples), { metrics: METRICS });
      const read = pprof.Profile.decode(gunzipSync(await exported(profile)));
      const text = (row: number | bigint) => read.stringTable.strings[Number(row)]!;
      const columns = read.sampleType.map(({ type, unit }) => `${text(type)}/${text(unit)}`);
      expect(columns).toEqual(['cpu/count', 'alloc_samples/count', 'alloc/bytes']);
      const functions = new Map(read.function.map(each => [Number(each.id), text(each.systemName)]));
      const locations = new Map(read.location.map(each => [Number(each.id), each.line[0]!]));
      const sums = new Map<string, number>();
      for (const sample of read.sample) {
        const frames = sample.locationId.map(id => {
          const { functionId, line } = locations.get(Number(id))!;
          const name = functions.get(Number(functionId))!;
          return /^\[/.test(name) ? name : `${name}:${line}`;
        });
        const thread = sample.label.find(({ key }) => text(key) === 'thread')!;
        const key = [text(thread.str), ...frames.reverse()].join(';');
        const count = Number(sample.value[0]);
        if (count > 0) sums.set(key, (sums.get(key) ?? 0) + count);
      }
      const lines = [...sums].map(([key, count]) => `${key} ${count}\n`);
      expect(lines.sort().join('')).toBe(toCollapsed(profile, { frames: 'full', threads: true, metric: 'cpu' }));
    }),
    { numRuns: runs(100) },
  );
});
