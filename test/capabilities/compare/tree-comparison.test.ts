// Tests comparisons of trees: the paper's examples, what any comparison keeps true, and matchings against the exact heaviest ones.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compared, type Drawn, drawn, type Told, totalOf } from '../../support/profiles/compared.ts';
import { runs } from '../../support/runs.ts';
import { heaviestMatching, weightOf } from './best-matching.ts';

const METHODS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Trees of which siblings differ in their methods. */
const trees: fc.Arbitrary<Drawn> = fc
  .array(fc.tuple(fc.nat(), fc.constantFrom(...METHODS), fc.integer({ min: 1, max: 40 })), {
    minLength: 1,
    maxLength: 11,
  })
  .map(rows => {
    const nodes: { method: string; self: number; calls: { method: string; self: number; calls: never[] }[] }[] = [
      { method: 'main', self: 1, calls: [] },
    ];
    for (const [at, method, self] of rows) {
      const above = nodes[at % nodes.length]!;
      if (above.calls.some(call => call.method === method)) continue;
      const node = { method, self, calls: [] };
      above.calls.push(node);
      nodes.push(node);
    }
    return nodes[0]!;
  });

/** All contexts of a tree, its top first. */
function contextsOf(tree: Drawn): Drawn[] {
  return [tree, ...tree.calls.flatMap(contextsOf)];
}

/** The tree with one of its contexts replaced by others. */
function replaced(tree: Drawn, what: Drawn, by: readonly Drawn[]): readonly Drawn[] {
  if (tree === what) return by;
  return [{ ...tree, calls: tree.calls.flatMap(call => replaced(call, what, by)) }];
}

function statesOf(told: readonly Told[]): Record<string, number> {
  const counts = { kept: 0, added: 0, removed: 0 };
  for (const { state } of told) counts[state]++;
  return counts;
}

function sum(told: readonly Told[], side: 0 | 1): number {
  return told.reduce((all, { self }) => all + self[side], 0);
}

const pickedTrees = fc.tuple(trees, fc.nat());
const pick = (tree: Drawn, at: number): Drawn => contextsOf(tree)[at % contextsOf(tree).length]!;

describe('the paper', () => {
  test('figure 5: an inner context and a leaf that are new', () => {
    const [b, c] = [(self: number) => drawn('B', self), (self: number) => drawn('C', self)];
    const first = drawn('A', 10, b(30), c(40), drawn('D', 20));
    const second = drawn('A', 10, drawn('E', 5, b(30), c(50)), drawn('D', 20, drawn('F', 15)));
    const told = compared([first], [second]).map(
      ({ path, state, total, children }) => [path, state, ...total, children] as const,
    );
    expect(told.toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ['/A', 'kept', 100, 130, 0],
      ['/A/D', 'kept', 20, 35, 0],
      ['/A/D/F', 'added', 0, 15, 0],
      ['/A/E', 'added', 0, 85, 70],
      ['/A/E/B', 'kept', 30, 30, 0],
      ['/A/E/C', 'kept', 40, 50, 0],
    ]);
  });

  test('the SAXBuilder: a context below an inserted one is kept', () => {
    const saxBuilder = (build: Drawn) =>
      drawn('BenchMark.main', 0, drawn('SAXBuilder.build(File)', 0, drawn('SAXBuilder.build(URL)', 0, build)));
    const rest = (parser: number, handler: number) => [
      drawn('createParser', parser),
      drawn('createContentHandler', handler),
    ];
    const first = saxBuilder(drawn('build', 9, drawn('parse', 495), ...rest(404, 34)));
    const proxy = drawn('parse_proxy', 1, drawn('new_method', 699), drawn('parse', 385));
    const second = saxBuilder(drawn('build', 0, proxy, ...rest(784, 36)));
    const byName = new Map(compared([first], [second]).map(each => [each.path.split('/').at(-1), each]));
    const height = (name: string): number => {
      const { state, total, children } = byName.get(name)!;
      const [before, now] = [total[0] / 942, total[1] / 1905];
      return Math.round(1000 * (state === 'kept' ? now - before : now - children / 942)) / 1000;
    };
    expect(byName.get('parse')).toMatchObject({ state: 'kept', total: [495, 385] });
    expect(height('parse')).toBe(-0.323);
    expect(height('createParser')).toBe(-0.017);
    expect(height('createContentHandler')).toBe(-0.017);
    expect(height('parse_proxy')).toBe(0.044);
    expect(height('new_method')).toBe(0.367);
    expect(height('build')).toBe(0);
    const growth = (name: string) => byName.get(name)!.total[1] - byName.get(name)!.total[0];
    expect([growth('createParser'), growth('parse')]).toEqual([380, -110]);
  });
});

