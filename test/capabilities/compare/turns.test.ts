// Tests which JVMs ran in turns: one at a time, one of each side in each round.
import { describe, expect, test } from 'vitest';
import { roundDeviations, roundsOf } from '../../../server/capabilities/compare/turns.ts';
import { mergeProfiles } from '../../../server/cct/merge.ts';
import { analyse } from '../../../server/metrics/analysis.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { profileOfText } from '../../support/profiles/profiles.ts';

/** JVMs as `side from to`, in any order. */
function rounds(...jvms: readonly (readonly [side: 0 | 1, startMillis: number, endMillis: number])[]) {
  const profiles = jvms.map(([, startMillis, endMillis]) => ({
    ...profileOfText('Main.main | 10@1'),
    windows: [{ startMillis, endMillis }],
  }));
  const { profile, analysis } = loadedFrom(mergeProfiles(profiles));
  const looks = jvms.map(([side, from]) => {
    const windows = Uint8Array.from(profile.windows, ({ startMillis }) => (startMillis === from ? 1 : 0));
    return { side, analysis: analyse(profile, analysis.index, { ...analysis.selection, windows }) };
  });
  return roundsOf(looks);
}

describe('rounds', () => {
  test('are two JVMs each, in the order of their starts, whichever side was first', () => {
    expect(rounds([0, 100, 200], [0, 700, 800], [1, 300, 400], [1, 500, 600])).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });

  test('are none of one side after the other, of JVMs beside each other, and of an odd number', () => {
    expect(rounds([0, 100, 200], [0, 300, 400], [1, 500, 600], [1, 700, 800])).toBeNull();
    expect(rounds([0, 100, 350], [1, 300, 400], [0, 500, 600], [1, 700, 800])).toBeNull();
    expect(rounds([0, 100, 200], [1, 300, 400], [0, 500, 600])).toBeNull();
  });
});

test('what both JVMs of a round have in common is no part of the deviation', () => {
  const columns = [10, 20, 30, 13, 22, 34].map(value => Float64Array.of(value));
  const pairs = [
    [0, 3],
    [1, 4],
    [2, 5],
  ] as const;
  expect([...roundDeviations(columns, [0], pairs)]).toEqual([1]);
});
