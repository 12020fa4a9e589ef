// Methods that AspectJ makes for advice around others belong to the written method whose lines they have.
import { expect, test } from 'vitest';
import { frameOf, where } from './where.ts';

const text = `package p;
class A {
  A() {
    start();
  }
  void run() {
    step();
  }
  void run(int times) {
    step();
  }
  void step() {
    log();
  }
  void mine_aroundBody0() {}
}
`;

const descriptor = '(Lp/A;Lorg/aspectj/lang/JoinPoint;)V';

test('lines choose among overloads', () => {
  const at = (line: number) => where(text, frameOf('p.A.run_aroundBody0', { descriptor, line }));
  expect(at(7)).toContain('6 method run');
  expect(at(10)).toContain('9 method run');
});

test('advice around a call has the lines of the caller', () => {
  expect(where(text, frameOf('p.A.log_aroundBody2', { descriptor, line: 13 }))).toContain('12 method step');
});

test('constructors, and methods of one name without lines', () => {
  expect(where(text, frameOf('p.A.init$_aroundBody4', { descriptor, line: 4 }))).toContain('3 constructor A');
  expect(where(text, frameOf('p.A.step_aroundBody6', { descriptor }))).toContain('12 method step');
});

test("the lines of advice are the aspect's", () => {
  const advice = frameOf('p.A.step_aroundBody7$advice', { descriptor, line: 7 });
  expect(where(text, advice)).toContain('12 method step');
});

test('a written method of such a name is itself', () => {
  expect(where(text, frameOf('p.A.mine_aroundBody0', { descriptor: '()V' }))).toContain('15 method mine_aroundBody0');
});
