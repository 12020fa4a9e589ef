// Tests the types that a written type may be at run time, as ranked names, and that matching a descriptor agrees with them.
import { expect, test } from 'vitest';
import { outlineOf } from '../../grammar/parse.ts';
import { agree, erasureCandidates, RANK } from '../../server/mapping/erasure.ts';
import { indexOutline } from '../../server/mapping/outline-index.ts';

const index = indexOutline(
  outlineOf(`package p.q;
import java.util.*;
import a.b.Known;
class Outer<T extends Comparable<T> & Runnable> {
  class In { }
  <U extends T> void m(T t, U[] u, Known known, In in, Foo foo, long number, String... rest) { }
  static <T> void s(T t, Map.Entry<T, T> entry) { }
}`),
);

const cases: [method: string, parameter: string, candidates: string[]][] = [
  ['m', 't', ['p.q.Comparable', 'java.lang.Comparable', 'java.util.Comparable', 'Comparable', 'java.lang.Object']],
  [
    'm',
    'u',
    ['p.q.Comparable[]', 'java.lang.Comparable[]', 'java.util.Comparable[]', 'Comparable[]', 'java.lang.Object[]'],
  ],
  ['m', 'known', ['a.b.Known']],
  ['m', 'in', ['p.q.Outer$In']],
  ['m', 'foo', ['p.q.Foo', 'java.lang.Foo', 'java.util.Foo', 'Foo', 'java.lang.Object']],
  ['m', 'number', ['long']],
  ['m', 'rest', ['p.q.String[]', 'java.lang.String[]', 'java.util.String[]', 'String[]', 'java.lang.Object[]']],
  ['s', 't', ['java.lang.Object']],
  ['s', 'entry', ['Map.Entry']],
];

test.each(cases)('%s(… %s …)', (method, parameter, candidates) => {
  const declaration = index.outline.declarations.find(one => one.name === method)!;
  const type = declaration.parameters.find(one => one.name === parameter)!.type!;
  expect(erasureCandidates(index, declaration.row, type)).toEqual(candidates);
  const ranks = candidates.map(candidate => {
    const name = candidate.replaceAll('[]', '');
    return agree(index, declaration.row, type, { name, dimensions: (candidate.length - name.length) / 2 }).rank;
  });
  expect(ranks.every(rank => rank < RANK.none)).toBe(true);
});
