// Constructors, initialisers and members that nobody wrote: each frame finds the code that it runs.
import { expect, test } from 'vitest';
import { frameOf, where } from './where.ts';

const text = `package p;
class A {
  static int count = make();
  static {
    make();
  }
  int first = make();
  {
    make();
  }
  A() {
    this(1);
  }
  A(int x) {
    make();
  }
  class Inner {
    Inner(String s) {}
  }
  static int make() { return 1; }
  enum E {
    X(1), Y;
    E(int i) {}
    E() {}
  }
  record R(int x, String y) {
    R {
      make();
    }
  }
  record Bare(int x) {}
  static class Implicit {}
}
`;

test('constructors match by descriptor, with what the compiler adds left out', () => {
  expect(where(text, frameOf('p.A.<init>', { descriptor: '(I)V' }))).toBe('14 constructor A: exact');
  expect(where(text, frameOf('p.A$Inner.<init>', { descriptor: '(Lp/A;Ljava/lang/String;)V' }))).toBe(
    '18 constructor Inner: exact',
  );
  expect(where(text, frameOf('p.A$E.<init>', { descriptor: '(Ljava/lang/String;II)V' }))).toBe(
    '23 constructor E: exact',
  );
  expect(where(text, frameOf('p.A$R.<init>', { descriptor: '(ILjava/lang/String;)V' }))).toBe(
    '27 compactConstructor R: exact',
  );
});

test('a constructor reached through an accessor ends with a marker type', () => {
  const frame = frameOf('p.A.<init>', { descriptor: '(ILp/A$1;)V', flags: ['synthetic'] });
  expect(where(text, frame)).toBe('14 constructor A: exact');
});

test('lines of <init> go to the initialisers that it runs', () => {
  expect(where(text, frameOf('p.A.<init>', { descriptor: '(I)V', line: 7 }))).toBe('7 field first: line');
  expect(where(text, frameOf('p.A.<init>', { descriptor: '(I)V', line: 9 }))).toBe('8 instanceInitializer: line');
  expect(where(text, frameOf('p.A.<init>', { descriptor: '(I)V', line: 15 }))).toBe('14 constructor A: exact');
});

test('lines of <clinit> go to static initialisers; without a line it is the header', () => {
  expect(where(text, frameOf('p.A.<clinit>', { line: 3 }))).toBe('3 field count: line');
  expect(where(text, frameOf('p.A.<clinit>', { line: 5 }))).toBe('4 staticInitializer: line');
  expect(where(text, frameOf('p.A.<clinit>'))).toBe('2 class A: header (static initialisers of class A)');
  expect(where(text, frameOf('p.A$E.<clinit>', { line: 22 }))).toBe('22 enumConstant X | 22 enumConstant Y: ambiguous');
});

test('what the compiler writes stands at the header', () => {
  expect(where(text, frameOf('p.A$Implicit.<init>', { descriptor: '()V' }))).toBe(
    '32 class Implicit: header (implicit constructor of class Implicit)',
  );
  expect(where(text, frameOf('p.A$Bare.<init>', { descriptor: '(I)V' }))).toMatch(/^31 record Bare: header/);
  for (const name of ['x', 'toString', 'hashCode', 'equals']) {
    expect(where(text, frameOf(`p.A$Bare.${name}`))).toMatch(/^31 record Bare: header/);
  }
  for (const name of ['values', 'valueOf', '$values']) {
    expect(where(text, frameOf(`p.A$E.${name}`))).toMatch(/^21 enum E: header/);
  }
  expect(where(text, frameOf('p.A.access$000'))).toMatch(/^2 class A: generated/);
  expect(where(text, frameOf('p.A$1.<clinit>'))).toMatch(/^2 class A: generated/);
});

const generic = `package p;
class Foo implements Comparable<Foo>, Handler<String> {
  public int compareTo(Foo other) { return 0; }
  public void handle(String s) {}
  public void handle(Integer i) {}
  @Override public void take(String s) {}
  public void take(Number n) {}
}
class Narrow extends Base { }
class Base { public void visible(String s) {} }
`;

