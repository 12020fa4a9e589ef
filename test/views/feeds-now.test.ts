// Tests how long a recorder may be silent before it is taken for gone.
import { expect, test } from 'vitest';
import type { LoadedData } from '../../server/analysis/loaded-data.ts';
import { feedsNow } from '../../server/views/feeds-now.ts';
import { loadedFrom } from '../support/profiles/loaded.ts';
import { profileOfText } from '../support/profiles/profiles.ts';

const START = Date.UTC(2026, 10, 20, 16, 10, 0);

/** Data whose last window has these moments. */
function dataOf(startMillis: number, endMillis: number): LoadedData {
  const data = loadedFrom(profileOfText('Shop.run | 1@1', { windows: 1, startMillis }));
  const windows = [{ ...data.profile.windows[0]!, startMillis, endMillis }];
  return { ...data, profile: { ...data.profile, windows }, provenance: { ...data.provenance, endMillis } };
}

test('a recorder feeds data until two windows and a minute have passed since the last one', () => {
  const seconds = (length: number, silent: number) =>
    feedsNow(dataOf(START, START + 1000 * length), START + 1000 * (length + silent));
  expect([0, 60, 79, 80].map(silent => seconds(10, silent))).toEqual([true, true, true, false]);
  expect([1259, 1260].map(silent => seconds(600, silent))).toEqual([true, false]);
});
