// Checks which snapshots count where compaction replaced some: nothing twice, nothing lost, whatever the hashes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DescribedEntry } from '../../server/store/claims.ts';
import { decideCounting } from '../../server/store/counting.ts';
import type { Compare } from '../../server/store/held.ts';
import { runs } from '../support/runs.ts';
import { EXECUTION } from '../support/stores/snapshots.ts';

const ORIGINAL = { replaces: [] };

/** The claims of a header about compaction. */
type Said = { readonly replaces: readonly string[]; readonly madeOf?: readonly string[] };

function entry(hash: string, said: Said): DescribedEntry {
  const header = {
    execution: EXECUTION,
    startMillis: 0,
    endMillis: 1,
    recorder: '',
    debugNonSafepoints: null,
    problems: [],
    ...said,
  };
  const losses = { truncatedStacks: 0, withoutStack: 0, lostSamples: 0 };
  return {
    entry: { execution: EXECUTION, startMillis: 0, hash, key: hash, bytes: 1 },
    reading: { header, windows: [], metrics: [], nodes: 1, totals: [], losses, hasSources: false, foreign: [] },
  };
}

type Replaces = Readonly<Record<string, readonly string[]>>;

/** The originals that a snapshot holds, as often as it holds them. */
function originalsIn(replaces: Replaces, hash: string): string[] {
  const below = replaces[hash]!;
  return below.length === 0 ? [hash] : below.flatMap(each => originalsIn(replaces, each));
}

/** As if each snapshot had one sample of a place of its own for each original in it; without originals that no header names. */
function comparerOf(contents: Replaces): Compare {
  return async (wholes, parts, exactly) => {
    const left = new Map<string, number>();
    const add = (all: readonly DescribedEntry[], sign: number) => {
      for (const { entry } of all)
        for (const each of contents[entry.hash]!) left.set(each, (left.get(each) ?? 0) + sign);
    };
    add(wholes, 1);
    add(parts, -1);
    const off = [...left].find(([, count]) => count < 0 || (exactly && count > 0));
    return { difference: off === undefined ? null : `it differs in ${off[0]}`, unread: [] };
  };
}

/** Headers as compaction writes them: all originals, and what a snapshot was made of where that was compacted too. */
function genuine(replaces: Replaces): Readonly<Record<string, Said>> {
  const said = Object.entries(replaces).map(([hash, own]): [string, Said] => {
    if (own.every(each => replaces[each]!.length === 0)) return [hash, { replaces: own }];
    return [hash, { replaces: originalsIn(replaces, hash), madeOf: own }];
  });
  return Object.fromEntries(said);
}

/** Hashes that count, in order, and what is said of it. */
async function decided(said: Readonly<Record<string, Said>>, contents: Replaces, order = Object.keys(said)) {
  const entries = order.map(hash => entry(hash, said[hash]!));
  const { counting, problems } = await decideCounting(entries, comparerOf(contents));
  return {
    counting: counting.map(each => each.entry.hash).sort(),
    problems: problems.map(each => `${each.file}: ${each.message}`),
  };
}

/** The counting ones of genuine snapshots of which some are gone: that is never worth a word. */
async function counted(replaces: Replaces, gone: readonly string[], order = Object.keys(replaces)): Promise<string[]> {
  const contents = Object.fromEntries(Object.keys(replaces).map(hash => [hash, originalsIn(replaces, hash)]));
  const left = order.filter(hash => !gone.includes(hash));
  const { counting, problems } = await decided(genuine(replaces), contents, left);
  expect(problems).toEqual([]);
  return counting;
}

