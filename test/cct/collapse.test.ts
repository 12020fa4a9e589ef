// Checks folding against raw stacks from which the same frames were dropped.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY_STACK_LINE } from '../../server/cct/builder.ts';
import { collapse } from '../../server/cct/collapse.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import {
  ALLOCATION,
  CPU,
  methodRows,
  profileOfStacks,
  profileOfText,
  textOfProfile,
} from '../support/profiles/profiles.ts';
import { methodSets, rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';

function transparent(profile: Profile, names: readonly string[]): Uint8Array {
  const bits = new Uint8Array(profile.methods.length);
  const rows = methodRows(profile);
  for (const name of names) if (rows.has(name)) bits[rows.get(name)!] = 1;
  return bits;
}

test('a child takes the call line of the hop that is removed, and twins merge', () => {
  const profile = profileOfText(`
Main.main | 1@3
  Shop.run :12
    Shop.access$000 :14 | 2@1
      Log.log :1 | 5@5
    Log.log :14 | 4@5 1@6
      Log.write :6 | 1@9`);
  expect(textOfProfile(collapse(profile, transparent(profile, ['Shop.access$000'])))).toBe(
    `
Main.main | 1@3
  Shop.run :12 | 2@14
    Log.log :14 | 9@5 1@6
      Log.write :6 | 1@9`.trim(),
  );
});

test('a hop at the top of a stack goes too', () => {
  const profile = profileOfText(`
Hop.invoke | 1@7
  Hop.invoke :8
    Main.main :9 | 1@3`);
  expect(textOfProfile(collapse(profile, transparent(profile, ['Hop.invoke'])))).toBe(
    `
| 1@-1
Main.main | 1@3`.trim(),
  );
});

test('nothing to fold gives the same profile', () => {
  const profile = profileOfText('Main.main | 1@3');
  expect(collapse(profile, new Uint8Array(profile.methods.length))).toBe(profile);
});

test('the root and the partial node stay', () => {
  const profile = profileOfText(`
| 2@0
[truncated]
  Main.main | 1@3`);
  const all = new Uint8Array(profile.methods.length).fill(1);
  expect(textOfProfile(collapse(profile, all))).toBe(
    `
| 2@0
[truncated] | 1@-1`.trim(),
  );
});

test('folding equals dropping the frames from raw stacks', () => {
  fc.assert(
    fc.property(rawSamples({ metrics: 2, truncated: true }), methodSets(), (samples, names) => {
      const metrics = [CPU, ALLOCATION];
      const profile = profileOfStacks(samples, { metrics });
      const folded = collapse(profile, transparent(profile, names));
      assertProfile(folded);
      const dropped = samples.map(sample => {
        const frames = sample.frames.filter(frame => !names.includes(frame.method));
        // A stack without frames is another thing than no stack.
        return { ...sample, frames, ...(sample.frames.length > 0 ? { line: EMPTY_STACK_LINE } : {}) };
      });
      const expected = profileOfStacks(dropped, { metrics });
      for (const metric of [0, 1]) expect(textOfProfile(folded, metric)).toBe(textOfProfile(expected, metric));
    }),
    { numRuns: runs(500) },
  );
});
