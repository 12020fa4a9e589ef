// Tests that the calls found between the ends of one declaration are its calls in the list of all calls.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { callSitesOfRow } from '../../grammar/assemble.ts';
import { outlineOf } from '../../grammar/parse.ts';

const ODD = `enum E { A(f()) { int g() { return f(); } }, B(h(() -> k())); E(int x) { this.x = m(x); } static { n(); } int x = o(); }
record R(int a) { R { p(a); } @Q(value = S.t) int u() { return new V() { { w(); } int y() { return z(); } }.y(); } }
class C extends D { C() { super(e()); } int i = j(), l = q(); { r(); } String s = "" + t(); }`;

test('in the samples, and where code stands in odd places', () => {
  const files = globSync('samples/shop/**/*.java').map(file => readFileSync(file, 'utf8'));
  expect(files.length).toBeGreaterThan(20);
  for (const text of [ODD, ...files]) {
    const all = outlineOf(text);
    const wanted = all.declarations.map(({ row }) => all.callSites.filter(({ declaration }) => declaration === row));
    // An outline whose list of all calls was never asked for.
    const lazy = outlineOf(text);
    expect(all.declarations.map(({ row }) => callSitesOfRow(lazy, row))).toEqual(wanted);
  }
});