describe('compaction of what was compacted', () => {
  const all = { a: [], b: [], c: [], first: ['a', 'b'], second: ['first', 'c'] };
  const left = (...gone: string[]) => counted(all, gone);

  test('what is there as it was recorded counts, however often it was compacted', async () => {
    expect(await left()).toEqual(['a', 'b', 'c']);
    expect(await left('second')).toEqual(['a', 'b', 'c']);
  });

  test('what replaces takes its place as soon as some of it is gone', async () => {
    expect(await left('a')).toEqual(['c', 'first']);
    expect(await left('a', 'b')).toEqual(['c', 'first']);
    expect(await left('a', 'c')).toEqual(['second']);
    expect(await left('a', 'b', 'c')).toEqual(['second']);
    expect(await left('first', 'a')).toEqual(['second']);
    expect(await left('a', 'b', 'c', 'first')).toEqual(['second']);
  });

  test('of two that overlap one counts, and what only the other holds by itself', async () => {
    const overlap = { a: [], b: [], c: [], d: [], larger: ['a', 'b', 'c'], loser: ['c', 'd'] };
    expect(await counted(overlap, ['a', 'b', 'c'])).toEqual(['d', 'larger']);
  });

  test('more means more originals, not more names', async () => {
    const originals = { a: [], b: [], c: [], d: [], e: [] };
    const replaces = { ...originals, first: ['a', 'b', 'c'], top: ['first', 'd'], other: ['c', 'd', 'e'] };
    expect(await counted(replaces, ['a', 'c', 'd'])).toEqual(['e', 'top']);
  });

  test('files that name each other end, and none of them is in the way of others', async () => {
    const contents = { a: [], b: [], o: ['o'], p: ['p'] };
    const circle = { a: { replaces: ['b', 'o'] }, b: { replaces: ['a', 'o'] }, o: ORIGINAL, p: ORIGINAL };
    expect((await decided(circle, contents)).counting).toEqual(expect.arrayContaining(['o', 'p']));
    expect((await decided({ a: { replaces: ['a'] }, o: ORIGINAL }, contents)).counting).toContain('o');
  });
});

