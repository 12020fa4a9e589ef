// Checks grafting of cut stacks against the plain algorithm on raw stacks, path by path.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graftPartialStacks } from '../../server/cct/partial.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import {
  profileOfStacks,
  profileOfText,
  type RawFrame,
  type RawSample,
  textOfProfile,
} from '../support/profiles/profiles.ts';
import { runs } from '../support/runs.ts';

test('a cut stack goes to the only place where more than three of its frames fit', () => {
  const profile = profileOfText(`
A.main
  B.b :1
    C.c :2
      D.d :3
        E.e :4 | 1@5
[truncated]
  B.b
    C.c :9
      D.d :9
        E.e :9 | 2@7
          F.f :8 | 4@1
        G.g :9 | 8@1
  C.c
    D.d :9 | 16@1`);
  const { profile: grafted, rounds } = graftPartialStacks(profile);
  assertProfile(grafted);
  expect(rounds).toBe(1);
  expect(textOfProfile(grafted)).toBe(
    `
A.main
  B.b :1
    C.c :2
      D.d :3
        E.e :4 | 1@5 2@7
          F.f :8 | 4@1
[truncated]
  B.b
    C.c :9
      D.d :9
        G.g :9 | 8@1
  C.c
    D.d :9 | 16@1`.trim(),
  );
});

test('a stack that fits nowhere is tried again once the tree has grown', () => {
  const profile = profileOfText(`
A.main
  B.b :1
    C.c :2 | 1@5
[truncated]
  B.b
    C.c :2
      D.d :3 | 1@4
  C.c
    D.d :3
      E.e :4 | 1@1`);
  const { profile: grafted, rounds } = graftPartialStacks(profile, 1);
  expect(rounds).toBe(2);
  expect(textOfProfile(grafted)).toBe(
    `
A.main
  B.b :1
    C.c :2 | 1@5
      D.d :3 | 1@4
        E.e :4 | 1@1`.trim(),
  );
});

test('nodes without samples of their own come along', () => {
  const profile = profileOfText(`
A.main
  B.b :1
    C.c :2 | 1@5
[truncated]
  B.b
    C.c :2 | 1@4
      D.d :3
        E.e :3`);
  expect(textOfProfile(graftPartialStacks(profile, 1).profile)).toBe(
    `
A.main
  B.b :1
    C.c :2 | 1@4 1@5
      D.d :3
        E.e :3`.trim(),
  );
});

test('without cut stacks nothing happens', () => {
  const profile = profileOfText('A.main | 1@1');
  expect(graftPartialStacks(profile)).toEqual({ profile, rounds: 0 });
});

/** A node as its stack of callers: the line of each frame is that of the call to the next. */
type Place = readonly RawFrame[];

/** Every node of the complete stacks, once. */
function placesOf(samples: readonly RawSample[]): Place[] {
  const places = new Map<string, Place>();
  for (const { frames } of samples) {
    for (let depth = 1; depth <= frames.length; depth++) {
      const place = frames.slice(0, depth).map((frame, i) => (i === depth - 1 ? { ...frame, line: 0 } : frame));
      places.set(JSON.stringify(place), place);
    }
  }
  return [...places.values()];
}

/** The complete stack of a cut one, or null while it has none. */
function plainDecision(places: readonly Place[], frames: readonly RawFrame[], threshold: number): RawFrame[] | null {
  for (let matched = 1; matched <= frames.length; matched++) {
    const left = places.filter(
      place =>
        place.length >= matched &&
        frames.slice(0, matched).every((frame, i) => place.at(i - matched)!.method === frame.method),
    );
    if (left.length === 0) return null;
    if (left.length === 1 && matched > threshold) {
      return [...left[0]!.slice(0, -1), frames[matched - 1]!, ...frames.slice(matched)];
    }
  }
  return null;
}

function plainGrafting(samples: readonly RawSample[], threshold: number): RawSample[] {
  let complete = samples.filter(sample => sample.truncated !== true);
  let cut = samples.filter(sample => sample.truncated === true);
  for (;;) {
    const places = placesOf(complete);
    const decided = cut.map(sample => ({ sample, frames: plainDecision(places, sample.frames, threshold) }));
    const grafted = decided.flatMap(({ sample, frames }) =>
      frames === null ? [] : [{ ...sample, frames, truncated: false }],
    );
    if (grafted.length === 0) return [...complete, ...cut];
    complete = [...complete, ...grafted];
    cut = decided.flatMap(({ sample, frames }) => (frames === null ? [sample] : []));
  }
}

test('grafting equals the plain algorithm on raw stacks', () => {
  const frame = fc.record({
    method: fc.constantFrom('A.a', 'B.b', 'C.c', 'D.d'),
    line: fc.integer({ min: 1, max: 2 }),
  });
  const sample = fc.record({
    frames: fc.array(frame, { maxLength: 7, size: 'max' }),
    truncated: fc.boolean(),
    count: fc.integer({ min: 1, max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 14, size: 'max' }), fc.nat(3), (samples, threshold) => {
      const { profile } = graftPartialStacks(profileOfStacks(samples), threshold);
      assertProfile(profile);
      expect(textOfProfile(profile)).toBe(textOfProfile(profileOfStacks(plainGrafting(samples, threshold))));
    }),
    { numRuns: runs(1500) },
  );
});