test('a bridge leads to the method that it forwards to', () => {
  const flags = ['bridge', 'synthetic'] as const;
  const bridge = (name: string, descriptor: string): string => where(generic, frameOf(name, { descriptor, flags }));
  expect(bridge('p.Foo.compareTo', '(Ljava/lang/Object;)I')).toBe(
    '3 method compareTo: generated (bridge to this method)',
  );
  expect(bridge('p.Foo.take', '(Ljava/lang/Object;)V')).toMatch(/^2 class Foo: header/);
  expect(bridge('p.Foo.handle', '(Ljava/lang/Object;)V')).toMatch(/^2 class Foo: header/);
  expect(bridge('p.Narrow.visible', '(Ljava/lang/String;)V')).toMatch(/^9 class Narrow: header/);
});

test('a bridge to an inherited method stands at the header, without flags of the class file too', () => {
  const inherited = (name: string, line?: number): string =>
    where(generic, frameOf(name, line === undefined ? {} : { line }));
  expect(inherited('p.Narrow.visible')).toBe('9 class Narrow: header (bridge in class Narrow to an inherited method)');
  expect(inherited('p.Narrow.elsewhere', 9)).toMatch(/^9 class Narrow: header/);
  expect(inherited('p.Narrow.elsewhere')).toBe('no source (no method elsewhere in class Narrow)');
  expect(inherited('p.Base.visibly', 10)).toBe('no source (no method visibly in class Base)');
});

const lombok = `package p;
@Data @Builder
class Person {
  private String name;
  private boolean isOld;
  @With private int age;
}
`;

test('members made by annotations go to the annotated field or type', () => {
  expect(where(lombok, frameOf('p.Person.getName'))).toBe('4 field name: generated (generated by annotation @Data)');
  expect(where(lombok, frameOf('p.Person.setOld'))).toBe('5 field isOld: generated (generated by annotation @Data)');
  expect(where(lombok, frameOf('p.Person.withAge'))).toBe('6 field age: generated (generated by annotation @With)');
  expect(where(lombok, frameOf('p.Person.hashCode'))).toBe('3 class Person: generated (generated by annotation @Data)');
  expect(where(lombok, frameOf('p.Person$PersonBuilder.build'))).toBe(
    '3 class Person: generated (generated by annotation @Builder)',
  );
  expect(where(lombok, frameOf('p.Person.getShoe'))).toMatch(/^no source/);
  // Names that every object of this language has mean nothing in Java.
  for (const name of ['constructor', 'valueOf', 'hasOwnProperty', '__proto__'])
    expect(where(lombok, frameOf(`p.Person.${name}`))).toMatch(/^no source/);
});

test('generated subclasses resolve to the method they override', () => {
  const source = 'package p; class Service { void call(int x) {} }';
  const classes = [
    'Service$$EnhancerBySpringCGLIB$$1a2b',
    'Service$$SpringCGLIB$$0',
    'Service$ByteBuddy$xY1',
    'Service$HibernateProxy$Q',
    'Service_$$_jvst12_0',
  ];
  for (const name of classes) {
    expect(where(source, frameOf(`p.${name}.call`, { descriptor: '(I)V' }))).toBe('1 method call: exact');
  }
  expect(where(source, frameOf('p.Service$$SpringCGLIB$$0.CGLIB$call$3', { descriptor: '(I)V' }))).toBe(
    '1 method call: exact',
  );
});

test('other languages are named', () => {
  expect(where('class A {}', frameOf('p.MainKt.main'))).toBe('no source (Kotlin code)');
  expect(where('class A {}', frameOf('p.Main$$anonfun$1.apply'))).toBe('no source (Scala code)');
  expect(where('class A {}', frameOf('p.Main$_run_closure1.doCall'))).toBe('no source (Groovy code)');
  expect(where('class A {}', frameOf('org.apache.jsp.index_jsp._jspService'))).toBe('no source (JSP code)');
});
