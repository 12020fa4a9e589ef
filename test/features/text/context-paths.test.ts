// Tests that contexts of a list are told apart by the shortest call paths.
import { expect, test } from 'vitest';
import { contextPaths } from '../../../server/features/text/context-paths.ts';
import type { ListedMethod } from '../../../server/features/text/listed-method.ts';

/** `a.B.c(I) > …`, root first. */
function context(text: string) {
  const methods = text.split(' > ').map((name): ListedMethod => {
    const [, className = '', method = '', descriptor = null] = /^(.*)\.(\w+)(\(.*\))?$/.exec(name)!;
    return { className, method, descriptor: descriptor === null ? null : `${descriptor}V` };
  });
  return { ...methods.at(-1)!, above: methods.slice(0, -1) };
}

test.each([
  [['M.main > S.run > S.find'], ['S.find ← S.run']],
  [['S.find'], ['S.find']],
  [
    ['M.main > A.a > S.run > S.find', 'M.main > B.b > S.run > S.find', 'M.main > S.find'],
    ['S.find ← S.run ← A.a', 'S.find ← S.run ← B.b', 'S.find ← M.main'],
  ],
  [
    ['M.main > A.a > Q.q > P.p > S.run > S.find', 'M.main > B.b > Q.q > P.p > S.run > S.find'],
    ['S.find ← S.run ← … ← A.a', 'S.find ← S.run ← … ← B.b'],
  ],
  [
    ['a.M.main > a.S.find(I)', 'a.M.main > a.S.find(J)', 'a.M.main > b.S.find(J)'],
    ['a.S.find(int) ← a.M.main', 'a.S.find(long) ← a.M.main', 'b.S.find(long) ← a.M.main'],
  ],
  [
    ['S.f > S.f > S.f', 'S.f > S.f > S.f > S.f'],
    ['S.f ← S.f ← S.f', 'S.f ← S.f ← S.f ← S.f'],
  ],
])('%j', (contexts, paths) => expect(contextPaths(contexts.map(context))).toEqual(paths));

test('where the folded paths are equal they are written in full', () => {
  const chains = ['X.x > K.c > K.k > A.a > S.f', 'W.w > K.c > K.k > A.a > S.f', 'X.x > B.c > B.k > A.a > S.f'];
  const more = [...chains, 'W.w > B.c > B.k > A.a > S.f'];
  const paths = contextPaths(more.map(context));
  expect(new Set(paths).size).toBe(4);
});

test('of the deepest stacks', () => {
  const chain = (end: string) => context(`${`R.r > `.repeat(2000)}${end}`);
  expect(contextPaths([chain('A.a > S.f'), chain('B.b > S.f')])).toEqual(['S.f ← A.a', 'S.f ← B.b']);
});