describe('a header that lies', () => {
  const contents = { a: ['a'], b: ['b'], c: ['a', 'b'], forged: ['nothing'], more: ['a', 'b', 'x'] };
  const originals = { a: ORIGINAL, b: ORIGINAL };
  const counting = async (said: Readonly<Record<string, Said>>, own: Replaces = contents) =>
    (await decided(said, own)).counting;

  test('hides nothing where all that it names is there', async () => {
    const forged = { replaces: ['a', 'b'] };
    expect(await decided({ ...originals, forged }, contents)).toEqual({ counting: ['a', 'b'], problems: [] });
  });

  test('hides nothing where it names something that never was', async () => {
    const forged = { replaces: ['a', 'b', 'invented'] };
    const { counting: counts, problems } = await decided({ ...originals, forged }, contents);
    expect(counts).toEqual(['a', 'b']);
    expect(problems).toEqual([
      'forged: this snapshot says that it holds others (a, b), but it differs in a: it does not count',
    ]);
  });

  test('hides no compacted snapshot, whatever it says of originals that are gone', async () => {
    const c = { replaces: ['a', 'b'] };
    const { counting: counts, problems } = await decided({ c, forged: { replaces: ['a', 'b', 'invented'] } }, contents);
    expect(counts).toEqual(['c', 'forged']);
    expect(problems).toEqual([
      expect.stringMatching(/^forged: snapshots say that they hold the same samples \(forged, c\)/),
    ]);
    expect(await counting({ c, forged: { replaces: ['a', 'b', 'c', 'invented'] } })).toEqual(['c']);
    expect(await counting({ c, forged: { replaces: ['b'] } })).toEqual(['c', 'forged']);
    expect(await counting({ c, forged: { replaces: ['a', 'b', 'invented'], madeOf: ['c', 'invented'] } })).toEqual([
      'c',
    ]);
  });

  test('hides nothing with less than all of it together', async () => {
    const forged = { replaces: ['a', 'b', 'invented'] };
    expect(await counting({ ...originals, forged }, { a: ['x'], b: ['x'], forged: ['x'] })).toEqual(['a', 'b']);
  });

  test('that stands over all it names only adds to it', async () => {
    expect(await counting({ ...originals, more: { replaces: ['a', 'b', 'invented'] } })).toEqual(['more']);
  });

  test('that was compacted with others does not make these false afterwards', async () => {
    // A forged snapshot named `late`, which was put when all of it had been compacted.
    const merged = { replaces: ['a', 'late'], madeOf: ['a', 'forged'] };
    const said = { merged, late: ORIGINAL };
    expect(await counting(said, { merged: ['a', 'nothing'], late: ['late'] })).toEqual(['late', 'merged']);
  });

  test('reaches no other execution', async () => {
    const other = entry('forged', { replaces: ['a', 'invented'] });
    const far = { ...other, entry: { ...other.entry, execution: { ...EXECUTION, instance: 'eu-9' } } };
    const compare = comparerOf({ a: ['a'], forged: ['a', 'z'] });
    expect((await decideCounting([entry('a', ORIGINAL), far], compare)).counting).toHaveLength(2);
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

/** The removed snapshots, as removal goes on: a snapshot goes where one that holds all of it is there and stays. */
const removals = fc.array(fc.nat(20), { maxLength: 12 });

function removedBy(replaces: Replaces, choices: readonly number[]): readonly string[] {
  const gone: string[] = [];
  const stays = new Set<string>();
  const shares = (a: string, b: string) =>
    originalsIn(replaces, a).some(each => originalsIn(replaces, b).includes(each));
  for (const choice of choices) {
    const left = Object.keys(replaces).filter(hash => !gone.includes(hash));
    const compacted = left.filter(hash => replaces[hash]!.length > 0);
    const over = compacted[choice % Math.max(1, compacted.length)];
    // Of several that overlap one is chosen, and everybody chooses the same.
    if (over === undefined || [...stays].some(hash => hash !== over && shares(hash, over))) continue;
    stays.add(over);
    const held = originalsIn(replaces, over);
    const under = left.filter(hash => hash !== over && originalsIn(replaces, hash).every(each => held.includes(each)));
    if (under.length > 0) gone.push(under[choice % under.length]!);
  }
  return gone;
}

test.each([false, true])('whatever was removed, every original counts exactly once (overlaps: %s)', async overlaps => {
  await fc.assert(
    fc.asyncProperty(chains(overlaps), removals, async ({ replaces, order }, choices) => {
      const gone = removedBy(replaces, choices);
      const kept = await counted(replaces, gone, order);
      const originals = Object.keys(replaces).filter(hash => replaces[hash]!.length === 0);
      expect(kept.flatMap(hash => originalsIn(replaces, hash)).sort()).toEqual(originals.sort());
      expect(await counted(replaces, gone)).toEqual(kept);
    }),
    { numRuns: runs(1000) },
  );
});

test('whatever forged headers say, all that is there of others counts', async () => {
  const forgery = fc.record({
    named: fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }),
    invents: fc.boolean(),
    copies: fc.nat(15),
  });
  await fc.assert(
    fc.asyncProperty(
      chains(true),
      removals,
      fc.array(forgery, { minLength: 1, maxLength: 3 }),
      async ({ replaces }, choices, forgeries) => {
        const gone = removedBy(replaces, choices);
        const known = Object.keys(replaces);
        const left = Object.entries(genuine(replaces)).filter(([hash]) => !gone.includes(hash));
        const forged = forgeries.map(({ named, invents }, at): [string, Said] => {
          const own = new Set(named.map(each => known[each % known.length]!));
          return [`forged${at}`, { replaces: [...own, ...(invents ? [`invented${at}`] : [])] }];
        });
        const contents = Object.fromEntries([
          ...known.map(hash => [hash, originalsIn(replaces, hash)] as const),
          // Each has some of what it names, and something else.
          ...forgeries.map(({ named, copies }, at) => {
            const copied = [...new Set(named.map(each => known[each % known.length]!))].filter(
              (_, bit) => copies & (1 << bit),
            );
            return [`forged${at}`, ['false', ...copied.flatMap(hash => originalsIn(replaces, hash))]] as const;
          }),
        ]);
        const { counting } = await decided(Object.fromEntries([...left, ...forged]), contents);
        const seen = new Set(counting.flatMap(hash => contents[hash]!));
        seen.delete('false');
        expect([...seen].sort()).toEqual(known.filter(hash => replaces[hash]!.length === 0).sort());
      },
    ),
    { numRuns: runs(1000) },
  );
});
