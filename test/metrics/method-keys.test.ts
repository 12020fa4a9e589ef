// Tests keys of methods: the same for the same names in any table, different for all others, and found again.
import { expect, test } from 'vitest';
import { MethodTableBuilder } from '../../server/cct/method-table.ts';
import { methodKeys } from '../../server/metrics/method-keys.ts';

function tableOf(methods: readonly (readonly [className: string, name: string, descriptor: string | null])[]) {
  const builder = new MethodTableBuilder();
  const rows = methods.map(([className, name, descriptor]) => builder.method(className, name, descriptor, 0));
  return { keys: methodKeys(builder.finish()), rows };
}

test('a key is that of the names, in whichever row they stand', () => {
  const one = tableOf([
    ['com.acme.Shop', 'search', '(I)V'],
    ['com.acme.Cart', 'add', null],
  ]);
  const other = tableOf([
    ['com.acme.Cart', 'add', null],
    ['com.acme.Shop', 'search', '(I)V'],
  ]);
  expect(one.keys.keyOf(one.rows[0]!)).toBe(other.keys.keyOf(other.rows[1]!));
  expect(one.keys.keyOf(one.rows[1]!)).toBe(other.keys.keyOf(other.rows[0]!));
  // A key lasts: a link that was copied today is to mean the same method with later versions of this program.
  expect(one.keys.keyOf(one.rows[0]!)).toBe('npCwO7bA');
  expect(one.keys.keyOf(one.rows[1]!)).toBe('vzbF64RX');
});

test('where one name ends and the next begins makes a difference', () => {
  const { keys, rows } = tableOf([
    ['a', 'bc', null],
    ['ab', 'c', null],
    ['', 'abc', null],
    ['a', 'b', 'c'],
  ]);
  expect(new Set(rows.map(row => keys.keyOf(row))).size).toBe(rows.length);
});

test('of 200,000 methods with similar names each has a key of its own, by which it is found', () => {
  const { keys, rows } = tableOf(
    Array.from({ length: 200_000 }, (_, i) => [`com.acme.p${i % 100}.Type${i >> 4}`, `m${i & 15}`, '()V'] as const),
  );
  expect(rows.filter(row => keys.rowOf(keys.keyOf(row)) !== row)).toEqual([]);
  expect(keys.keyOf(rows[7]!)).toMatch(/^[A-Za-z0-9_-]{8}$/);
  for (const key of ['????????', 'AAAAAAAA', '']) expect(keys.rowOf(key)).toBe(-1);
});
