// Checks by simulated histories that a step of the size that is told to be seen is found eight times in ten, and half of it seldom.
import { expect, test } from 'vitest';
import { FINDING } from '../../server/track/series.ts';
import { forksFor, leastVisible } from '../../server/track/visible-steps.ts';
import { judged } from '../support/recordings/simulated-histories.ts';

/** Among fewer histories, a step that is found two times in ten may be found four times. */
const HISTORIES = 40;
const COMMITS = 24;
const FORKS = 2;

/** How many steps of such a size are found in the middle of a history without drift. */
function foundOf(step: number, noise: number): number {
  const truth = Array.from({ length: COMMITS }, (_, at) => (at < COMMITS / 2 ? 1000 : 1000 * (1 + step)));
  const history = { truth, planted: [COMMITS / 2], noise, machine: () => 1 };
  let found = 0;
  for (let seed = 1; seed <= HISTORIES; seed++) found += judged(history, seed * 31).found;
  return found / HISTORIES;
}

test.each([0.02, 0.05, 0.1, 0.17])('noise of %f', noise => {
  const least = leastVisible({ noise, forks: FORKS }, FINDING);
  expect(foundOf(least, noise)).toBeGreaterThan(0.6);
  expect(foundOf(1.5 * least, noise)).toBeGreaterThan(0.9);
  expect(foundOf(least / 2, noise)).toBeLessThan(0.4);
});

test('so many forks as a step needs make it visible, and one less does not', () => {
  for (const noise of [0.04, 0.1, 0.17])
    for (const step of [0.05, 0.1, 0.25]) {
      const forks = forksFor(step, noise, FINDING);
      expect(leastVisible({ noise, forks }, FINDING)).toBeLessThanOrEqual(step * (1 + 1e-9));
      if (forks > 1) expect(leastVisible({ noise, forks: forks - 1 }, FINDING)).toBeGreaterThan(step);
    }
  expect(leastVisible({ noise: 0.001, forks: 2 }, FINDING)).toBe(FINDING.leastChange);
});
