// Tests the questions behind pictures: where their root is found, how siblings stand, what a search finds, and that no weight is lost.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answer, lookAt } from '../../server/analysis/ask.ts';
import { type FoldedData, foldData } from '../../server/analysis/folded-data.ts';
import type { LoadedData } from '../../server/analysis/loaded-data.ts';
import type { Picture, PictureWish } from '../../server/analysis/questions/picture.ts';
import { mergeProfiles } from '../../server/cct/merge.ts';
import { type Profile, ROOT_METHOD } from '../../server/cct/profile.ts';
import { anchorOf, shortWay } from '../../server/metrics/method-keys.ts';
import { BOX_FLAG } from '../../server/views/view-messages.ts';
import { datasetOf, loadedFrom, loadedFromText, provenanceOf } from '../support/profiles/loaded.ts';
import { ALLOCATION, CPU, methodRows, methodText, profileOfStacks } from '../support/profiles/profiles.ts';
import { rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';

const PICTURE = `
Shop.run | 20@1
  Shop.search :4 | 5@9
    java.util.HashMap.get :9 | 7@9
      java.util.HashMap.hash :9 | 11@3
        Key.hashCode :9 | 3@3
  Cart.add :5 | 2@3
Other.main | 1@1`;

const ALL: PictureWish = {
  direction: 'callees',
  of: null,
  root: [],
  recursion: false,
  library: false,
  own: null,
  isAggregated: false,
  window: [0, 1],
  rows: [0, 50],
  least: [0],
  form: 'metric',
  order: 'weight',
  most: 20_000,
  search: null,
};

function draw(data: LoadedData, wish: Partial<PictureWish> = {}): Picture {
  return answer(data, 'picture', { ...ALL, ...wish });
}

function nameOf(data: LoadedData, row: number): string {
  return row === ROOT_METHOD ? '*' : methodText(data.profile, row);
}

/** `depth name weight` of each box, row after row. */
function boxesOf(data: LoadedData, { columns }: Picture): string[] {
  return Array.from(columns.method, (row, at) => `${columns.row[at]} ${nameOf(data, row)} ${columns.weight[at]}`);
}

function keysOf(data: LoadedData, ...names: string[]): string[] {
  const rows = methodRows(data.profile);
  return names.map(name => data.answers.keysOf(data.profile.methods).keyOf(rows.get(name)!));
}

test('everything, row after row', () => {
  const data = loadedFromText(PICTURE);
  expect(boxesOf(data, draw(data))).toEqual([
    '0 * 49',
    '1 Shop.run 48',
    '1 Other.main 1',
    '2 Shop.search 26',
    '2 Cart.add 2',
    '3 java.util.HashMap.get 21',
    '4 java.util.HashMap.hash 14',
    '5 Key.hashCode 3',
  ]);
});

describe('the root', () => {
  test('is found by the keys of its path', () => {
    const data = loadedFromText(PICTURE);
    const steps = keysOf(data, 'Shop.run', 'Shop.search');
    const { root, sums, columns } = draw(data, { root: steps });
    expect(root).toMatchObject({ steps, missing: 0, total: { weight: 26, count: 26 } });
    expect([columns.start[0], columns.end[0]]).toEqual([0, 1]);
    expect(sums).toEqual({ self: 26, cut: 0, below: 0, outside: 0 });
  });

  test('is the nearest one above where the path leads to nothing, and says how much is missing', () => {
    const data = loadedFromText(PICTURE);
    const [run, add] = keysOf(data, 'Shop.run', 'Cart.add');
    const { root } = draw(data, { root: [run!, add!, 'AAAAAAAA', 'not a key'] });
    expect(root).toMatchObject({ steps: [run, add], missing: 2 });
  });

  test('is found by a path from before folding, and by one from after it', () => {
    const data = loadedFromText(PICTURE);
    const whole = keysOf(
      data,
      'Shop.run',
      'Shop.search',
      'java.util.HashMap.get',
      'java.util.HashMap.hash',
      'Key.hashCode',
    );
    const folded = whole.filter((_, i) => i !== 3);
    expect(draw(data, { root: whole, library: true }).root).toMatchObject({ steps: folded, missing: 0 });
    expect(draw(data, { root: folded }).root).toMatchObject({ steps: whole, missing: 0 });
  });

  test('has the same ids as where it is a box', () => {
    const data = loadedFromText(PICTURE);
    const all = draw(data);
    const { columns } = draw(data, { root: keysOf(data, 'Shop.run', 'Shop.search') });
    expect(columns.id.slice(0, 2)).toEqual(all.columns.id.slice(6, 8));
    expect(columns.id.slice(2, 4)).toEqual(all.columns.id.slice(10, 12));
  });

  test('is found by the id of its path, however deep it is and whatever is folded', () => {
    const depth = 40_000;
    const lines = Array.from({ length: depth }, (_, at) => `Deep.call${at % 7}`);
    const data = loadedFrom(profileOfStacks([{ frames: lines.map(name => ({ method: name, line: 1 })), count: 3 }]));
    const { columns } = draw(data, { rows: [depth - 1, depth + 1] });
    const last = columns.row.indexOf(depth);
    const anchor = anchorOf([columns.id[2 * last]!, columns.id[2 * last + 1]!]);
    const { root, columns: below } = draw(data, { root: [anchor] });
    expect([root.missing, root.steps.length, root.total.count]).toEqual([0, depth, 3]);
    expect(below.id).toEqual(columns.id.slice(2 * last, 2 * last + 2));
    const keys = data.answers.keysOf(data.profile.methods);
    const short = shortWay(keys, null, root.steps);
    expect([short[0]![0], short.length, JSON.stringify(short).length < 2_000]).toEqual(['@', 101, true]);
    expect(draw(data, { root: short }).root).toEqual(root);
  });

  test('with an id of another folding, or of recursion that was not merged, is what its methods lead to', () => {
    fc.assert(
      fc.property(
        rawSamples({ metrics: 2 }),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        fc.constantFrom('callees' as const, 'callers' as const),
        (samples, [recursion, library, then, folded], direction) => {
          const data = loadedFrom(profileOfStacks(samples, { metrics: [CPU, ALLOCATION] }), {}, { metric: 'alloc' });
          const keys = data.answers.keysOf(data.profile.methods);
          const { columns } = draw(data, { direction, recursion: recursion!, library: library!, own: ['A'] });
          const other = { direction, recursion: then!, library: folded!, own: ['A'] };
          const ways = Array.from(columns.parent, (): string[] => []);
          for (const [box, above] of columns.parent.entries()) {
            if (above < 0) continue;
            ways[box] = [...ways[above]!, keys.keyOf(columns.method[box]!)];
            const anchor = anchorOf([columns.id[2 * box]!, columns.id[2 * box + 1]!]);
            expect(draw(data, { ...other, root: [anchor] }).root).toEqual(
              draw(data, { ...other, root: ways[box]! }).root,
            );
          }
        },
      ),
      { numRuns: runs(50) },
    );
  });

  test('is the outermost call where recursion is merged, and its nearest caller where it has no place', () => {
    const data = loadedFromText(`
A.a | 1@1
  B.b :2 | 1@1
    A.a :3 | 1@1
      C.c :4 | 5@5
        java.lang.D.d :6 | 1@1
          java.lang.E.e :7 | 2@2`);
    const [a, b, c, d, e] = keysOf(data, 'A.a', 'B.b', 'C.c', 'java.lang.D.d', 'java.lang.E.e') as string[];
    const way = [a!, b!, a!, c!];
    expect(draw(data, { root: way, recursion: true }).root).toMatchObject({ steps: [a, c], missing: 0 });
    expect(draw(data, { root: way.slice(0, 3), recursion: true }).root).toMatchObject({ steps: [a], missing: 0 });
    const { columns } = draw(data);
    const anchor = anchorOf([columns.id.at(-2)!, columns.id.at(-1)!]);
    expect(draw(data, { root: [anchor] }).root.steps).toEqual([...way, d, e]);
    expect(draw(data, { root: [anchor], library: true, recursion: true }).root).toMatchObject({
      steps: [a, c, d],
      missing: 1,
    });
    expect(columns.id.slice(2, 4)).toEqual(draw(data, { root: [a!, b!, a!], recursion: true }).columns.id.slice(0, 2));
  });

  test('of a method that did not run has no box with weight', () => {
    const data = loadedFromText(PICTURE);
    const { root, columns } = draw(data, { of: 'AAAAAAAA' });
    expect(root.total.count).toBe(0);
    expect(columns.row).toHaveLength(1);
  });
});

test('folded libraries are one box with the outermost of them', () => {
  const data = loadedFromText(PICTURE);
  const picture = draw(data, { library: true });
  expect(boxesOf(data, picture).slice(5)).toEqual(['3 java.util.HashMap.get 21', '4 Key.hashCode 3']);
  const flags = picture.columns.flags[5]!;
  expect(flags & BOX_FLAG.library).not.toBe(0);
  expect(flags & BOX_FLAG.folded).not.toBe(0);
});

test('packages of which nothing ran leave the platform as the only library', () => {
  const data = loadedFromText(PICTURE);
  expect(boxesOf(data, draw(data, { library: true, own: ['com.gone'] }))).toEqual(
    boxesOf(data, draw(data, { library: true })),
  );
});

test('files without a package make no libraries of a program that has packages', () => {
  const data = loadedFromText(`
com.acme.Shop.run | 20@1
  com.acme.Shop.search :4 | 5@9
    java.util.HashMap.get :9 | 7@9`);
  expect(boxesOf(data, draw(data, { library: true, own: [''] }))).toEqual(boxesOf(data, draw(data, { library: true })));
});

test('a class without a package is own code, also where the sources of other packages alone are known', () => {
  const data = loadedFromText(`
com.acme.Shop.run | 20@1
  Driver.step :4 | 5@9
    org.lib.Pool.get :9 | 7@9`);
  const { columns } = draw(data, { own: ['com.acme'] });
  const isLibrary = Array.from(columns.flags, flags => (flags & BOX_FLAG.library) !== 0);
  expect(isLibrary.slice(1)).toEqual([false, false, true]);
});

describe('siblings', () => {
  const SIBLINGS = `
A.run
  A.c :1 | 5@1
  A.a :2 | 3@1
  A.b :3 | 4@1`;
  const order = (picture: Picture, data: LoadedData) => boxesOf(data, picture).slice(2);

  test('stand heaviest first, or by name', () => {
    const data = loadedFromText(SIBLINGS);
    expect(order(draw(data), data)).toEqual(['2 A.c 5', '2 A.b 4', '2 A.a 3']);
    expect(order(draw(data, { order: 'name' }), data)).toEqual(['2 A.a 3', '2 A.b 4', '2 A.c 5']);
  });

  test('keep their place in newer data; new ones come last', () => {
    const old = loadedFromText(SIBLINGS);
    const kept = draw(old).columns.id;
    const newer = loadedFromText(`${SIBLINGS.replace('| 3@', '| 30@')}\n  A.new :9 | 99@1`);
    expect(order(draw(newer, { order: { kept } }), newer)).toEqual(['2 A.c 5', '2 A.b 4', '2 A.a 30', '2 A.new 99']);
  });
});

describe('a search', () => {
  test('marks boxes and counts hits among what is cut', () => {
    const data = loadedFromText(PICTURE);
    const { columns } = draw(data, { search: 'cart.add', least: [0.2] });
    expect(Array.from(columns.cuts.hits)).toEqual([0, 1, 0]);
    // A capital is meant.
    const hits = (search: string) => Array.from(draw(data, { search, least: [0.2] }).columns.cuts.hits);
    expect([hits('Cart.add'), hits('cart.Add')]).toEqual([
      [0, 1, 0],
      [0, 0, 0],
    ]);
    const marked = draw(data, { search: '/HashMap\\.(get|put)/' }).columns;
    expect(Array.from(marked.flags, flag => flag & BOX_FLAG.hit)).toEqual([0, 0, 0, 0, 0, 1, 0, 0]);
  });

  test('counts each sample once and gives the way to the heaviest place', () => {
    const data = loadedFromText(PICTURE);
    const found = answer(data, 'hits', { search: 'hashmap', most: 1 });
    expect(found).toMatchObject({ total: { weight: 21, count: 21 }, length: 2 });
    expect(found.rows).toHaveLength(1);
    expect(found.rows[0]).toMatchObject({
      total: { count: 21 },
      self: { count: 7 },
      steps: keysOf(data, 'Shop.run', 'Shop.search', 'java.util.HashMap.get'),
    });
  });

  test('by a wrong expression says so and finds nothing', () => {
    const data = loadedFromText(PICTURE);
    expect(answer(data, 'hits', { search: '/(/', most: 9 })).toMatchObject({
      length: 0,
      problems: [{ severity: 'error' }],
    });
    expect(draw(data, { search: '/(/' }).problems).toHaveLength(1);
  });
});

test('drawn, cut, below and outside are the root in every view and operation', () => {
  const wishes = fc.record({
    direction: fc.constantFrom('callees' as const, 'callers' as const),
    recursion: fc.boolean(),
    library: fc.boolean(),
    isAggregated: fc.boolean(),
    form: fc.constantFrom('metric' as const, 'equal' as const),
    least: fc.double({ min: 0, max: 0.5, noNaN: true }).map(least => [least]),
    rows: fc.tuple(fc.nat(3), fc.integer({ min: 4, max: 8 })),
    own: fc.constantFrom(null, ['A']),
  });
  fc.assert(
    fc.property(rawSamples({ metrics: 2, truncated: true }), wishes, fc.boolean(), (samples, wish, isPivot) => {
      const data = loadedFrom(profileOfStacks(samples, { metrics: [CPU, ALLOCATION] }), {}, { metric: 'alloc' });
      const of = isPivot ? (keysOf(data, ...[...methodRows(data.profile).keys()].slice(-1))[0] ?? null) : null;
      const { sums, root, whole } = draw(data, { ...wish, of });
      expect(sums.self + sums.cut + sums.below + sums.outside).toBeCloseTo(root.total.weight, 6);
      if (!isPivot) expect(root.total).toEqual(whole);
    }),
    { numRuns: runs(200) },
  );
});

/** Merges windows one after another onto what was folded before, as a load does. */
function grown(windows: readonly Profile[]): LoadedData[] {
  let folded: FoldedData | undefined;
  return windows.map(window => {
    const profile = folded === undefined ? window : mergeProfiles([folded.profile, window]);
    folded = foldData(profile);
    return lookAt({ dataset: { ...datasetOf(window, provenanceOf()), folded }, selection: {} });
  });
}

/** Of each box: its id, and the path that it stands for with its amounts. */
function pathsOf(data: LoadedData, { columns }: Picture): Map<string, { path: string; amount: string }> {
  const paths: string[] = [];
  return new Map(
    Array.from(columns.method, (row, at) => {
      paths[at] = `${paths[columns.parent[at]!] ?? ''}/${nameOf(data, row)}`;
      const id = `${columns.id[2 * at]} ${columns.id[2 * at + 1]}`;
      return [id, { path: paths[at], amount: `${columns.weight[at]} ${columns.count[at]} ${columns.self[at]}` }];
    }),
  );
}

test('of windows that come one after another: as of all at once, ids of paths for ever, siblings in their places', () => {
  // No share of small numbers is exactly the least width.
  const options = fc.record({ recursion: fc.boolean(), library: fc.boolean(), least: fc.constantFrom([0], [0.10007]) });
  fc.assert(
    fc.property(fc.array(rawSamples(), { minLength: 2, maxLength: 4 }), options, (windows, wish) => {
      const states = grown(windows.map(samples => profileOfStacks(samples)));
      const [pathOfId, idOfPath] = [new Map<string, string>(), new Map<string, string>()];
      let kept = new Int32Array(0);
      for (const [at, data] of states.entries()) {
        const picture = draw(data, { ...wish, order: { kept } });
        const { sums, root, columns } = picture;
        expect(sums.self + sums.cut + sums.below + sums.outside).toBeCloseTo(root.total.weight, 6);
        const atOnce = loadedFrom(profileOfStacks(windows.slice(0, at + 1).flat()));
        const paths = pathsOf(data, picture);
        expect([...paths].sort()).toEqual([...pathsOf(atOnce, draw(atOnce, wish))].sort());
        for (const [id, { path }] of paths) {
          expect(pathOfId.get(id) ?? path).toBe(path);
          expect(idOfPath.get(path) ?? id).toBe(id);
          pathOfId.set(id, path);
          idOfPath.set(path, id);
        }
        const ranks = new Map(
          Array.from({ length: kept.length / 2 }, (_, i) => [`${kept[2 * i]} ${kept[2 * i + 1]}`, i]),
        );
        const rankOf = (box: number) => ranks.get(`${columns.id[2 * box]} ${columns.id[2 * box + 1]}`) ?? Infinity;
        for (let box = 1; box < columns.row.length; box++)
          if (columns.parent[box] === columns.parent[box - 1]) expect(rankOf(box - 1)).toBeLessThanOrEqual(rankOf(box));
        kept = Int32Array.from([...kept, ...columns.id]);
      }
    }),
    { numRuns: runs(40) },
  );
});

describe('counterparts in a baseline', () => {
  const BEFORE = `
Shop.run | 10@1
  Shop.find :4 | 30@9
    java.util.HashMap.get :9 | 20@9`;

  test('are the same paths, through a method that had another name', () => {
    const [data, baseline] = [loadedFromText(PICTURE), loadedFromText(BEFORE)];
    const { columns } = draw(data);
    const [now, before] = [methodRows(data.profile), methodRows(baseline.profile)];
    const rows = Array.from({ length: data.profile.methods.length }, (_, row): number[] => {
      const name = nameOf(data, row);
      const old = before.get(row === now.get('Shop.search') ? 'Shop.find' : name);
      return old === undefined ? [] : [old];
    });
    const wish = { ...ALL, methods: null, root: [], rows, parent: columns.parent, method: columns.method };
    const found = answer(baseline, 'counterparts', wish);
    const byName = Object.fromEntries(Array.from(columns.method, (row, at) => [nameOf(data, row), found.weight[at]]));
    expect(byName).toEqual({
      '*': 60,
      'Shop.run': 60,
      'Shop.search': 50,
      'java.util.HashMap.get': 20,
      'Cart.add': 0,
      'Other.main': 0,
      'java.util.HashMap.hash': 0,
      'Key.hashCode': 0,
    });
    expect(found.whole).toEqual({ weight: 60, count: 60 });
  });

  test('of data with themselves are what is drawn, in every view and operation', () => {
    fc.assert(
      fc.property(
        rawSamples({ metrics: 2 }),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom('callees' as const, 'callers' as const),
        (samples, recursion, library, isAggregated, direction) => {
          const data = loadedFrom(profileOfStacks(samples, { metrics: [CPU, ALLOCATION] }), {}, { metric: 'alloc' });
          const wish = { ...ALL, direction, recursion, library, own: ['A'], isAggregated };
          const { columns } = draw(data, wish);
          const rows = Array.from({ length: data.profile.methods.length }, (_, row) => [row]);
          const of = { ...wish, methods: null, root: [], rows, parent: columns.parent, method: columns.method };
          expect(answer(data, 'counterparts', of).weight).toEqual(columns.weight);
        },
      ),
      { numRuns: runs(100) },
    );
  });

  test('are found too where later rows alone are drawn', () => {
    fc.assert(
      fc.property(
        rawSamples({ metrics: 2 }),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 4 }),
        (samples, library, isAggregated, first) => {
          const data = loadedFrom(profileOfStacks(samples, { metrics: [CPU, ALLOCATION] }), {}, { metric: 'alloc' });
          const wish = { ...ALL, library, own: ['A'], isAggregated, rows: [first, 50] as const };
          const { columns, above } = draw(data, wish);
          const hidden = above.parent.length;
          const rows = Array.from({ length: data.profile.methods.length }, (_, row) => [row]);
          const parent = Int32Array.from([
            ...above.parent,
            ...columns.parent.map((row, box) => (row < 0 ? above.ofBox[box]! : hidden + row)),
          ]);
          const method = Int32Array.from([...above.method, ...columns.method]);
          const found = answer(data, 'counterparts', { ...wish, methods: null, root: [], rows, parent, method });
          expect(found.weight.subarray(hidden)).toEqual(columns.weight);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
