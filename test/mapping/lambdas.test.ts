// Lambdas are found by name and line, by numbering where lines do not decide; anonymous and local classes by name, then by lines.
import { expect, test } from 'vitest';
import { frameOf, where } from './where.ts';

const text = `package p;
class A {
  Runnable field = () -> f();
  static Runnable S = () -> f();
  void run() {
    Runnable a = () -> {
      Runnable b = () -> f();
      b.run();
    };
    Runnable c = () -> f(), d = () -> g();
  }
  void run(int x) {
    java.util.function.IntFunction<int[]> make = int[]::new;
    Runnable e = () -> f();
  }
  A() {
    Runnable g = () -> f();
  }
  static void f() {}
  static void g() {}
}
`;

const siblings = (names: readonly string[]) => names.map(name => frameOf(`p.A.${name}`));

test('name and line find a lambda', () => {
  expect(where(text, frameOf('p.A.lambda$new$0', { line: 3 }))).toBe('3 lambda: line');
  expect(where(text, frameOf('p.A.lambda$static$1', { line: 4 }))).toBe('4 lambda: line');
  expect(where(text, frameOf('p.A.lambda$run$9', { line: 8 }))).toBe('6 lambda: line');
  expect(where(text, frameOf('p.A.lambda$run$9', { line: 14 }))).toBe('14 lambda: line');
  expect(where(text, frameOf('p.A.lambda$null$2', { line: 7 }))).toBe('7 lambda: line');
  expect(where(text, frameOf('p.A.lambda$4', { line: 17 }))).toBe('17 lambda: line');
});

test('names alone are numbered inner first, one counter a class, up to JDK 22', () => {
  const all = siblings([
    'lambda$new$0',
    'lambda$static$1',
    'lambda$run$2',
    'lambda$run$3',
    'lambda$run$4',
    'lambda$run$5',
    'lambda$run$6',
    'lambda$run$7',
    'lambda$new$8',
  ]);
  const found = all.map(frame => `${frame.name} ${where(text, frame, all)}`);
  expect(found).toEqual([
    'lambda$new$0 3 lambda: name only',
    'lambda$static$1 4 lambda: name only',
    'lambda$run$2 7 lambda: name only',
    'lambda$run$3 6 lambda: name only',
    'lambda$run$4 10 lambda: name only',
    'lambda$run$5 10 lambda: name only',
    'lambda$run$6 12 method run: generated (method reference in this code)',
    'lambda$run$7 14 lambda: name only',
    'lambda$new$8 17 lambda: name only',
  ]);
});

test('and outer first, one counter a method name, from then on', () => {
  const all = siblings([
    'lambda$new$0',
    'lambda$new$1',
    'lambda$static$0',
    'lambda$run$0',
    'lambda$run$1',
    'lambda$run$2',
    'lambda$run$3',
    'lambda$run$4',
    'lambda$run$5',
  ]);
  const found = all.map(frame => `${frame.name} ${where(text, frame, all)}`);
  expect(found).toEqual([
    'lambda$new$0 3 lambda: name only',
    'lambda$new$1 17 lambda: name only',
    'lambda$static$0 4 lambda: name only',
    'lambda$run$0 6 lambda: name only',
    'lambda$run$1 7 lambda: name only',
    'lambda$run$2 10 lambda: name only',
    'lambda$run$3 10 lambda: name only',
    'lambda$run$4 12 method run: generated (method reference in this code)',
    'lambda$run$5 14 lambda: name only',
  ]);
});

test('two on one line are told apart by their numbers', () => {
  const first = frameOf('p.A.lambda$run$2', { line: 10 });
  const second = frameOf('p.A.lambda$run$3', { line: 10 });
  const all = [frameOf('p.A.lambda$static$0'), frameOf('p.A.lambda$new$0'), first, second];
  const column = (answer: string): string => answer.slice(0, 'xx lambda'.length);
  expect(column(where(text, first, all))).toBe('10 lambda');
  expect(column(where(text, second, all))).toBe('10 lambda');
});

const nested = `package p;
class B {
  Object a() {
    return new Object() {
      public String toString() {
        return "a";
      }
    };
  }
  Object b() {
    class Local {
      int x = 1;
      Local(int own) {}
    }
    return new Object() {
      { new Local(2); }
      public String toString() {
        return "b";
      }
    };
  }
}
`;

test('anonymous and local classes are found by number', () => {
  expect(where(nested, frameOf('p.B$1.toString'))).toBe('5 method toString: name only');
  expect(where(nested, frameOf('p.B$2.toString'))).toBe('17 method toString: name only');
  expect(where(nested, frameOf('p.B$2.<init>', { descriptor: '(Lp/B;)V' }))).toBe(
    '15 anonymousClass: header (implicit constructor of anonymous class)',
  );
  expect(where(nested, frameOf('p.B$1Local.<init>', { descriptor: '(Lp/B;ILjava/lang/String;)V' }))).toBe(
    '13 constructor Local: exact',
  );
});

test('lines win over the number, which other compilers give differently', () => {
  expect(where(nested, frameOf('p.B$1.toString', { line: 18 }))).toBe('17 method toString: line');
  expect(where(nested, frameOf('p.B$2.toString', { line: 18 }))).toBe('17 method toString: line');
  expect(where(nested, frameOf('p.B$1.toString', { line: 99 }))).toBe('5 method toString: name only');
});
