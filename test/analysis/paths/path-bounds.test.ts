// Tests where the cost of a query for waits is a lower bound: of all time of threads, not of the part that was recorded.
import { expect, test } from 'vitest';
import { answer } from '../../../server/analysis/ask.ts';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import { TYPED } from '../../../server/model/time-types.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { profileOfStacks } from '../../support/profiles/profiles.ts';

const typed = (weight: number, ...frames: readonly string[]) => ({
  ...{ count: 20, weight },
  frames: frames.map(method => ({ method, line: 0 })),
});

const data = loadedFrom(
  profileOfStacks([typed(60, 'acme.Shop.run', ':IO'), typed(40, 'acme.Shop.run', ':RUN'), typed(900, ':UNRECORDED')], {
    metrics: [TYPED],
  }),
);

function boundOf(query: string, of: LoadedData = data): boolean {
  const wish = { query, aspects: [], view: null, refine: null, least: 1, most: 10 };
  const outcome = answer(of, 'paths', wish);
  if (outcome.kind !== 'answer') throw new Error(outcome.kind);
  return outcome.answer.certainty.lowerBound;
}

test.each([
  ['* ..:IO', true],
  ['* ..acme.Shop.run ..:IO', true],
  ['* ..:IO where * ..acme.Shop.run', false],
  ['* ..acme.Shop.run and not * ..:IO', false],
  ['* ..:RUN', false],
])('%s', (query, isLowerBound) => {
  expect(boundOf(query)).toBe(isLowerBound);
});

test('below a focus', () => {
  const { analysis } = data;
  const focused = { ...analysis, selection: { ...analysis.selection, focus: Int32Array.of(1) } };
  expect(boundOf('* ..:IO', { ...data, analysis: focused })).toBe(false);
});
