// Checks which snapshots count where compaction replaced some: nothing twice, nothing lost, whatever the hashes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DescribedEntry, withoutReplaced } from '../../server/store/selection.ts';
import { EXECUTION } from '../support/stores/snapshots.ts';

function entry(hash: string, replaces: readonly string[]): DescribedEntry {
  const header = {
    execution: EXECUTION,
    startMillis: 0,
    endMillis: 1,
    recorder: '',
    debugNonSafepoints: null,
    problems: [],
    replaces,
  };
  const losses = { truncatedStacks: 0, withoutStack: 0, lostSamples: 0 };
  return {
    entry: { execution: EXECUTION, startMillis: 0, hash, key: hash, bytes: 1 },
    reading: { header, windows: [], metrics: [], nodes: 1, totals: [], losses, hasSources: false },
  };
}

/** Hashes that count, in order. */
function counted(replaces: Readonly<Record<string, readonly string[]>>, order = Object.keys(replaces)): string[] {
  const kept = withoutReplaced(order.map(hash => entry(hash, replaces[hash]!)));
  return kept.map(each => each.entry.hash).sort();
}

/** The originals that a snapshot holds, as often as it holds them. */
function originalsIn(replaces: Readonly<Record<string, readonly string[]>>, hash: string): string[] {
  const below = replaces[hash]!;
  return below.length === 0 ? [hash] : below.flatMap(each => originalsIn(replaces, each));
}

describe('compaction of what was compacted', () => {
  test.each([
    ['1', '2'],
    ['2', '1'],
  ])('%s into %s counts once', (first, second) => {
    const originals = { a: [], b: [], c: [] };
    expect(counted({ ...originals, [first]: ['a', 'b'], [second]: [first, 'c'] })).toEqual([second]);
  });

  test('what the loser of an overlap replaces still counts', () => {
    const replaces = { a: [], b: [], c: [], d: [], larger: ['a', 'b', 'c'], loser: ['c', 'd'] };
    expect(counted(replaces)).toEqual(['d', 'larger']);
  });

  test('more means more originals, not more names', () => {
    const originals = { a: [], b: [], c: [], d: [], e: [] };
    const replaces = { ...originals, first: ['a', 'b', 'c'], top: ['first', 'd'], other: ['c', 'd', 'e'] };
    expect(counted(replaces)).toEqual(['e', 'top']);
  });

  test('files that name each other end, and one of them counts', () => {
    expect(counted({ a: ['b'], b: ['a'] })).toEqual(['a']);
    expect(counted({ a: ['a'] })).toEqual(['a']);
  });
});

/**
 * Originals and snapshots made of earlier ones, with hashes that say nothing about the order: a choice picks one that is not
 * taken yet (or, where `again`, any).
 */
const chains = (again: boolean) =>
  fc
    .record({
      hashes: fc.uniqueArray(
        fc.integer({ min: 0, max: 0xffff }).map(value => value.toString(16).padStart(4, '0')),
        { minLength: 3, maxLength: 14 },
      ),
      choices: fc.array(fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
      shuffle: fc.infiniteStream(fc.nat(1000)),
    })
    .map(({ hashes, choices, shuffle }) => {
      const replaces: Record<string, string[]> = {};
      const compactions = Math.min(choices.length, hashes.length - 2);
      const originals = hashes.length - compactions;
      for (const hash of hashes.slice(0, originals)) replaces[`h${hash}`] = [];
      const free = Object.keys(replaces);
      hashes.slice(originals).forEach((hash, i) => {
        const own: string[] = [];
        for (const choice of choices[i]!) {
          const at = choice % Math.max(1, free.length);
          const taken = again ? free[at] : free.splice(at, 1)[0];
          if (taken === undefined || own.includes(taken)) continue;
          // A snapshot with an original twice in it cannot come from compaction.
          const held = own.flatMap(each => originalsIn(replaces, each));
          if (originalsIn(replaces, taken).some(each => held.includes(each))) continue;
          own.push(taken);
        }
        if (own.length === 0) return;
        replaces[`h${hash}`] = own;
        free.push(`h${hash}`);
      });
      const order = Object.keys(replaces)
        .map(hash => ({ hash, at: shuffle.next().value ?? 0 }))
        .sort((x, y) => x.at - y.at)
        .map(each => each.hash);
      return { replaces, order };
    });

test('chains without overlap: those that nobody replaces', () => {
  fc.assert(
    fc.property(chains(false), ({ replaces, order }) => {
      const replaced = new Set(Object.values(replaces).flat());
      const expected = Object.keys(replaces).filter(hash => !replaced.has(hash));
      expect(counted(replaces, order)).toEqual(expected.sort());
    }),
    { numRuns: 500 },
  );
});

test('chains with overlaps: every original counts exactly once', () => {
  fc.assert(
    fc.property(chains(true), ({ replaces, order }) => {
      const kept = counted(replaces, order);
      const originals = Object.keys(replaces).filter(hash => replaces[hash]!.length === 0);
      expect(kept.flatMap(hash => originalsIn(replaces, hash)).sort()).toEqual(originals.sort());
      expect(counted(replaces)).toEqual(kept);
    }),
    { numRuns: 1000 },
  );
});
