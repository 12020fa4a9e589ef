// Tests that the output of commands cannot drive a terminal, with any content of a recording.
import { expect, test } from 'vitest';
import { formatTable } from '../../server/cli/output.ts';

test('tables align numbers right, show foreign text as it is safe, and long names by their ends', () => {
  const rows = [
    ['1', 'a\u001b[1m'],
    ['10', `b${'x'.repeat(200_000)}c`],
  ];
  expect(formatTable(['n', 'name'], rows, [0])).toBe(
    ` n  name\n 1  a\\u001b[1m\n10  b${'x'.repeat(149)}…${'x'.repeat(148)}c\n`,
  );
});

test('the last column is cut to the width of a terminal: parameters first, then the middle', () => {
  const rows = [
    ['10', 'com.acme.Shop.search(String, int)'],
    ['9', 'com.acme.shop.pricing.PriceEngine.price(Order)'],
    ['8', 'Cart.add(Item)'],
  ];
  const lines = [' n  name', '10  com.acme.Shop.search(…)', ' 9  com.acme.shop…ine.price(…)', ' 8  Cart.add(Item)'];
  expect(formatTable(['n', 'name'], rows, [0], 31).trimEnd().split('\n')).toEqual(lines);
});
