// Checks from which age on data are compacted: the end of their whole span of the clock counts.
import { describe, expect, test } from 'vitest';
import { DEFAULT_LEVELS, levelAt, oldestLevelFirst } from '../../server/store/levels.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MIDNIGHT = Date.UTC(2026, 10, 20);
const [hours, days] = DEFAULT_LEVELS;

describe('the level of data', () => {
  const levels = oldestLevelFirst(DEFAULT_LEVELS);
  test.each([
    ['at the beginning of an hour that has just ended', 0, 1 * HOUR, undefined],
    ['at the end of an hour that has just ended', HOUR - 1, 1 * HOUR, undefined],
    ['of an hour that ended almost an hour ago', 0, 2 * HOUR - 1, undefined],
    ['of an hour that ended an hour ago', 0, 2 * HOUR, hours],
    ['at the beginning of an hour that ended an hour ago, as at its end', HOUR - 1, 2 * HOUR, hours],
    ['a day old, of a day that has just ended', 0, DAY, hours],
    ['of a day that ended almost a day ago', 0, 2 * DAY - 1, hours],
    ['of a day that ended a day ago', 0, 2 * DAY, days],
    ['at the end of a day that ended a day ago', DAY - 1, 2 * DAY, days],
  ] as const)('%s', (_what, start, now, expected) => {
    expect(levelAt(MIDNIGHT + start, levels, MIDNIGHT + now)).toBe(expected);
  });
});

test('the level of the greatest age comes first, in whatever order levels are given', () => {
  expect(oldestLevelFirst([hours!, days!])).toEqual([days, hours]);
  expect(oldestLevelFirst([days!, hours!])).toEqual([days, hours]);
});
