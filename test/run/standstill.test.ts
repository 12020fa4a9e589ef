// A suite is ended when nothing goes on in it, and not because the machine is slow.
import { expect, test } from 'vitest';
import { type Sight, Standstill } from './standstill.ts';

/** Looks every five seconds until the suite is ended or the time is over; gives the seconds at its end, and the words. */
function watch(sightAt: (seconds: number) => Omit<Sight, 'seconds'>, most = 20_000): [number, string | null] {
  const standstill = new Standstill({ seconds: 0, ...sightAt(0) });
  for (let seconds = 5; seconds <= most; seconds += 5) {
    const why = standstill.look({ seconds, ...sightAt(seconds) });
    if (why !== null) return [seconds, why];
  }
  return [most, null];
}

test('a suite that does nothing is ended after five minutes', () => {
  expect(watch(() => ({ events: 7, cpuSeconds: 12, crowd: 0 }))).toEqual([300, expect.stringContaining('standstill')]);
  // A process that ends takes its processor time with it: less time than before is no work.
  const fading = (seconds: number) => ({ events: 7, cpuSeconds: Math.max(0, 12 - seconds), crowd: 0 });
  expect(watch(fading)[0]).toBe(300);
});

test('a suite whose tests begin and end goes on, however little they work', () => {
  const slow = (seconds: number) => ({ events: Math.floor(seconds / 295), cpuSeconds: 0, crowd: 50 });
  expect(watch(slow)).toEqual([20_000, null]);
});

test('a test that works without end is ended, later where others want the processors too', () => {
  const spinning = (crowd: number) => (seconds: number) => ({ events: 1, cpuSeconds: seconds / crowd, crowd });
  expect(watch(spinning(1))).toEqual([900, expect.stringContaining('15 min')]);
  expect(watch(spinning(6))[0]).toBe(5400);
});

test('a test that works little by little goes on as long as a test may take', () => {
  const trickling = (seconds: number) => ({ events: 0, cpuSeconds: seconds / 200, crowd: 0.1 });
  expect(watch(trickling)[0]).toBe(900);
});
