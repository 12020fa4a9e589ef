// Tests the questions that the page of pictures asks: tables, threads, windows of time and lines, against the raw stacks.
import { describe, expect, test } from 'vitest';
import { answer } from '../../server/analysis/ask.ts';
import type { Selection } from '../../server/analysis/selection.ts';
import { loadedFromText } from '../support/profiles/loaded.ts';

const PICTURE = `
Shop.run | 20@1
  Shop.search :4 | 5@9/1
    Shop.search :9 | 7@9
      Cart.add :9 | 11@3
  Cart.add :5 | 2@3/1
Other.main | 1@1`;

function loaded(selection: Selection = {}) {
  return loadedFromText(PICTURE, {}, {}, selection);
}

function keyOf(name: string, data = loaded()): string {
  const { methods } = data.profile;
  const row = Array.from({ length: methods.length }, (_, at) => at).find(
    at => `${methods.strings[methods.className[at]!]}.${methods.strings[methods.name[at]!]}` === name,
  );
  return data.answers.keysOf(methods).keyOf(row!);
}

function rowOf(name: string, data = loaded()): number {
  return data.answers.keysOf(data.profile.methods).rowOf(keyOf(name, data));
}

/** `Class.method total/self`, by count. */
function listed(wish: Partial<Parameters<typeof answer<'methodList'>>[2]>, selection: Selection = {}) {
  const data = loaded(selection);
  const all = { kind: 'methods', of: null, sort: 'total', search: null, from: 0, most: 500 } as const;
  const { value, problems } = answer(data, 'methodList', { ...all, ...wish });
  if (value === null) return problems[0]!.message;
  const { strings, className, name } = data.profile.methods;
  const rows = value.rows.map(
    ({ method, total, self }) =>
      `${strings[className[method]!]}.${strings[name[method]!]} ${total.count}/${self.count}`,
  );
  return [`${value.length} of ${value.whole.count}`, ...rows];
}

describe('the table of methods', () => {
  test('lists all that ran, heaviest first, a recursive method once a sample', () => {
    expect(listed({})).toEqual(['4 of 46', 'Shop.run 45/20', 'Shop.search 23/12', 'Cart.add 13/13', 'Other.main 1/1']);
  });

  test('sorts by self time and by name, and gives the rows of one page', () => {
    expect(listed({ sort: 'self', most: 2 })).toEqual(['4 of 46', 'Shop.run 45/20', 'Cart.add 13/13']);
    expect(listed({ sort: 'name', from: 1, most: 2 })).toEqual(['4 of 46', 'Other.main 1/1', 'Shop.run 45/20']);
  });

  test('lists who calls a method, and whom it calls', () => {
    expect(listed({ kind: 'callers', of: [rowOf('Shop.search')] })).toEqual([
      '2 of 46',
      'Shop.run 23/20',
      'Shop.search 18/12',
    ]);
    expect(listed({ kind: 'callees', of: [rowOf('Shop.run')] })).toEqual([
      '2 of 46',
      'Shop.search 23/12',
      'Cart.add 2/13',
    ]);
  });

  test('finds by small letters in any case, by capitals as they are written, or by an expression', () => {
    expect(listed({ search: 'shop.s' })).toEqual(['1 of 46', 'Shop.search 23/12']);
    expect(listed({ search: 'Shop.s' })).toEqual(['1 of 46', 'Shop.search 23/12']);
    expect(listed({ search: 'sHOp.s' })).toEqual(['0 of 46']);
    expect(listed({ search: '/\\.(add|main)$/' })).toEqual(['2 of 46', 'Cart.add 13/13', 'Other.main 1/1']);
  });

  test('says why a search means nothing', () => {
    expect(listed({ search: '/(/' })).toContain('is no expression');
  });

  test('ends an expression that backtracks without end', () => {
    const data = loadedFromText(`${'a'.repeat(60)}.b | 1@1`);
    const wish = { kind: 'methods', of: null, sort: 'total', search: '/^(a+)+$/', from: 0, most: 9 } as const;
    const { value, problems } = answer(data, 'methodList', wish);
    expect(value).toBeNull();
    expect(problems[0]!.message).toContain('takes too long');
  });
});

describe('a method over threads, windows of time and lines', () => {
  // Behind a count stand its line, thread and window.
  const data = (selection: Selection = {}) =>
    loadedFromText(
      `
Shop.run | 20@1 4@1#1
  Shop.search :4 | 5@9/1#1 3@8
    Shop.search :9 | 7@9/1
Other.main | 1@1#2`,
      {},
      {},
      selection,
    );
  const search = () => rowOf('Shop.search', data());

  test('each sample is in one thread, also one of a recursive method', () => {
    const rows = (methods: readonly number[] | null, selection: Selection = {}) =>
      answer(data(selection), 'threadList', { methods }).rows.map(({ name, total }) => `${name} ${total.count}`);
    expect(rows([search()])).toEqual(['pool-# 12', 'main 3']);
    expect(rows(null)).toEqual(['main 28', 'pool-# 12']);
    expect(rows(null, { focus: ['Shop.search'] })).toEqual(['pool-# 12', 'main 3']);
    expect(rows([search(), rowOf('Shop.run', data())])).toEqual(['main 27', 'pool-# 12']);
  });

  test('the part of a window is what is looked at, its whole everything without the focus', () => {
    const windows = (methods: readonly number[] | null, selection: Selection = {}) =>
      answer(data(selection), 'timeline', { methods, hottest: 0 }).map(
        ({ part, whole }) => `${part.count} of ${whole.count}`,
      );
    expect(windows(null)).toEqual(['30 of 30', '9 of 9', '1 of 1']);
    expect(windows([search()])).toEqual(['10 of 30', '5 of 9', '0 of 1']);
    expect(windows(null, { focus: ['Shop.search'] })).toEqual(['10 of 30', '5 of 9', '0 of 1']);
    expect(windows(null, { focus: ['Shop.search'], threads: ['main'] })).toEqual(['3 of 23', '0 of 4', '0 of 1']);
    const [, second] = data().profile.windows;
    const span = { from: second!.startMillis, to: second!.endMillis };
    expect(windows([search()], span)).toEqual(['5 of 9']);
  });

  test('the hottest methods of a window are those with most own time in its span alone', () => {
    for (const selection of [{}, { focus: ['Shop.search'] }, { threads: ['main'] }] as Selection[]) {
      const windows = answer(data(selection), 'timeline', { methods: null, hottest: 2 });
      for (const { from, to, hottest } of windows) {
        const { weight, count } = data({ ...selection, from, to }).values.own;
        const rows = [...weight.keys()].filter(row => weight[row]! > 0);
        rows.sort((x, y) => weight[y]! - weight[x]! || x - y);
        const own = rows.map(method => ({ method, own: { weight: weight[method], count: count[method] } }));
        expect(hottest).toEqual(own.slice(0, 2));
      }
      expect(windows.some(({ hottest }) => hottest.length > 0)).toBe(true);
    }
  });

  test('a line has what ran on it itself, and with what it calls', () => {
    const { value } = answer(data(), 'lineTimes', { of: keyOf('Shop.search', data()) });
    const lines = value?.lines.map(({ line, total, self }) => `${line}: ${total.count}, ${self.count}`);
    expect(lines).toEqual(['8: 3, 3', '9: 12, 12']);
  });
});
