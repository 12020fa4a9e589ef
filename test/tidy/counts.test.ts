// Each count counts what it is there to count in small programs, and leaves its neighbour alone.
import { describe, expect, test } from 'vitest';
import { countCircles } from './counts/circles.ts';
import type { Counted } from './counts/count.ts';
import { countTimeGenerators } from './counts/generators.ts';
import { LIMITS, type Limited } from './counts/limits.ts';
import { countFailures, countsTable, type Taken } from './counts/report.ts';
import { countTables } from './counts/tables.ts';
import type { TidyFile } from './files.ts';

function filesOf(texts: Readonly<Record<string, string>>): TidyFile[] {
  return Object.entries(texts).map(([path, text]) => ({ path, text }));
}

function places({ places }: Counted): string[] {
  return places.map(({ path, line }) => `${path}:${line}`);
}

describe('tables beside values', () => {
  const inA = (text: string) => places(countTables(filesOf({ 'server/a.ts': text })));

  test.each([
    ['a WeakMap', 'const a = new WeakMap<K, V>();'],
    ['a WeakSet in a class', 'class A { readonly #a = new WeakSet(); }'],
    ['a set of weak references inside a function', 'function f() { return new WeakSet<K>(); }'],
    ['a map that a function fills', 'const a = new Map<K, V>(); function f() { a.set(1, 2); }'],
    ['a set that an arrow function empties', 'export const a: Set<K> = new Set(); const f = () => a.clear();'],
    ['a list that a method lengthens', 'const a: K[] = []; class A { f() { a.push(1); } }'],
    ['a list whose elements are written', 'const a = [1]; function f(i) { a[i]++; a[i] = 2; }'],
    ['an object that is a table', 'const a = {} as Record<string, K>; function f(k) { a[k] = 1; }'],
    ['an object whose keys are removed', 'const a = {}; function f(k) { delete a[k]; }'],
    ['a map that is replaced', 'let a = new Map(); function f() { a = new Map(); }'],
    ['a map of lists', 'const a = new Map(); function f(k) { a.get(k)!.push(1); }'],
    ['a cache of a package', 'const a = new LRUCache({ max: 3 }); function f() { a.set(1, 2); }'],
    ['a static field', 'class Kept { static readonly all = new Map(); f() { Kept.all.set(1, 2); } }'],
    ['a private static field', 'class Kept { static #all = new Map(); f() { Kept.#all.set(1, 2); } }'],
  ])('%s', (_, text) => expect(inA(text)).toEqual(['server/a.ts:1']));

  test.each([
    ['a map that is only read', 'const a = new Map([[1, 2]]); function f() { return a.get(1); }'],
    ['a map that is filled while the module is loaded', 'const a = new Map(); for (const k of ks) a.set(k, 1);'],
    ['a sorted copy', 'const a = [2, 1]; function f() { return a.map(g).sort(); }'],
    ['a map of a function', 'function f() { const a = new Map(); a.set(1, 2); }'],
    ['a map of an object', 'class A { readonly #a = new Map(); f() { this.#a.set(1, 2); } }'],
    ['a map behind another of the same name', 'const a = new Map(); function f(a) { a.set(1, 2); }'],
    [
      'a map behind a variable of the same name',
      'const a = []; function f() { const [a] = g(); return () => a.push(1); }',
    ],
    ['a record', 'const a = { at: 0 }; function f() { a.at = 1; }'],
    ['a type', 'let a: WeakMap<K, V>;'],
  ])('not %s', (_, text) => expect(inA(text)).toEqual([]));

  test('one that another file fills', () => {
    const files = {
      'server/a.ts': 'export const a = new Map();\nexport const b = new Map();',
      'server/b.ts': "import { a as table, b } from './a.ts'; function f() { table.set(1, 2); b.get(1); }",
      'test/a.test.ts': "import { b } from '../server/a.ts'; const kept = new WeakMap(); function f() { b.set(1, 2); }",
    };
    expect(places(countTables(filesOf(files)))).toEqual(['server/a.ts:1']);
  });
});

