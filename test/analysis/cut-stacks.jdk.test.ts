// Tests the numbers of stacks that were cut off, rejoined and left out against counts of raw stacks by the JDK's own reader.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { mergeProfiles } from '../../server/cct/merge.ts';
import { lossesText } from '../../server/features/text/data-text.ts';
import { type ExpectedHints, expectedHints, jfrStacksOfEach, sampleRecordings } from '../oracle/oracle.ts';
import { needs } from '../support/engines/needs.ts';
import { loadedFrom } from '../support/profiles/loaded.ts';
import { ALLOCATION, CPU, profileOfStacks } from '../support/profiles/profiles.ts';
import { rawSamples } from '../support/profiles/stack-oracle.ts';
import { profileIn } from '../support/recordings/ingested.ts';
import { runs } from '../support/runs.ts';

test('stacks are counted by metric, whether they were cut off or not', () => {
  fc.assert(
    fc.property(rawSamples({ metrics: 2, truncated: true }), samples => {
      const { cutStacks } = loadedFrom(profileOfStacks(samples, { metrics: [CPU, ALLOCATION] }));
      const isCut = samples.some(({ truncated }) => truncated);
      expect(cutStacks.length).toBe(isCut ? 2 : 0);
      for (const [metric, { all, cutOff, leftOut }] of cutStacks.entries()) {
        const own = samples.filter(sample => sample.metric === metric);
        const sum = (some: typeof own) => some.reduce((total, { count = 1 }) => total + count, 0);
        expect(cutOff).toBe(sum(own.filter(({ truncated }) => truncated)));
        expect(all - cutOff).toBeLessThanOrEqual(sum(own.filter(({ truncated }) => !truncated)));
        expect(all - cutOff).toBeGreaterThanOrEqual(
          sum(own.filter(({ truncated, frames }) => !truncated && frames.length > 0)),
        );
        expect(leftOut).toBeLessThanOrEqual(cutOff);
      }
    }),
    { numRuns: runs(200) },
  );
});

test('one stack, or another metric, has its own words', () => {
  const samples = [
    { frames: [{ method: 'A.run', line: 1 }], count: 3 },
    { frames: [{ method: 'A.run', line: 1 }], truncated: true },
    { frames: [{ method: 'A.run', line: 1 }], truncated: true, metric: 1, weight: 7 },
    { frames: [{ method: 'A.run', line: 1 }], truncated: true, metric: 1, weight: 7 },
  ];
  const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
  expect(lossesText(loadedFrom(profile))).toBe('1 of 4 cpu stacks was cut off: 0 rejoined, 1 left out');
});

needs('jdk17', 'raw stacks, with JDK 17', () => {
  needs('jdk25', 'and JDK 25', () => {
    const recorded = sampleRecordings.filter(({ version, jdk }) => version === 'v1' && jdk === 17);
    const EVENTS: Readonly<Record<string, readonly string[]>> = {
      cpu: ['jdk.ExecutionSample'],
      lock: ['jdk.JavaMonitorEnter'],
      alloc: ['jdk.ObjectAllocationSample'],
    };

    const paths = recorded.map(({ path }) => path);
    let expected: readonly ExpectedHints[];
    let stacks: readonly ReadonlyMap<string, string>[];
    beforeAll(() => {
      const asked = Object.values(EVENTS).map(
        events => ({ version: 'v1', jdk: 17, recordings: paths, events }) as const,
      );
      expected = expectedHints(...asked);
      stacks = paths.map(path => jfrStacksOfEach(path, Object.values(EVENTS).flat()));
    });

    describe.each(Object.entries(EVENTS))('%s', (metric, events) => {
      test('has the stacks that were cut off, rejoined and left out', async () => {
        const lines = stacks.flatMap(each => events.flatMap(event => each.get(event)?.trimEnd().split('\n') ?? []));
        const sum = (some: readonly string[]) =>
          some.reduce((total, line) => total + Number(line.split(' ').at(-2)), 0);
        const all = sum(lines.filter(line => !line.includes(';[no stack]')));
        const cutOff = sum(lines.filter(line => line.includes(';[truncated]')));
        const { totals } = expected[Object.keys(EVENTS).indexOf(metric)]!;
        const profiles = await Promise.all(paths.map(path => profileIn(readFileSync(path), { names: 'normalised' })));
        const data = loadedFrom(mergeProfiles(profiles), {}, { metric });
        const words = [
          `${cutOff.toLocaleString('en')} of ${all.toLocaleString('en')} ${metric} stacks were cut off`,
          `${cutOff - totals.truncated} rejoined, ${totals.truncated} left out`,
        ];
        expect(lossesText(data).split(' · ')[0]).toBe(cutOff === 0 ? '' : words.join(': '));
      });
    });
  });
});
