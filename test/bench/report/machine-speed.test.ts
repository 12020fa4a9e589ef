// The factor compares the reference work with the reference machine's, and a change between the first and the last time is told.
import { expect, test } from 'vitest';
import { type MachineSpeed, machineFactor, measureSpeed, REFERENCE, type Speed, speedText } from './machine-speed.ts';

const times = (factor: number): Speed => ({
  read: REFERENCE.read * factor,
  step: REFERENCE.step * factor,
  hash: REFERENCE.hash * factor,
  share: 1,
});

test('one is the reference machine, two takes twice as long, and each work counts alike', () => {
  expect(machineFactor(REFERENCE)).toBeCloseTo(1);
  expect(machineFactor(times(2), times(2))).toBeCloseTo(2);
  expect(machineFactor(times(1), times(4))).toBeCloseTo(2);
  for (const work of ['read', 'step', 'hash'] as const)
    expect(machineFactor({ ...REFERENCE, [work]: 8 * REFERENCE[work] })).toBeCloseTo(2);
});

test('this machine is measured', () => {
  const speed = measureSpeed();
  for (const nanos of Object.values(speed)) expect(nanos).toBeGreaterThan(0);
  // A read that waits for memory takes longer than a step, on every machine.
  expect(speed.read).toBeGreaterThan(speed.step);
  expect(machineFactor(speed)).toBeGreaterThan(0.01);
  expect(speed.share).toBeGreaterThan(0);
  expect(speed.share).toBeLessThan(1.05);
});

test('both moments, the factor and a change are in the text', () => {
  const told = (first: Speed, last: Speed, stolen: number | null): string => {
    const speed: MachineSpeed = { first, last, reference: REFERENCE, factor: machineFactor(first, last), stolen };
    return speedText(speed);
  };
  expect(told(times(2), times(2), null)).toMatch(
    /^Reference work.*: random read \d+ → \d+ ns \(\d+\), step .*, hash of a number .*\nFactor 2\.00: [^\n]*$/,
  );
  expect(told(times(1), times(2), 0.031)).toMatch(
    /\nRun it again .*: it became slower meanwhile, by a factor of 2\.00\n3 % of the processors/,
  );
  expect(told(times(1), { ...times(1), share: 0.45 }, null)).toMatch(
    /: the work had a processor for 100 % → 45 % of the time$/,
  );
  expect(told(times(2), times(1), null)).toMatch(/: it became faster meanwhile, by a factor of 2\.00$/);
});
