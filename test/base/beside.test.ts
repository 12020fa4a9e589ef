// Tests that what stands beside an object is found with that very object alone.
import { expect, test } from 'vitest';
import { Beside } from '../../server/base/beside.ts';

test('a value stands beside its key, apart from others, and in no copy or list of it', () => {
  const [one, other] = [new Beside<object, number | undefined>(), new Beside<object, number>()];
  const key = { a: 1 };
  expect([one.has(key), one.get(key)]).toEqual([false, undefined]);
  one.set(key, 7);
  other.set(key, 8);
  expect([one.get(key), other.get(key), one.get({ a: 1 })]).toEqual([7, 8, undefined]);
  one.set(key, undefined);
  expect([one.has(key), one.get(key)]).toEqual([true, undefined]);
  expect(other.has({ ...key })).toBe(false);
  expect(other.has(Object.create(key))).toBe(false);
  expect(JSON.stringify(key)).toBe('{"a":1}');
});
