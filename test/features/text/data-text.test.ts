// Tests that losses are those of the metric that is shown.
import { expect, test } from 'vitest';
import { lossesOf, lossesText } from '../../../server/features/text/data-text.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { ALLOCATION, CPU, profileOfStacks } from '../../support/profiles/profiles.ts';

test('samples without a stack belong to their metric', () => {
  const frames = [{ method: 'Shop.run', line: 3 }];
  const profile = profileOfStacks(
    [
      { frames, count: 20 },
      { frames, count: 9, metric: 1 },
      { frames: [], count: 4, metric: 1 },
    ],
    { metrics: [CPU, ALLOCATION], losses: { truncatedStacks: 0, withoutStack: 4, lostSamples: 2 } },
  );
  const of = (metric: string) => loadedFrom(profile, {}, { metric });
  expect(lossesOf(of('cpu'))).toEqual({ truncatedStacks: 0, withoutStack: 0, lostSamples: 2 });
  expect(lossesOf(of('alloc'))).toEqual({ truncatedStacks: 0, withoutStack: 4, lostSamples: 2 });
  expect(lossesText(of('cpu'))).not.toContain('without a stack');
  expect(lossesText(of('alloc'))).toContain('4 samples without a stack');
});
