// Tests where the cost of a query for waits is a lower bound, of all time of threads, and where it is a share of what was recorded.
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

function certaintyOf(query: string, of: LoadedData = data) {
  const wish = { query, aspects: [], view: null, refine: null, least: 1, most: 10 };
  const outcome = answer(of, 'paths', wish);
  if (outcome.kind !== 'answer') throw new Error(outcome.kind);
  return outcome.answer.certainty;
}

const NOTHING = { lowerBound: false, estimated: false, ofRecorded: false };
const LEAST = { ...NOTHING, lowerBound: true };
const PART = { ...NOTHING, ofRecorded: true };

test.each([
  ['* ..:IO', LEAST],
  ['* ..acme.Shop.run ..:IO', LEAST],
  ['* ..:IO where * ..acme.Shop.run', PART],
  ['* ..acme.Shop.run and not * ..:IO', PART],
  ['* ..:RUN', NOTHING],
])('%s', (query, wanted) => {
  expect(certaintyOf(query)).toEqual(wanted);
});

test('below a focus', () => {
  const { analysis } = data;
  const focused = { ...analysis, selection: { ...analysis.selection, focus: Int32Array.of(1) } };
  expect(certaintyOf('* ..:IO', { ...data, analysis: focused })).toEqual(PART);
});
