// Overloads are told apart by what their types erase to, by lines where that ties, and never merged in silence.
import { expect, test } from 'vitest';
import { frameOf, where } from './where.ts';

const text = `package p;
import java.util.*;
import other.Date;
abstract class A<T, K extends Comparable<K>> {
  void run(T t) {}
  void run(K k) {}
  void run(int i) {}
  void run(int[] i) {}
  void run(String s, Object... rest) {}
  void run(Map.Entry<K, T> e) {}
  void run(Date d) {}
  void run(java.sql.Date d) {}
  <T extends Runnable> void shadow(T t) {}
  static <X> void shadow(X[] x) {}
  class Inner { void run(T t, K[] k) {} }
  static class Nested<T extends Inner> { void run(T t) {} }
  void same(A a) {
    a.toString();
  }
  void same(B b) {
    b.toString();
  }
  class B {}
}
`;

function run(parameters: string, qualified = 'p.A.run'): string {
  return where(text, frameOf(qualified, { descriptor: `(${parameters})V` }));
}

test.each([
  ['Ljava/lang/Object;', '5 method run: erased'],
  ['Ljava/lang/Comparable;', '6 method run: erased'],
  ['I', '7 method run: exact'],
  ['[I', '8 method run: exact'],
  ['Ljava/lang/String;[Ljava/lang/Object;', '9 method run: exact'],
  ['Ljava/util/Map$Entry;', '10 method run: exact'],
  ['Lother/Date;', '11 method run: exact'],
  ['Ljava/sql/Date;', '12 method run: exact'],
])('%s → %s', (parameters, expected) => {
  expect(run(parameters)).toBe(expected);
});

test('a type variable of the method hides that of the class', () => {
  expect(run('Ljava/lang/Runnable;', 'p.A.shadow')).toBe('13 method shadow: erased');
  expect(run('[Ljava/lang/Object;', 'p.A.shadow')).toBe('14 method shadow: erased');
});

test('type variables reach inner classes and are cut off by static ones', () => {
  expect(run('Ljava/lang/Object;[Ljava/lang/Comparable;', 'p.A$Inner.run')).toBe('15 method run: erased');
  expect(run('Lp/A$Inner;', 'p.A$Nested.run')).toBe('16 method run: erased');
});

test('behind static a name means what it means outside', () => {
  const cut = 'package p;\nimport other.T;\nclass C<T> {\n  static class S { void run(T t) {} }\n}\n';
  const frame = frameOf('p.C$S.run', { descriptor: '(Lother/T;)V' });
  expect(where(cut, frame)).toBe('4 method run: exact');
});

test('without a descriptor the line decides', () => {
  expect(where(text, frameOf('p.A.same', { line: 21 }))).toBe('20 method same: line');
});

test('what nothing tells apart is ambiguous, with all named', () => {
  expect(where(text, frameOf('p.A.same'))).toBe('17 method same | 20 method same: ambiguous');
});

test('a descriptor beats a line that has moved', () => {
  expect(where(text, frameOf('p.A.same', { descriptor: '(Lp/A$B;)V', line: 18 }))).toBe('20 method same: exact');
});

test('a single method of the name is found by name only', () => {
  expect(where('class A { void only() {} }', frameOf('A.only'))).toBe('1 method only: name only');
});

test('names that the class does not have are not found', () => {
  expect(where(text, frameOf('p.A.other'))).toBe('no source (no method other in class A)');
  expect(where(text, frameOf('p.C.run'))).toBe('no source (no type p.C in this file)');
});
