// Windows of several JVMs: equal times of two JVMs stay apart through everything, and without their JVMs they give the table of times alone.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jvmsOf, windowsByJvm, windowTimes } from '../../server/cct/jvms.ts';
import { mapWindows, withJvm, withoutEmptyWindows } from '../../server/cct/map-windows.ts';
import { mergeProfiles } from '../../server/cct/merge.ts';
import { compareWindows, jvmIdentity, type Profile, type TimeWindow } from '../../server/cct/profile.ts';
import { indexTree } from '../../server/cct/tree-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { decodeSnapshot } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { coarsenWindows } from '../../server/store/coarsen.ts';
import { splitSnapshot } from '../../server/store/split.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import { profileOfStacks, profileOfText, textOfProfile } from '../support/profiles/profiles.ts';
import { rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';

const JVMS = [undefined, '1-20261125T100000.000Z', '7421-20261125T100000.123Z'];

/** Profiles of equal or overlapping times, of one JVM, several, or an unknown one each. */
const profiles = fc.array(
  fc
    .record({ samples: rawSamples(), jvms: fc.array(fc.constantFrom(...JVMS), { minLength: 3, maxLength: 3 }) })
    .map(({ samples, jvms }) => ofJvms(profileOfStacks(samples), jvms)),
  { minLength: 2, maxLength: 5 },
);

function ofJvms(profile: Profile, jvms: readonly (string | undefined)[]): Profile {
  const windows = profile.windows.map((window, row): TimeWindow => {
    const jvm = jvms[row];
    return jvm === undefined ? window : { ...window, jvm };
  });
  return { ...profile, windows };
}

function withoutJvms(profile: Profile): Profile {
  return mapWindows(profile, ({ startMillis, endMillis }) => ({ startMillis, endMillis }));
}

/** The samples of each window by its times and JVM. */
function samplesByWindow(profile: Profile): Record<string, string> {
  const index = indexTree(profile);
  const entries = profile.windows.map((window, row) => {
    const windows = new Uint8Array(profile.windows.length);
    windows[row] = 1;
    const { whole } = analyse(profile, index, { metric: 0, windows });
    return [JSON.stringify(window), `${whole.count} ${whole.weight}`];
  });
  return Object.fromEntries(entries);
}

describe('merging', () => {
  test('the order changes nothing', () => {
    fc.assert(
      fc.property(profiles, fc.infiniteStream(fc.nat()), (parts, order) => {
        const merged = mergeProfiles(parts);
        assertProfile(merged);
        const shuffled = [...parts].sort(() => (order.next().value! % 2 === 0 ? 1 : -1));
        const other = mergeProfiles(shuffled);
        expect(other.windows).toEqual(merged.windows);
        expect(textOfProfile(other, 0, true)).toBe(textOfProfile(merged, 0, true));
        expect(samplesByWindow(other)).toEqual(samplesByWindow(merged));
      }),
    );
  });

  test('without the JVMs it is the table of times alone', () => {
    fc.assert(
      fc.property(profiles, parts => {
        const dropped = withoutJvms(mergeProfiles(parts));
        assertProfile(dropped);
        const plain = mergeProfiles(parts.map(withoutJvms));
        expect(dropped.windows).toEqual(plain.windows);
        expect(dropped.cells).toEqual(plain.cells);
      }),
    );
  });

  test('equal windows of two JVMs stay apart', () => {
    const part = profileOfText('Main.main | 1@3');
    const merged = mergeProfiles([withJvm(part, 'b'), withJvm(part, 'a'), withJvm(part, 'b')]);
    expect(merged.windows).toHaveLength(2 * part.windows.length);
    expect([...merged.cells[0]!.count]).toEqual([1, 2]);
    expect(jvmsOf(merged.windows)).toEqual(['a', 'b']);
  });
});

test('a JVM is given to the windows that name none, and to no other window', () => {
  const part = profileOfText('Main.main | 1@3 2@3#1 3@3#2');
  const partly = ofJvms(part, ['a', undefined, undefined]);
  const named = withJvm(partly, 'b');
  assertProfile(named);
  expect(named.windows.map(({ jvm }) => jvm)).toEqual(['a', 'b', 'b']);
  expect([...named.cells[0]!.count]).toEqual([1, 2, 3]);
  expect(withJvm(named, 'c')).toBe(named);
});

test('windows become coarser JVM by JVM', () => {
  fc.assert(
    fc.property(profiles, fc.constantFrom(15_000, 60_000), (parts, finest) => {
      const merged = mergeProfiles(parts);
      const coarse = coarsenWindows(merged, finest);
      assertProfile(coarse);
      expect(jvmsOf(coarse.windows)).toEqual(jvmsOf(merged.windows));
      const byJvm = (profile: Profile) =>
        windowsByJvm(profile.windows).map(({ jvm, windows }) => [
          jvm,
          analyse(profile, indexTree(profile), { metric: 0, windows }).whole,
        ]);
      expect(byJvm(coarse)).toEqual(byJvm(merged));
      expect(coarsenWindows(coarse, finest)).toBe(coarse);
    }),
  );
});

test('snapshots and their parts keep the JVMs', () => {
  fc.assert(
    fc.property(profiles, parts => {
      const merged = mergeProfiles(parts);
      const snapshot = snapshotOf(merged);
      const { value, problems } = decodeSnapshot(encodeSnapshot(snapshot));
      expect(problems).toEqual([]);
      expect(value!.profile.windows).toEqual(merged.windows);
      const size = encodeSnapshot(snapshot).length;
      const split = splitSnapshot(snapshot, Math.ceil(size * 0.8));
      if (split === null) return;
      const whole = mergeProfiles(split.map(({ profile }) => profile));
      expect(whole.windows).toEqual(merged.windows);
      expect(samplesByWindow(whole)).toEqual(samplesByWindow(merged));
    }),
    { numRuns: runs(50) },
  );
});

test('the values of all JVMs add up to those of the selection', () => {
  fc.assert(
    fc.property(profiles, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (parts, wanted) => {
      const profile = mergeProfiles(parts);
      const index = indexTree(profile);
      const windows = Uint8Array.from(profile.windows, (_, row) => (wanted[row % wanted.length] ? 1 : 0));
      const all = analyse(profile, index, { metric: 0, windows });
      const each = windowsByJvm(profile.windows, windows).map(own =>
        analyse(profile, index, { metric: 0, windows: own.windows }),
      );
      const sum = Float64Array.from(all.totalWeight, (_, i) => each.reduce((x, own) => x + own.totalWeight[i]!, 0));
      expect(sum).toEqual(all.totalWeight);
    }),
  );
});

test('times that JVMs have in common are one', () => {
  const part = profileOfText('Main.main | 1@3', { windows: 2 });
  const { windows } = mergeProfiles([withJvm(part, 'b'), withJvm(part, 'a')]);
  expect(windowTimes(windows).map(({ from, to }) => [from, to])).toEqual([
    [0, 2],
    [2, 4],
  ]);
  expect(windowTimes(windows).map(({ startMillis }) => startMillis)).toEqual(
    part.windows.map(({ startMillis }) => startMillis),
  );
});

test('windows without samples are taken out', () => {
  const part = profileOfText('Main.main | 1@3#1', { windows: 3 });
  const left = withoutEmptyWindows(part);
  assertProfile(left);
  expect(left.windows).toEqual([part.windows[1]]);
  expect(withoutEmptyWindows(left)).toBe(left);
});

test('identities name process and start, and order windows of equal times', () => {
  expect(jvmIdentity(7421, Date.UTC(2026, 10, 25, 10, 0, 0, 123))).toBe('7421-20261125T100000.123Z');
  const at = { startMillis: 1, endMillis: 2 };
  const sorted = [{ ...at, jvm: 'b' }, { ...at, jvm: 'a' }, at].sort(compareWindows);
  expect(sorted.map(({ jvm }: TimeWindow) => jvm)).toEqual([undefined, 'a', 'b']);
});
