// Checks which names are offered for one that is not there.
import { expect, test } from 'vitest';
import { nearestNames } from '../../server/metrics/nearest-names.ts';

const NAMES = [
  'com.acme.Shop.search',
  'com.acme.Shop.learn',
  'com.acme.Shop$Cart.add',
  'org.other.Till.search',
  'main',
];

test.each([
  ['com.acme.Shop.serch', ['com.acme.Shop.search']],
  ['com.acme.Shop.SEARCH', ['com.acme.Shop.search']],
  ['com.acme.Shop.saerch', ['com.acme.Shop.search']],
  ['Shop.search', ['com.acme.Shop.search']],
  ['Cart.add', ['com.acme.Shop$Cart.add']],
  ['search', ['com.acme.Shop.search', 'org.other.Till.search']],
  ['com.acme.Shpo.search', ['com.acme.Shop.search']],
  ['org.other.Tills.search', ['org.other.Till.search']],
  ['mian', ['main']],
  ['earch', []],
  ['com.acme.Shop.xyzzy', []],
])('%s: %j', (wanted, expected) => expect(nearestNames(NAMES, wanted)).toEqual(expected));

test('best first: other case, end at a name boundary, then fewest different letters', () => {
  const names = ['Shop.searches', 'Shop.searcg', 'a.Shop.search', 'SHOP.SEARCH'];
  const best = ['SHOP.SEARCH', 'a.Shop.search', 'Shop.searcg', 'Shop.searches'];
  expect(nearestNames(names, 'Shop.search', 4)).toEqual(best);
  expect(nearestNames(names, 'Shop.search', 1)).toEqual(best.slice(0, 1));
});

test('equally near ones by name, and no more than asked', () => {
  expect(nearestNames(['b1', 'a1', 'c1', 'a1'], 'x1', 2)).toEqual([]);
  expect(nearestNames(['abc2', 'abc1', 'abc3', 'abc1'], 'abc4', 2)).toEqual(['abc1', 'abc2']);
});

test('names of thousands of letters are found by their ends only', () => {
  const long = 'x'.repeat(5_000);
  expect(nearestNames([`a.${long}`, `${long}y`], long)).toEqual([`a.${long}`]);
});
