// Declarations of every kind, in every position, with the names that javac gives them.
import { describe, expect, test } from 'vitest';
import { outlineOf, skeletonOf } from '../../grammar/parse.ts';
import { declarationLines, membersOf } from './outline-text.ts';

const cases: [what: string, members: string, expected: string[]][] = [
  ['method', 'int f(String s) { return 1; }', ['method f(String s) : int @2']],
  ['dimensions after names', 'int f(int[] a[])[] { }', ['method f(int[][] a) : int[] @2']],
  ['varargs with annotations', 'void f(final @N String @M ... s) { }', ['method f(String[] s) : void @2']],
  ['receiver parameter', 'void f(@X A this, int i) { }', ['method f(int i) : void @2']],
  ['qualified receiver', 'A(B B.this) { }', ['constructor A @2']],
  ['generics vanish', 'Map<String, List<int[]>>.Entry<?> f() { }', ['method f : Map.Entry @2']],
  [
    'fields',
    'int a = f(), b[], c = x < y, d;',
    ['field a : int @2', 'field b : int[] @2', 'field c : boolean @2'.replace('boolean', 'int'), 'field d : int @2'],
  ],
  ['type arguments in a value', 'M m = new M<A, B>(), n;', ['field m : M @2', 'field n : M @2']],
  ['initialisers', 'static { }\n{ }', ['staticInitializer @2', 'instanceInitializer @3']],
  [
    'contextual words',
    'record record; var var; int yield(int sealed) { } module with; when when() { }',
    [
      'field record : record @2',
      'field var @2',
      'method yield(int sealed) : int @2',
      'field with : module @2',
      'method when : when @2',
    ],
  ],
  [
    'record',
    'record R<T>(int a, T... b) implements I { R { } }',
    ['record R(int a, T[] b) A$R @2', '  compactConstructor R @2'],
  ],
  [
    'enum with bodies',
    'enum E { A(1) { void f() { } }, @D B, C(x -> x) { }; int g; }',
    [
      'enum E A$E @2',
      '  enumConstant A A$E$1 @2',
      '    method f : void @2',
      '  enumConstant B @2',
      '  enumConstant C A$E$2 @2',
      '    lambda (x) @2'.replace('lambda (x)', 'lambda (x)'),
      '  field g : int @2',
    ],
  ],
  [
    'annotation type',
    '@interface N { int v() default 3; String[] w() default { "{" }; }',
    ['annotation N A$N @2', '  method v : int @2', '  method w : String[] @2'],
  ],
  [
    'sealed types',
    'sealed interface S permits T, U { } non-sealed class T implements S { } sealed sealed;',
    ['interface S A$S @2', 'class T A$T @2', 'field sealed : sealed @2'],
  ],
  [
    'lambdas',
    'Runnable r = () -> {\n  f(x -> y);\n};',
    ['field r : Runnable @2,4', '  lambda @2-4', '    lambda (x) @3'],
  ],
  [
    'anonymous classes',
    'Object o = new B(new C() { }) { };',
    ['field o : Object @2', '  anonymousClass A$2 @2', '  anonymousClass A$1 @2'],
  ],
  [
    'local types',
    'void f() { class L { } record R() { } { class L { } } enum E { } interface I { } }',
    [
      'method f : void @2',
      '  class L A$1L @2',
      '  record R A$1R @2',
      '  class L A$2L @2',
      '  enum E A$1E @2',
      '  interface I A$1I @2',
    ],
  ],
  [
    'escaped and foreign names',
    'int \\u0061b, größe, 変数;',
    ['field ab : int @2', 'field größe : int @2', 'field 変数 : int @2'],
  ],
  ['text blocks', 'String s = """\n  } "" { \\""" x\n  """; int n;', ['field s : String @2-4', 'field n : int @4']],
];

describe('members', () => {
  test.each(cases)('%s', (_what, members, expected) => {
    expect(membersOf(members)).toEqual(expected);
  });
});

test('anonymous classes in a chain: arguments come before the receiver', () => {
  expect(membersOf('Object o = a.f(new B() { }).g(new C() { });')).toEqual([
    'field o : Object @2',
    '  anonymousClass A$2 @2',
    '  anonymousClass A$1 @2',
  ]);
});

const orders: [what: string, call: string, numberOfFirst: number][] = [
  ['a lambda', 'f(x -> new B() { }, new C() { })', 2],
  ['a block lambda', 'f((int x) -> { return new B() { }; }, new C() { })', 2],
  ['a call', 'f(g(new B() { }), new C() { })', 2],
  ['a call on a created object', 'f(new B() { }.g(), new C() { })', 2],
  ['a call with type arguments', 'f(this.<D, E>g(new B() { }), new C() { })', 1],
  ['a diamond', 'f(new D<>(new B() { }), new C() { })', 2],
  ['a diamond with a body', 'f(new B<>() { }, new C() { })', 2],
  ['type arguments', 'f(new D<E>(new B() { }), new C() { })', 1],
  ['a conditional expression', 'f(a ? new B() { } : null, new C() { })', 2],
  ['a switch expression', 'f(switch (a) { default -> new B() { }; }, new C() { })', 2],
  ['parentheses', 'f((new B() { }), new C() { })', 2],
  ['a cast', 'f((D) new B() { }, new C() { })', 1],
  ['an operator', 'f(g(new B() { }) + "", new C() { })', 1],
  ['a lambda before its receiver', 'new B() { }.f(x -> new C() { })', 1],
  ['a constructor', 'new D(x -> new B() { }, new C() { })', 2],
];