describe('any comparison', () => {
  test('of equal trees finds no difference', () => {
    fc.assert(
      fc.property(trees, tree => {
        for (const { state, total } of compared([tree], [tree]))
          expect([state, total[1] - total[0]]).toEqual(['kept', 0]);
      }),
    );
  });

  test('says the same of both sides', () => {
    const text = ({ state, total, self, children, nearest }: Told) =>
      JSON.stringify([state, total, self, children, nearest]);
    const swapped = ({ state, total, self, ...others }: Told): Told => ({
      ...others,
      state: state === 'added' ? 'removed' : state === 'removed' ? 'added' : 'kept',
      total: [total[1], total[0]],
      self: [self[1], self[0]],
    });
    fc.assert(
      fc.property(trees, trees, (first, second) => {
        const there = compared([first], [second]).map(text);
        const back = compared([second], [first]).map(each => text(swapped(each)));
        expect(there.sort()).toEqual(back.sort());
      }),
      { numRuns: runs(500) },
    );
  });

  test('gives each sample to one context of its side', () => {
    fc.assert(
      fc.property(trees, trees, (first, second) => {
        const told = compared([first], [second]);
        const isIn = (side: 0 | 1) => told.filter(({ state }) => state !== (side === 0 ? 'added' : 'removed'));
        expect([sum(isIn(0), 0), sum(isIn(1), 1)]).toEqual([totalOf(first), totalOf(second)]);
        expect([sum(told, 0), sum(told, 1)]).toEqual([totalOf(first), totalOf(second)]);
      }),
    );
  });

  test('finds one added context where any context is wrapped in a new method', () => {
    fc.assert(
      fc.property(pickedTrees, ([tree, at]) => {
        const what = pick(tree, at);
        const wrapped = replaced(tree, what, [drawn('new', 0, what)]);
        expect(statesOf(compared([tree], wrapped))).toEqual({ kept: contextsOf(tree).length, added: 1, removed: 0 });
        expect(statesOf(compared(wrapped, [tree]))).toEqual({ kept: contextsOf(tree).length, added: 0, removed: 1 });
      }),
      { numRuns: runs(500) },
    );
  });

  test('keeps a context below twelve inserted levels, and gives up below thirteen', () => {
    const leaf = drawn('leaf', 9);
    const below = (levels: number): Drawn =>
      Array.from({ length: levels }, (_, at) => `new${at}`).reduce<Drawn>((inner, name) => drawn(name, 0, inner), leaf);
    const first = [drawn('main', 1, leaf)];
    expect(statesOf(compared(first, [drawn('main', 1, below(12))]))).toEqual({ kept: 2, added: 12, removed: 0 });
    expect(statesOf(compared(first, [drawn('main', 1, below(13))]))).toEqual({ kept: 1, added: 14, removed: 1 });
  });

  test('takes the amount of added levels as what is kept nearest below them', () => {
    const kept = (self: number) => drawn('work', self);
    const second = drawn('main', 0, drawn('outer', 0, drawn('inner', 2, kept(8))));
    const told = compared([drawn('main', 0, kept(10))], [second]);
    expect(told.map(({ path, total, children, nearest }) => [path, total[1], children, nearest])).toEqual([
      ['/main', 10, 0, 0],
      ['/main/outer', 10, 0, 10],
      ['/main/outer/inner', 10, 10, 10],
      ['/main/outer/inner/work', 8, 0, 0],
    ]);
  });

  test('takes calls from several lines as one context', () => {
    const first = [drawn('main', 1, drawn('log', 2), drawn('log', 3))];
    expect(compared(first, [drawn('main', 1, drawn('log', 6))]).map(({ path, total }) => [path, ...total])).toEqual([
      ['/main', 6, 7],
      ['/main/log', 5, 6],
    ]);
  });
});

