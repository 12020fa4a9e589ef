// Checks merging against the profile of all raw stacks together, whatever the order of tables.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingMerge } from '../../server/cct/growing-merge.ts';
import { mergeProfiles } from '../../server/cct/merge.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { indexTree } from '../../server/cct/tree-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import {
  ALLOCATION,
  CPU,
  type ProfileOptions,
  profileOfStacks,
  profileOfText,
  type RawSample,
  textOfProfile,
} from '../support/profiles/profiles.ts';
import { rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';

const BOTH = [CPU, ALLOCATION];

test('what only one tree has follows what both have', () => {
  const a = profileOfText(`
Main.main
  Shop.run :12 | 3@14
    Log.log :31 | 2@5`);
  const b = profileOfText(`
Main.main
  Log.log :9 | 1@5
  Shop.run :12 | 3@14 1@15
    Log.log :32 | 2@5
    Log.log :31 | 1@5/1`);
  const merged = mergeProfiles([a, b]);
  assertProfile(merged);
  expect(textOfProfile(merged)).toBe(
    `
Main.main
  Log.log :9 | 1@5
  Shop.run :12 | 6@14 1@15
    Log.log :31 | 2@5 1@5/1
    Log.log :32 | 2@5`.trim(),
  );
});

test('one profile stays as it is, none is an empty one', () => {
  const profile = profileOfText('Main.main | 1@3');
  expect(mergeProfiles([profile])).toBe(profile);
  const empty = mergeProfiles([]);
  assertProfile(empty);
  expect(empty.tree.length).toBe(1);
});

test('losses and metrics are united', () => {
  const losses = { truncatedStacks: 1, withoutStack: 2, lostSamples: 3 };
  const a = profileOfText('Main.main | 1@3', { losses, metrics: [{ ...CPU, events: ['x'], periodNanos: 5 }] });
  const b = profileOfText('Main.main | 1@3', { losses, metrics: [{ ...CPU, events: ['a', 'x'], periodNanos: 3 }] });
  const merged = mergeProfiles([a, b, b]);
  expect(merged.losses).toEqual({ truncatedStacks: 3, withoutStack: 6, lostSamples: 9 });
  expect(merged.metrics).toEqual([{ ...CPU, events: ['a', 'x'], periodNanos: 5 }]);
});

test('the merged profile equals the profile of all samples together', () => {
  const options: ProfileOptions[] = [
    { metrics: BOTH, threads: ['main', 'pool-#', 'gc'], windows: 3 },
    { metrics: [ALLOCATION, CPU], threads: ['other', 'gc', 'main', 'pool-#'], windows: 4 },
    { metrics: [CPU, ALLOCATION], threads: ['gc', 'pool-#', 'main'], windows: 5 },
  ];
  // Rows of the first profile's tables, said in the tables of the other two.
  const translate = (sample: RawSample, profile: number): RawSample => ({
    ...sample,
    metric: profile === 1 ? 1 - sample.metric! : sample.metric!,
    thread: options[profile]!.threads!.indexOf(options[0]!.threads![sample.thread!]!),
  });
  const parts = fc.array(rawSamples({ metrics: 2, truncated: true }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(parts, lists => {
      const profiles = lists.map((samples, i) =>
        profileOfStacks(
          samples.map(sample => translate(sample, i)),
          options[i]!,
        ),
      );
      const merged = mergeProfiles(profiles);
      assertProfile(merged);
      const together = profileOfStacks(lists.flat(), options[0]!);
      for (const metric of [0, 1]) {
        expect(textOfProfile(merged, metric, true)).toBe(textOfProfile(together, metric, true));
        expect(whole(merged, metric)).toBe(
          profiles.reduce((sum, part, i) => sum + whole(part, i === 1 ? 1 - metric : metric), 0),
        );
      }
    }),
    { numRuns: runs(300) },
  );
});

/** A handful of profiles whose tables agree in part, in another order each. */
const partlyAlike = fc.array(
  fc.record({
    samples: rawSamples({ metrics: 2, truncated: true }),
    metrics: fc.shuffledSubarray(BOTH, { minLength: 2 }),
    threads: fc.shuffledSubarray(['main', 'pool-#', 'gc'], { minLength: 3 }),
    windows: fc.integer({ min: 3, max: 6 }),
  }),
  { minLength: 3, maxLength: 6 },
);

test('many at once give to the last bit what each gives when it is merged onto those before', () => {
  fc.assert(
    fc.property(partlyAlike, lists => {
      const profiles = lists.map(({ samples, ...options }) => profileOfStacks(samples, options));
      const merged = mergeProfiles(profiles);
      assertProfile(merged);
      expect(merged).toEqual(profiles.reduce((sum, profile) => mergeProfiles([sum, profile])));
    }),
    { numRuns: runs(200) },
  );
});

test('what is gathered while merging is added up on the way', () => {
  const leaves = 30_000;
  const stacks = Array.from({ length: leaves }, (_, at) => ({ frames: [{ method: `C${at % 100}.run`, line: at }] }));
  const profile = profileOfStacks(stacks);
  const merge = new GrowingMerge();
  const times = 40;
  let most = 0;
  for (let time = 0; time < times; time++) {
    merge.add(profile);
    most = Math.max(most, merge.cellCount);
  }
  expect(most).toBeLessThan((leaves * times) / 2);
  const merged = merge.finish();
  assertProfile(merged);
  expect(merged.cells[0]!.length).toBe(leaves);
  expect(merged.cells[0]!.count.every(count => count === times)).toBe(true);
});

function whole(profile: Profile, metric: number): number {
  return analyse(profile, indexTree(profile), { metric }).whole.weight;
}