// Verified with javac 17 and 25.
test.each(orders)('anonymous classes: javac leaves an argument until it knows the method: %s', (_what, call, first) => {
  const names = outlineOf(`class A { Object o = ${call}; }`).declarations.map(one => one.binaryName);
  expect(names.filter(name => name.includes('$'))).toEqual([`A$${first}`, `A$${3 - first}`]);
});

describe('files', () => {
  test('package, imports, annotations before both', () => {
    const outline = outlineOf(
      '@A package a.b; import x.Y; import x.*; import static x.Y.z; import static x.Y.*; import module java.base; class C { }',
    );
    expect(outline.packageName).toBe('a.b');
    expect(outline.imports.map(one => `${one.kind} ${one.name}`)).toEqual([
      'type x.Y',
      'onDemand x',
      'static x.Y.z',
      'staticOnDemand x.Y',
      'module java.base',
    ]);
    expect(declarationLines(outline)).toEqual(['class C a.b.C @1']);
  });

  test('a module declares nothing', () => {
    const outline = outlineOf('@D open module a.b { requires transitive c; opens d to e; provides f with g; }');
    expect([outline.declarations, outline.problems]).toEqual([[], []]);
  });

  const compact = 'int n = 1;\nvoid main() { new A() { }; }\nclass A { }\n';

  test('a compact source file is the body of a class called after the file', () => {
    const outline = outlineOf(compact, 'C:\\src\\Größe.java');
    expect(declarationLines(outline)).toEqual([
      'class Größe Größe @1',
      '  field n : int @1',
      '  method main : void @2',
      '    anonymousClass Größe$1 @2',
      '  class A Größe$A @3',
    ]);
    const { span, nameSpan, body } = outline.declarations[0]!;
    expect([span, nameSpan, body]).toEqual([
      { start: 0, end: compact.length - 1 },
      { start: 0, end: 0 },
      { start: 0, end: compact.length - 1 },
    ]);
    expect(skeletonOf(compact, 'src/B.java').declarations.map(one => one.binaryName)).toEqual(['B', '', '', 'B$A']);
  });

  test.each([
    ['no file is known', compact, ''],
    ['its name is none of a class', compact, 'src/a-b.java'],
    ['its name is a word of Java', compact, 'src/int.java'],
    ['it is no source', compact, 'src/C.class'],
    ['it is an ordinary file with too many braces', 'class C { void a() { } }\nvoid main() { }\n}\n', 'src/C.java'],
    [
      'a main of some class seems to stand outside',
      'class D {\n  void a() {\n  } }\n\n  static void main() {\n  }\n}\n',
      'src/C.java',
    ],
    ['there is a package clause', `package p;\n${compact}`, 'src/C.java'],
    ['a type has that name', 'void main() { }\nclass C { }\n', 'src/C.java'],
    ['nothing is called main', 'void run() { }\nint main;\n', 'src/C.java'],
  ])('there is no class around members when %s', (_, text, file) => {
    expect(outlineOf(text, file).declarations).toEqual(outlineOf(text).declarations);
  });

  test('a compact source file stays one while a brace is missing', () => {
    const { declarations } = outlineOf('void a() {\n  if (b) {\n}\n\nvoid main() {\n}\n', 'C.java');
    expect(declarations.map(({ kind, name, parent }) => [kind, name, parent])).toEqual([
      ['class', 'C', -1],
      ['method', 'a', 0],
      ['method', 'main', 0],
    ]);
  });

  test('the skeleton leaves bodies out and fingerprints empty', () => {
    const outline = skeletonOf('class A { Runnable r = () -> f(); void m() { new A() { }; } }');
    expect(declarationLines(outline)).toEqual(['class A A @1', '  field r : Runnable @1', '  method m : void @1']);
    expect(outline.declarations.map(one => one.fingerprint)).toEqual(['', '', '']);
  });

  test('lines leave out what is declared inside', () => {
    const lines = declarationLines(
      outlineOf(
        'class A {\n  void m() {\n    f(\n      x -> {\n        g();\n      });\n    new B() {\n      int z;\n    };\n  }\n}',
      ),
    );
    expect(lines).toEqual([
      'class A A @1',
      '  method m : void @2-3,6-7,9-10',
      '    lambda (x) @4-6',
      '    anonymousClass A$1 @7',
      '      field z : int @8',
    ]);
  });

  test('spans leave out comments in front', () => {
    const text = 'class A { /** doc */ @B(1) // x\n public int f() { return 1; } }';
    const { span, nameSpan, body } = outlineOf(text).declarations[1]!;
    expect(text.slice(span.start, span.end)).toBe('@B(1) // x\n public int f() { return 1; }');
    expect(text.slice(nameSpan.start, nameSpan.end)).toBe('f');
    expect(text.slice(body!.start, body!.end)).toBe('{ return 1; }');
  });
});
