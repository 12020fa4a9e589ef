// When two texts of a method are the same method, and when they are not.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outlineOf } from '../../grammar/parse.ts';
import { runs } from '../support/runs.ts';

function fingerprint(member: string): string {
  const { declarations } = outlineOf(`class A {\n${member}\n}`);
  return declarations[1]!.fingerprint;
}

const same: [one: string, other: string][] = [
  ['int f(int a) { return a + 1; }', 'int f ( int a ) {\n // x\n return a /* y */ + 1;\n}'],
  ['int f(int a) { int b = a; return b; }', 'int f(final int x) { final int y = x; return y; }'],
  ['int f(int a) { return f(a); }', 'int g(int a) { return g(a); }'],
  ['<T extends B> T f(List<T> l) { T t; return t; }', '<U extends B> U f(List<U> l) { U t; return t; }'],
  ['void f() { a: for (;;) break a; }', 'void f() { b: for (;;) break b; }'],
  ['void f() { this.n = this.g(); }', 'void f() { n = g(); }'],
  ['void f() { g(new B<C, D<E>>(1)); }', 'void f() { g(new B<>(1)); }'],
  ['int f() { return (a * b) + ((c)); }', 'int f() { return a * b + c; }'],
  ['void f() { g((x) -> (x + 1)); }', 'void f() { g(y -> y + 1); }'],
  ['@B @C(1) public static void f() { }', '@C(1) static @B public void f() { }'],
  ['int n = (1 + 2);', 'int m = 1 + 2;'],
  [
    'boolean f(Object o) { return o instanceof B b && b.c; }',
    'boolean f(Object p) { return p instanceof B q && q.c; }',
  ],
];
const different: [one: string, other: string][] = [
  ['int f(int a) { return a + 1; }', 'int f(int a) { return a + 2; }'],
  ['int f(int a, int b) { return a; }', 'int f(int a, int b) { return b; }'],
  ['void f(int n) { this.n = n; }', 'void f(int n) { n = n; }'],
  ['int f() { return a * (b + c); }', 'int f() { return a * b + c; }'],
  ['int f() { return a - (b - c); }', 'int f() { return a - b - c; }'],
  ['Object f() { return (B) (c); }', 'Object f() { return c; }'],
  ['int f() { return -(a + b); }', 'int f() { return -a + b; }'],
  ['@Transactional void f() { }', 'void f() { }'],
  ['void f() { a.g(); }', 'void f() { b.g(); }'],
  ['void f() { g(); }', 'void f() { h(); }'],
  ['void f() { "a b".g(); }', 'void f() { "a  b".g(); }'],
  ['void f() { new B<C>(); }', 'void f() { new B(); }'],
  ['int n = 1;', 'long n = 1;'],
  ['void f() { }', 'synchronized void f() { }'],
];

describe('same', () => {
  test.each(same)('%s', (one, other) => expect(fingerprint(one)).toBe(fingerprint(other)));
});
describe('different', () => {
  test.each(different)('%s', (one, other) => expect(fingerprint(one)).not.toBe(fingerprint(other)));
});

test('types, lambdas and anonymous classes carry none', () => {
  const { declarations } = outlineOf('class A { Object o = f(() -> new B() { }); enum E { X } }');
  const bare = declarations.filter(one => one.fingerprint === '').map(one => one.kind);
  expect(bare).toEqual(['class', 'lambda', 'anonymousClass', 'enum', 'enumConstant']);
});

type Tree = string | readonly [operator: string, left: Tree, right: Tree];
const strength: Record<string, number> = { '+': 12, '-': 12, '*': 13, '<<': 11, '&&': 5, '==': 9 };
const tree = fc.letrec<{ tree: Tree }>(tie => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a', 'b.c', 'd()', '1'),
    fc.tuple(fc.constantFrom(...Object.keys(strength)), tie('tree'), tie('tree')),
  ),
})).tree;

/** Java with parentheses everywhere, or with none but the needed ones. */
function print(node: Tree, everywhere: boolean, outer = 0): string {
  if (typeof node === 'string') return node;
  const [operator, left, right] = node;
  const own = strength[operator]!;
  const text = `${print(left, everywhere, own)} ${operator} ${print(right, everywhere, own + 1)}`;
  return everywhere || own < outer ? `(${text})` : text;
}

test('parentheses that the grammar implies do not count, others do', () => {
  fc.assert(
    fc.property(tree, tree, (one, other) => {
      const method = (text: string): string => fingerprint(`int f() { return ${text}; }`);
      expect(method(print(one, true))).toBe(method(print(one, false)));
      const isEqual = print(one, false) === print(other, false);
      expect(method(print(one, true)) === method(print(other, false))).toBe(isEqual);
    }),
    { numRuns: runs(300) },
  );
});

test.each(['toString', 'constructor', 'valueOf', 'hasOwnProperty'])(
  'parentheses around a call of %s do not count',
  name => {
    expect(fingerprint(`int f() { return (a.${name}()); }`)).toBe(fingerprint(`int f() { return a.${name}(); }`));
  },
);
