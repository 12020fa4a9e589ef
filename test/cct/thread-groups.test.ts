// Threads keep their names in groups of at most 64, whatever the order of merging; nothing of a group is lost when its threads become one row.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProfileBuilder, ROOT_NODE } from '../../server/cct/builder.ts';
import { mergeProfiles } from '../../server/cct/merge.ts';
import type { Profile } from '../../server/cct/profile.ts';
import {
  joinMixedGroups,
  limitSingleThreads,
  threadGroupName,
  threadGroups,
  withoutSingleThreads,
} from '../../server/cct/thread-groups.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import { CPU } from '../support/profiles/profiles.ts';
import { runs } from '../support/runs.ts';

const WINDOW = { startMillis: 0, endMillis: 1 };

/** One sample of each of the threads, in a method of its own each. */
function profileOf(names: readonly string[]): Profile {
  const builder = new ProfileBuilder('normalised');
  const cpu = builder.metric(CPU);
  for (const name of names) {
    const method = builder.methods.method('A', `m${names.indexOf(name) % 3}`, null, 0);
    builder.add(cpu, builder.child(ROOT_NODE, method, 0), builder.threads.thread('main', name, false), 7, 0, 1);
  }
  return builder.finish([WINDOW]);
}

const pool = (from: number, to: number, name = 'reader') =>
  Array.from({ length: to - from }, (_, i) => `${name}-${from + i}`);

/** Samples by the name of the thread row. */
function byName({ threads, cells }: Profile): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { thread, count } of cells)
    thread.forEach((row, at) => {
      const name = threads.name[row]!;
      sums[name] = (sums[name] ?? 0) + count[at]!;
    });
  return sums;
}

function byGroup(profile: Profile): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of Object.entries(byName(profile)))
    sums[threadGroupName(name)] = (sums[threadGroupName(name)] ?? 0) + count;
  return sums;
}

describe('a group', () => {
  test('of 64 threads keeps them, one of 65 does not', () => {
    expect(Object.keys(byName(profileOf(pool(0, 64))))).toHaveLength(64);
    expect(byName(profileOf([...pool(0, 65), 'main']))).toEqual({ 'reader-#': 65, main: 1 });
  });

  test('that grows beyond 64 in a load is one row at its end', () => {
    const merged = mergeProfiles([profileOf(pool(0, 40)), profileOf(pool(30, 60, 'writer')), profileOf(pool(20, 70))]);
    const limited = limitSingleThreads(merged);
    assertProfile(limited);
    expect(limited.threads.name.filter(name => name.startsWith('reader'))).toEqual(['reader-#']);
    expect(byName(limited)['reader-#']).toBe(90);
    expect(limited.threads.name.filter(name => name.startsWith('writer'))).toHaveLength(30);
    expect(limitSingleThreads(limited)).toBe(limited);
  });

  test('counts the threads whose names were dropped before', () => {
    const coarse = withoutSingleThreads(profileOf(pool(0, 60)));
    expect(byName(coarse)).toEqual({ 'reader-#': 60 });
    const few = limitSingleThreads(mergeProfiles([coarse, profileOf(pool(0, 4))]));
    expect(byName(few)).toEqual({ 'reader-#': 60, 'reader-0': 1, 'reader-1': 1, 'reader-2': 1, 'reader-3': 1 });
    expect(byName(limitSingleThreads(mergeProfiles([coarse, profileOf(pool(58, 70))])))).toEqual({ 'reader-#': 72 });
    expect(byName(joinMixedGroups(few))).toEqual({ 'reader-#': 64 });
  });

  test('of another thread group or of virtual threads is another one', () => {
    const builder = new ProfileBuilder('normalised');
    const rows = [
      builder.threads.thread('a', 'x-1', false),
      builder.threads.thread('b', 'x-2', false),
      builder.threads.thread('a', 'x-3', true),
      builder.threads.thread('a', 'x-4', false),
    ];
    expect(rows).toEqual([0, 1, 2, 3]);
    expect(threadGroups(builder.threads.finish())).toEqual({ of: Int32Array.of(0, 1, 2, 0), firsts: [0, 1, 2] });
  });
});

test.each([
  ['pool-3-thread-17', 'pool-#-thread-#'],
  ['worker12', 'worker#'],
  ['http-nio-8080-exec-1', 'http-nio-#-exec-#'],
  ['C2 CompilerThread0', 'C# CompilerThread#'],
  ['h2/data', 'h2/data'],
  ['log4j2Appender-1', 'log4j2Appender-#'],
  ['h22/data', 'h22/data'],
])('threads called %s are of the class %s: digits within words are no numbers', (name, group) => {
  expect(threadGroupName(name)).toBe(group);
});

test('threads that make too many cells are one row, those with most cells first', () => {
  /** Samples of `threads` readers and two writers, at each of so many lines. */
  const of = (lines: number, threads: number) => {
    const builder = new ProfileBuilder('normalised');
    const cpu = builder.metric(CPU);
    const names = [...pool(0, threads), ...pool(0, 2, 'writer')];
    for (let line = 1; line <= lines; line++)
      for (const name of names) builder.add(cpu, ROOT_NODE, builder.threads.thread('main', name, false), line, 0, 1);
    const profile = builder.finish([WINDOW]);
    assertProfile(profile);
    return profile;
  };
  const groupsOf = (profile: Profile) => [...new Set(profile.threads.name.map(name => name.replace(/\d+/, 'n')))];
  // So few cells cost nothing.
  expect(groupsOf(of(400, 10))).toEqual(['reader-n', 'writer-n']);
  // Readers alone bring the cells below twice as many as with groups.
  const large = of(4_000, 10);
  expect(groupsOf(large)).toEqual(['reader-#', 'writer-n']);
  expect(large.cells[0]!.length).toBe(12_000);
  expect(byGroup(large)).toEqual({ 'reader-#': 40_000, 'writer-#': 8_000 });
});

test('the order of merging and compacting changes nothing', () => {
  const part = fc.record({
    names: fc.uniqueArray(fc.nat(80), { minLength: 1, maxLength: 45 }).map(all => all.map(i => `reader-${i}`)),
    other: fc.subarray(['main', 'gc-1', 'gc-2']),
    isCoarse: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(part, { minLength: 2, maxLength: 5 }), fc.nat(4), (parts, cut) => {
      const profiles = parts.map(({ names, other, isCoarse }) => {
        const profile = profileOf([...names, ...other]);
        return isCoarse ? withoutSingleThreads(profile) : profile;
      });
      const whole = limitSingleThreads(mergeProfiles(profiles));
      assertProfile(whole);
      const all = new Set(parts.flatMap(({ names }) => names));
      if (all.size > 64) expect(whole.threads.name.filter(name => name.startsWith('reader'))).toEqual(['reader-#']);
      expect(byGroup(whole)).toEqual(byGroup(mergeProfiles(profiles)));
      expect(byName(limitSingleThreads(mergeProfiles(profiles.toReversed())))).toEqual(byName(whole));
      // As if a part had been compacted before.
      const at = cut % profiles.length;
      const compacted = [mergeProfiles(profiles.slice(0, at)), mergeProfiles(profiles.slice(at))].map(
        limitSingleThreads,
      );
      expect(byName(limitSingleThreads(mergeProfiles(compacted)))).toEqual(byName(whole));
    }),
    { numRuns: runs(200) },
  );
});
