// Checks when buckets are asked: after ends of windows by the clock, soon again where more may come, and never without a pause.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AskingTimes } from '../../../server/workspace/data/asking-times.ts';

const ASKING = { everyMillis: 30_000, lagMillis: 2_000, againMillis: 2_000 };
/** A full minute. */
const MINUTE = Date.UTC(2026, 0, 5, 12, 0);

/** Seconds after the full minute at which is asked, with answers that take so long and hold this. */
function asks(
  count: number,
  first: number,
  answer: (askedAt: number) => Partial<Parameters<AskingTimes['after']>[0]>,
): number[] {
  const times = new AskingTimes(ASKING);
  const asked = [first];
  while (asked.length < count) {
    const askedAt = MINUTE + asked.at(-1)! * 1000;
    const next = times.after({ askedAt, answeredAt: askedAt, hasNews: false, ends: [], ...answer(askedAt) });
    asked.push((next - MINUTE) / 1000);
  }
  return asked;
}

test('without anything to go by, shortly after each full and half minute', () => {
  expect(asks(5, 11.5, () => ({}))).toEqual([11.5, 32, 62, 92, 122]);
});

test('after an end that is foreseen, and again until what it promised is there', () => {
  const every = (seconds: number, late: number) => (askedAt: number) => {
    const millis = seconds * 1000;
    return { ends: [Math.floor(askedAt / millis + 1) * millis], hasNews: (askedAt % millis) / 1000 === late };
  };
  // A late window is followed by another question as well: others may be later still.
  expect(asks(7, 5, every(20, 2))).toEqual([5, 22, 24, 32, 42, 44, 62]);
  expect(asks(7, 5, every(20, 4))).toEqual([5, 22, 24, 28, 32, 42, 44]);
  expect(asks(8, 5, every(600, -1))).toEqual([5, 32, 62, 92, 122, 152, 182, 212]);
  expect(asks(24, 555, every(600, -1)).slice(2, 7)).toEqual([602, 604, 608, 616, 632]);
});

test('news are followed by another question, ever later as long as they last', () => {
  const far = { ends: [MINUTE + 3_600_000] };
  const asked = asks(6, 2, askedAt => ({ ...far, hasNews: askedAt < MINUTE + 10_000 }));
  expect(asked).toEqual([2, 4, 8, 16, 32, 62]);
});

test('a first window is followed by questions until a second one tells how long they are, for half a minute', () => {
  const first = (askedAt: number) => ({ hasNews: askedAt === MINUTE + 2_000 });
  expect(asks(10, 2, first)).toEqual([2, 4, 8, 12, 16, 20, 24, 28, 32, 62]);
  const second = (askedAt: number) => ({
    hasNews: askedAt === MINUTE + 2_000 || askedAt === MINUTE + 12_000,
    ends: askedAt < MINUTE + 12_000 ? [] : [MINUTE + 10_000 * Math.ceil(askedAt / 10_000 - MINUTE / 10_000)],
  });
  expect(asks(7, 2, second)).toEqual([2, 4, 8, 12, 14, 22, 24]);
});

test('an end is asked about although another question came between it and its time', () => {
  const ends = (askedAt: number) => ({ ends: [MINUTE + (askedAt < MINUTE + 40_000 ? 40_000 : 640_000)] });
  const hasNews = (askedAt: number) => askedAt === MINUTE + 37_000 || askedAt === MINUTE + 39_000;
  expect(asks(4, 37, askedAt => ({ ...ends(askedAt), hasNews: hasNews(askedAt) })).slice(0, 4)).toEqual([
    37, 39, 42, 44,
  ]);
});

test('an answer that took long is followed by a pause, however many ends there are and whatever clocks say', () => {
  const moment = fc.integer({ min: 0, max: 2 ** 45 });
  const answer = fc.record({
    took: fc.integer({ min: -100_000, max: 1_000_000 }),
    hasNews: fc.boolean(),
    ends: fc.array(moment, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(moment, fc.array(answer, { minLength: 1, maxLength: 20 }), (start, answers) => {
      const times = new AskingTimes(ASKING);
      let askedAt = start;
      for (const { took, ...said } of answers) {
        const answeredAt = askedAt + took;
        const next = times.after({ askedAt, answeredAt, ...said });
        expect(next - answeredAt).toBeGreaterThanOrEqual(Math.min(30_000, Math.max(2_000, took)));
        expect(next - answeredAt).toBeLessThanOrEqual(30_000);
        askedAt = next;
      }
    }),
  );
});
