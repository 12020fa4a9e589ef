// Tests how well the cost of a query is known, by the types that it names and by who told them.
import { describe, expect, test } from 'vitest';
import { certaintyOf, namesTimeType } from '../../../server/capabilities/typed/door.ts';
import { TIME_TYPES, TYPED } from '../../../server/model/time-types.ts';
import { CPU, profileOfStacks } from '../../support/profiles/profiles.ts';

/** A profile of processor samples and of estimated typed time. @param types its types */
function profileWith(...types: readonly string[]) {
  const samples = types.map(method => ({
    metric: 1,
    frames: [
      { method: 'Shop.run', line: 3 },
      { method, line: 0 },
    ],
  }));
  return profileOfStacks(samples, { metrics: [CPU, { ...TYPED, estimated: true }] });
}

const OF_EVENTS = profileWith(':MONITOR', ':RUN', ':UNRECORDED');
const OF_DUMPS = profileWith(':MONITOR', ':RUN');
const NOTHING = { lowerBound: false, estimated: false, ofRecorded: false };

describe('a query', () => {
  test.each(Object.entries(TIME_TYPES))('for %s', (type, { known }) => {
    const wanted = { ...NOTHING, lowerBound: known === 'lowerBound', estimated: known === 'estimate' };
    for (const query of [type, `* ..${type}`, `(a.B | ${type})`]) {
      expect(certaintyOf(OF_EVENTS, 1, query)).toEqual(wanted);
      expect(certaintyOf(OF_DUMPS, 1, query)).toEqual({ ...wanted, lowerBound: false });
      expect(certaintyOf(OF_EVENTS, 0, query)).toEqual(NOTHING);
      const ofPart = { ...wanted, lowerBound: false };
      expect(certaintyOf(OF_EVENTS, 1, query, { holdsAll: false })).toEqual({ ...ofPart, ofRecorded: true });
      expect(certaintyOf(OF_DUMPS, 1, query, { holdsAll: false })).toEqual(ofPart);
      expect(certaintyOf(OF_EVENTS, 0, query, { holdsAll: false })).toEqual(NOTHING);
      expect(namesTimeType(query)).toBe(true);
    }
  });

  test('that names no type, or a longer word', () => {
    for (const query of ['* ..Shop.run', 'a:RUN', '* ..:RUNS'])
      expect(certaintyOf(OF_EVENTS, 1, query)).toEqual(NOTHING);
    expect(namesTimeType('* ..Shop.run')).toBe(false);
  });

  test('in the Server View is of running threads, whatever it names', () => {
    expect(certaintyOf(OF_EVENTS, 1, '* ..Shop.run', { isServer: true })).toEqual({ ...NOTHING, estimated: true });
    expect(certaintyOf(OF_EVENTS, 1, '* ..:MONITOR', { isServer: true, holdsAll: false })).toEqual({
      ...NOTHING,
      estimated: true,
    });
  });
});