describe('generators that yield only time', () => {
  const count = (text: string) => countTimeGenerators(filesOf({ 'server/a.ts': text, 'test/a.ts': text })).total;

  test.each([
    'function* f(): Generator<void> { yield; }',
    'function* f(): Generator<undefined, number> { yield* g(); return 1; }',
    'type Turns<T> = Generator<void, T, void>; function* f(): Turns<number> { return 1; }',
    'class A { *f(): Iterable<void> { yield; } }',
    'const a = { async *f(): AsyncGenerator<void> { yield; } };',
    'function* f() { yield; yield; }',
    'const a = (function* () { found.push(yield* steps()); })();',
    'function* f() { yield; const g = function* (): Generator<number> { yield 1; }; }',
  ])('%s', text => expect(count(text)).toBe(1));

  test.each([
    'function* f(): Generator<number> { yield 1; }',
    'function* f(): Generator<string | null, void> { yield null; }',
    'type Parts = Generator<Uint8Array, void>; function* f(): Parts {}',
    'function* f() { yield 1; yield; }',
    'function f(): Generator<void> { return g(); }',
    'function* f() {}',
  ])('not %s', text => expect(count(text)).toBe(0));

  test('the type may stand in another file', () => {
    const files = {
      'server/a.ts': 'export type Steps<T> = Generator<void, T, void>;',
      'grammar/b.ts': 'import type { Steps } from "x";\nfunction* f(): Steps<void> {}\nfunction* g(): Steps<void> {}',
    };
    expect(places(countTimeGenerators(filesOf(files)))).toEqual(['grammar/b.ts:2', 'grammar/b.ts:3']);
  });
});

test('circles of files, each with all its files', () => {
  const counted = countCircles(
    filesOf({
      'server/a.ts': "import './b.ts';\nimport './line.ts';",
      'server/b.ts': "export * from './c/c.ts';",
      'server/c/c.ts': "import type { A } from '../a.ts';",
      'server/line.ts': "import './d.ts';\nimport './e.ts';",
      'server/d.ts': "type E = import('./e.ts').E;",
      'server/e.ts': "const d = await import('./d.ts');",
      'server/self.ts': "import './self.ts';",
      'server/end.ts': "import './a.ts';\nimport 'package';\nimport './missing.ts';",
      'test/a.ts': "import './b.ts';",
      'test/b.ts': "import './a.ts';",
    }),
  );
  expect(counted.total).toBe(3);
  expect(counted.places.map(({ path, message }) => `${path} ${message}`)).toEqual([
    'server/a.ts stands in a circle of 3 files: server/a.ts, server/b.ts, server/c/c.ts',
    'server/d.ts stands in a circle of 2 files: server/d.ts, server/e.ts',
    'server/self.ts stands in a circle of 1 file: server/self.ts',
  ]);
});

test('a circle is found from wherever the walk begins', () => {
  const ring = (from: number) =>
    Object.fromEntries(
      Array.from({ length: 6 }, (_, i) => {
        const at = (from + i) % 6;
        return [`server/r${at}.ts`, `import './r${(at + 1) % 6}.ts';\nimport './leaf.ts';\nimport './r${at}.ts';`];
      }),
    );
  for (let from = 0; from < 6; from++) {
    const { total, places } = countCircles(filesOf({ ...ring(from), 'server/leaf.ts': '' }));
    expect([total, places[0]?.message]).toEqual([1, expect.stringContaining('of 6 files: server/r0.ts, server/r1.ts')]);
  }
});

describe('limits', () => {
  const limited = (name: string, limit: number): Limited => ({
    name,
    what: `things called ${name}`,
    limit,
    goal: 1,
    count: () => ({ total: 0, places: [] }),
  });
  const taken = (name: string, limit: number, total: number): Taken => ({
    of: limited(name, limit),
    counted: {
      total,
      places: Array.from({ length: total }, (_, i) => ({ path: 'server/a.ts', line: i + 1, message: 'is one' })),
    },
  });

  test('are printed beside the counts, aligned', () => {
    const lost: Taken = { of: limited('lost', 3), counted: { trouble: 'no server' } };
    expect(countsTable([taken('a', 9, 9), taken('longer', 10, 8), taken('much', 10, 100), lost])).toBe(
      [
        'count   today  limit  goal',
        'a           9      9   ≤ 1  things called a',
        'longer      8     10   ≤ 1  things called longer: lower the limit to 8',
        'much      100     10   ≤ 1  things called much: beyond the limit',
        'lost        ?      3   ≤ 1  things called lost: not counted',
      ].join('\n'),
    );
  });

  test('are kept up to the limit, and what is beyond is listed in 20 lines', () => {
    expect(countFailures([taken('a', 9, 9), taken('b', 9, 3)])).toEqual([]);
    const [short, long] = countFailures([taken('a', 1, 2), taken('b', 1, 22)]);
    expect(short).toBe('a: 2, the limit is 1\nserver/a.ts:1: is one\nserver/a.ts:2: is one');
    expect(long?.split('\n')).toHaveLength(22);
    expect(long).toMatch(/^server\/a\.ts:20: is one\n… and 2 more: npm run check -- --list b$/m);
  });

  test('a count that cannot be taken fails', () => {
    const failures = countFailures([{ of: limited('a', 1), counted: { trouble: 'no server' } }]);
    expect(failures).toEqual(['a cannot be counted: no server']);
  });

  test('stand above their goals or at them, under names of their own', () => {
    expect(LIMITS.filter(({ limit, goal }) => limit < goal)).toEqual([]);
    expect(new Set(LIMITS.map(({ name }) => name)).size).toBe(LIMITS.length);
  });
});