describe('the matching', () => {
  /** Of the contexts that are kept. */
  function weight(first: Drawn, second: Drawn): number {
    const byTotals = (side: Drawn) => contextsOf(side).slice(1);
    let all = 0;
    for (const { state, path, total } of compared([first], [second])) {
      if (state !== 'kept' || path === '/main') continue;
      const method = path.split('/').at(-1)!;
      const find = (side: Drawn, amount: number) =>
        byTotals(side).find(each => each.method === method && totalOf(each) === amount)!;
      all += weightOf(find(first, total[0]), find(second, total[1]), [
        total[0] / totalOf(first),
        total[1] / totalOf(second),
      ]);
    }
    return all;
  }

  /** Every context has an amount of its own, by which it is found again. */
  function distinct(tree: Drawn): Drawn {
    let power = 1;
    const marked = (each: Drawn): Drawn => {
      power *= 1.37;
      return { ...each, self: each.self + power, calls: each.calls.map(marked) };
    };
    return marked(tree);
  }

  test('is the heaviest where one context was inserted or removed', () => {
    fc.assert(
      fc.property(pickedTrees, ([drawnTree, at]) => {
        const tree = distinct(drawnTree);
        const what = pick(tree, at);
        if (what === tree) return;
        const [wrapped] = replaced(tree, what, [drawn('new', 1, what)]);
        expect(weight(tree, wrapped!)).toBeCloseTo(heaviestMatching(tree, wrapped!), 9);
        expect(weight(wrapped!, tree)).toBeCloseTo(heaviestMatching(wrapped!, tree), 9);
      }),
      { numRuns: runs(300) },
    );
  });

  test('is never heavier than the heaviest, and nine tenths of it after changes of contexts and amounts', () => {
    let [found, best] = [0, 0];
    const changes = fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(trees, changes, trees, (tree, edits, other) => {
        const first = distinct(tree);
        let changed = tree;
        for (const [at, isInserted] of edits) {
          const what = pick(changed, at);
          if (what === changed) continue;
          const by = isInserted ? [drawn(METHODS[at % METHODS.length]!, 1, what)] : what.calls;
          [changed] = replaced(changed, what, by) as [Drawn];
        }
        const second = distinct(merged(changed));
        const [own, heaviest] = [weight(first, second), heaviestMatching(first, second)];
        expect(own).toBeLessThanOrEqual(heaviest + 1e-9);
        found += own;
        best += heaviest;
        const unlike = distinct(other);
        expect(weight(first, unlike)).toBeLessThanOrEqual(heaviestMatching(first, unlike) + 1e-9);
      }),
      { numRuns: runs(500), seed: 19 },
    );
    expect(found / best).toBeGreaterThan(0.9);
  });
});

/** Siblings of one method are one context. */
function merged(tree: Drawn): Drawn {
  const calls = new Map<string, Drawn>();
  for (const call of tree.calls) {
    const known = calls.get(call.method);
    calls.set(
      call.method,
      known === undefined ? call : drawn(call.method, known.self + call.self, ...known.calls, ...call.calls),
    );
  }
  return drawn(tree.method, tree.self, ...[...calls.values()].map(merged));
}
