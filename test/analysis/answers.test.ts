// Answers about one look stay, the latest used ones.
import { expect, test } from 'vitest';
import { Answers } from '../../server/analysis/answers.ts';

test('surroundings stay known, the latest used 20,000 of them', () => {
  const answers = new Answers();
  const found = { callers: [] };
  for (let method = 0; method < 20_001; method++) {
    answers.keepSurroundings([method], found);
    answers.surroundingsOf([0]);
  }
  expect([0, 1, 2, 20_000].map(method => answers.lacksAround([method], ['callers']))).toEqual([
    false,
    true,
    false,
    false,
  ]);
});
