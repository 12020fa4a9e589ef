// Tests which methods are traced, summed up or left out by their rates, and what is taken as a filter.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CallRate,
  fitsFilter,
  isSamePlan,
  planTiming,
  type TimingPlan,
  timingFilter,
} from '../../server/record/timing-plan.ts';
import { absenceProblem, planProblems } from '../../server/record/timing-words.ts';
import { runs } from '../support/runs.ts';

const rates: fc.Arbitrary<CallRate[]> = fc
  .array(fc.oneof(fc.double({ min: 0, max: 2_000, noNaN: true }), fc.double({ min: 0, max: 1e7, noNaN: true })))
  .map(all => all.map((rate, i) => ({ filter: `A::m${i}`, rate })));

const sum = (all: readonly CallRate[]) => all.reduce((total, { rate }) => total + rate, 0);
const most = (all: readonly CallRate[]) => Math.max(Number.NEGATIVE_INFINITY, ...all.map(({ rate }) => rate));
const least = (all: readonly CallRate[]) => Math.min(Number.POSITIVE_INFINITY, ...all.map(({ rate }) => rate));

test('each method goes one way, rare ones first, and neither way takes more than a hundredth of a processor', () => {
  fc.assert(
    fc.property(rates, all => {
      const { traced, summed, leftOut } = planTiming(all);
      expect([...traced, ...summed, ...leftOut].toSorted((a, b) => a.rate - b.rate)).toEqual(
        all.toSorted((a, b) => a.rate - b.rate),
      );
      expect(most(traced)).toBeLessThanOrEqual(1_000);
      expect(most(traced)).toBeLessThanOrEqual(least(summed));
      expect(most(summed)).toBeLessThanOrEqual(least(leftOut));
      expect(sum(traced) * 1e-6).toBeLessThanOrEqual(0.01);
      expect(sum(summed) * 75e-9).toBeLessThanOrEqual(0.01);
      // The next one would be too much.
      if (summed.length > 0) expect(least(summed) > 1_000 || (sum(traced) + least(summed)) * 1e-6 > 0.01).toBe(true);
      if (leftOut.length > 0) expect((sum(summed) + least(leftOut)) * 75e-9).toBeGreaterThan(0.01);
    }),
    { numRuns: runs(300) },
  );
});

test('a plan is the same whatever the rates are', () => {
  const plan = (rate: number): TimingPlan => planTiming([{ filter: 'A::a', rate }]);
  expect(isSamePlan(plan(1), plan(999))).toBe(true);
  expect(isSamePlan(plan(1), plan(1_001))).toBe(false);
});

test.each([
  ['com.acme.Shop', 'com.acme.Shop'],
  ['com.acme.Shop::search', 'com.acme.Shop::search'],
  ['com.acme.Shop.search', 'com.acme.Shop::search'],
  ['Shop.search', 'Shop::search'],
  ['com.acme.Shop.<init>', 'com.acme.Shop::<init>'],
  ['com.acme.Shop::<clinit>', 'com.acme.Shop::<clinit>'],
  ['com.acme.Shop$Inner', 'com.acme.Shop$Inner'],
  ['com.acme.Shop$Inner.run', 'com.acme.Shop$Inner::run'],
  ['com.äcme.Größe::größer', 'com.äcme.Größe::größer'],
  ['@jakarta.ws.rs.GET', '@jakarta.ws.rs.GET'],
  ['com.acme.shop', 'com.acme.shop'],
  ['com.acme.**', null],
  ['com.acme.Shop::search;java.lang.String', null],
  ['com.acme.Shop search', null],
  ['@jakarta.ws.rs.GET::x', null],
  ['com/acme/Shop', null],
  ['Shop::', null],
  ['', null],
])('%s is the filter %s', (text, filter) => {
  expect(timingFilter(text)).toBe(filter);
});

test('a filter means its method, or all of its class and of no other', () => {
  expect(fitsFilter('a.Shop', 'a.Shop::find')).toBe(true);
  expect(fitsFilter('a.Shop::find', 'a.Shop::find')).toBe(true);
  expect(fitsFilter('a.Shop::fin', 'a.Shop::find')).toBe(false);
  expect(fitsFilter('a.Shop', 'a.Shop$Inner::find')).toBe(false);
});

test('a plan in words names what callers are not known of, and what is not timed', () => {
  const plan = planTiming([12, 40_000, 3e6].map((rate, i) => ({ filter: `A::m${i}`, rate })));
  expect(planProblems(plan, 'JVM 1').map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'info: times each call of 1 method with its caller, and sums of 1 method: about 0.3 % of a processor',
    'info: of these, callers are not known (more than 1,000 calls a second each, or too many together): A.m1 (40,000 calls a second)',
    'warning: these are not timed, as even sums would take 23 % of a processor: A.m2 (3,000,000 calls a second)',
  ]);
  expect(planProblems(planTiming([]), 'JVM 1')).toEqual([]);
});

test('a filter without a method is told with what to do', () => {
  expect(absenceProblem('a.Shop::find', false, '').message).toBe('no class a.Shop is loaded');
  expect(absenceProblem('a.Shop::find', true, '').message).toBe(
    'the class a.Shop has no method find with code of its own',
  );
  expect(absenceProblem('a.Shop', true, '').message).toBe('the class a.Shop has no method with code of its own');
  expect(absenceProblem('@a.Get', false, '').message).toBe('no method has the annotation @a.Get');
});
