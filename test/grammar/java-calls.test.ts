// Call sites with the lines that javac gives them, implicit calls and locals.
import { expect, test } from 'vitest';
import { outlineOf, skeletonOf } from '../../grammar/parse.ts';
import { callLines, callsOf } from './outline-text.ts';

const cases: [statements: string, calls: string[]][] = [
  ['a.b()\n  .c(1,\n 2);', ['m: call b/0 @2', 'm: call c/2 @3']],
  ['foo\n  (1);', ['m: call foo/1 @3']],
  ['new\n  A<B, C>(1);', ['m: new A/1 @2']],
  [
    'f(new H<A, B>(), M<A, B>::new, a < b, c > d);',
    ['m: call f/4 @2', 'm: new H/0 @2', 'm: methodReference new/-1 @2'],
  ],
  ['list\n .stream()\n ::map;', ['m: call stream/0 @3', 'm: methodReference map/-1 @2']],
  ['x = int[]::new;', ['m: methodReference new/-1 @2']],
  ['this.<A, B>f(1, 2);', ['m: call f/2 @2']],
  [
    'x = switch (o) { case P(int a, Q(var b)) when (a > f()) -> g(); default -> { yield (h()); } };',
    [
      'm: implicit switch @2',
      'm: implicit recordPattern @2',
      'm: implicit recordPattern @2',
      'm: call f/0 @2',
      'm: call g/0 @2',
      'm: call h/0 @2',
    ],
  ],
  ['if (o instanceof P<Q>(int a) && f(a)) { }', ['m: implicit recordPattern @2', 'm: call f/1 @2']],
  ['for (A a :\n list) f(a);', ['m: implicit forEach @3', 'm: call f/1 @3']],
  ['for (M<?, ?> a : b) { }', ['m: implicit forEach @2']],
  ['x = "a" + b;', ['m: implicit concatenation @2']],
  ['x = -1 + 2; y = +z;', []],
  ['try (A a = open(); b) { }', ['m: implicit tryWithResources @2', 'm: call open/0 @2']],
  ['assert f();', ['m: implicit assert @2', 'm: call f/0 @2']],
  ['x = c ? y -> f() : z -> g(1);', ['lambda: call f/0 @2', 'lambda: call g/1 @2']],
  ['f((int a, B... b) -> { g(); }, h());', ['m: call f/2 @2', 'lambda: call g/0 @2', 'm: call h/0 @2']],
  ['f((A & B) x -> y, (C) () -> g());', ['m: call f/2 @2', 'lambda: call g/0 @2']],
  ['a.new B(1) { int c = d(); };', ['m: new B/1 @2', 'c: call d/0 @2']],
  ['@S({"a", "b"}) int x = f();', ['m: call f/0 @2']],
  ['when(1); record(2); of(yield);', ['m: call when/1 @2', 'm: call record/1 @2', 'm: call of/1 @2']],
];

test.each(cases)('%s', (statements, calls) => {
  expect(outlineOf(`class A { void m() {\n${statements}\n} }`).problems).toEqual([]);
  expect(callsOf(statements)).toEqual(calls);
});

test('a constructor calls super unless it says which', () => {
  const outline = outlineOf('class A { A() { } A(int a) { f(a); this(); } A(B b) { b.super(1); } }');
  const kinds = outline.callSites.map(site => `${site.declaration} ${site.kind} ${site.name} ${site.argumentCount}`);
  expect(kinds).toEqual(['1 implicit super -1', '2 call f 1', '2 this this 0', '3 super super 1']);
});

test('an enum constant makes its instance', () => {
  expect(callLines('enum E { A(f()),\n B { }; E() { } E(int a) { this(); } }')).toEqual([
    'A: implicit enumConstant @1',
    'A: call f/0 @1',
    'B: implicit enumConstant @2',
    'E: implicit superConstructor @2',
    'E: this this/0 @2',
  ]);
  expect(skeletonOf('enum E { A }').callSites).toEqual([]);
});

test('locals with their types as far as written', () => {
  const text = `class A { void m() { int a = 1, b[]; final Map<K, V[]>[] c; var d = e; for (X.Y f : g) { } try (Z h = i) { }
    catch (J | K l) { } if (o instanceof final Q<R> p && a < b) { } switch (s) { case T t -> { } case U(V v, var w) -> { } } a = b > c; } }`;
  expect(
    outlineOf(text).locals.map(
      local => `${local.name}:${local.type ? local.type.name + '[]'.repeat(local.type.dimensions) : '?'}`,
    ),
  ).toEqual(['a:int', 'b:int[]', 'c:Map[]', 'd:?', 'f:X.Y', 'h:Z', 'l:?', 'p:Q', 't:T', 'v:V', 'w:?']);
});
