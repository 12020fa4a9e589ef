// The tables that the JFR reader finds keys and texts with, against plain maps.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Cursor, type Key, PADDING } from '../../../server/ingest/jfr/cursor.ts';
import { InternedTexts } from '../../../server/ingest/jfr/interned-texts.ts';
import { KeyTable } from '../../../server/ingest/jfr/key-table.ts';
import { PoolEntries } from '../../../server/ingest/jfr/pools.ts';
import { Samples } from '../../../server/ingest/jfr/samples.ts';

/** Few small keys, so that many come again, and all sizes up to 64 bits. */
const keys: fc.Arbitrary<Key> = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: 0, max: 2 ** 32 }),
  fc.maxSafeNat(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
);

test('keys are numbered in order of appearance, again after the table was cleared', () => {
  const table = new KeyTable();
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 400 }), fc.array(keys), (added, asked) => {
      table.clear();
      const truth = new Map<Key, number>();
      for (const key of added) {
        if (!truth.has(key)) truth.set(key, truth.size);
        expect(table.add(key)).toBe(truth.get(key));
      }
      expect(table.length).toBe(truth.size);
      expect(table.keys()).toEqual([...truth.keys()]);
      for (const key of [...added, ...asked]) expect(table.find(key)).toBe(truth.get(key) ?? -1);
    }),
  );
});

test('of entries with one key the latest counts; key 0 is none', () => {
  const entries = new PoolEntries();
  for (let i = 0; i < 1000; i++) entries.set(i % 300, i);
  expect(entries.length).toBe(300);
  expect(entries.offset(entries.find(7))).toBe(907);
  expect([entries.find(0), entries.find(300)]).toEqual([-1, -1]);
});

/** A text as a compressed chunk (UTF-8 behind a varint, Latin-1) or another one (behind four bytes) holds it. */
function encoded(text: string, encoding: 'utf8' | 'latin1', compressed: boolean): Uint8Array {
  const bytes = Buffer.from(text, encoding);
  const { length } = bytes;
  const size = Buffer.from(compressed ? [(length & 0x7f) | 0x80, length >> 7] : [0, 0, length >> 8, length & 0xff]);
  const short = compressed && length < 0x80;
  return Buffer.concat([Buffer.of(encoding === 'utf8' ? 3 : 5), short ? Buffer.of(length) : size, bytes]);
}

test.each([true, false])('texts are told apart by their bytes; each is decoded once (compressed: %s)', compressed => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.string({ minLength: 126, maxLength: 131 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.boolean()), { minLength: 1, maxLength: 300 }), texts => {
      const parts = texts.map(([each, utf8]) => {
        const latin1 = !utf8 && [...each].every(char => char.codePointAt(0)! < 256);
        return encoded(each, latin1 ? 'latin1' : 'utf8', compressed);
      });
      const all = Buffer.concat(parts);
      const cursor = new Cursor(Buffer.concat([all, Buffer.alloc(PADDING)]), all.length, compressed);
      const decoded: string[] = [];
      const interned = new InternedTexts(each => decoded.push(each) - 1);
      let at = 0;
      for (const [i, part] of parts.entries()) {
        expect(decoded[interned.row(cursor, at)]).toBe(Buffer.from(texts[i]![0]).toString());
        at += part.length;
      }
      expect(decoded.length).toBe(new Set(parts.map(part => Buffer.from(part).toString('latin1'))).size);
    }),
  );
});

test('a table that few keys came to after many gives up its room, one that is used alike keeps it', () => {
  const table = new KeyTable();
  const filled = (count: number) => {
    for (let key = 0; key < count; key++) table.add(key * 977);
    expect(table.find((count - 1) * 977)).toBe(count - 1);
    const { capacity } = table;
    table.clear();
    expect(table.find(0)).toBe(-1);
    return capacity;
  };
  const [small, large] = [filled(10), filled(10_000)];
  expect(table.capacity).toBe(large);
  expect(filled(9000)).toBe(large);
  filled(10);
  expect(filled(10)).toBe(small);
});

test('samples that wait take little room, and what the others had serves the next reader', () => {
  const [one, other] = [new Samples(), new Samples()];
  const fill = (samples: Samples, count: number) => {
    for (let i = 0; i < count; i++) samples.push(i, i + 1, 1, i, i, i, i);
  };
  const rowsOf = ({ length, rule, stack, thread, ticks, weight, count, state }: Samples) =>
    [rule, stack, thread, ticks, weight, count, state].map(column => [...column.subarray(0, length)]);
  fill(one, 3000);
  const { ticks } = one;
  one.retain([5, 2999]);
  expect(one.capacity).toBeLessThan(100);
  fill(other, 3000);
  expect(other.ticks).toBe(ticks);
  fill(one, 2000);
  one.retain([0, 1, 1999]);
  const rows = [5, 2999, 1997];
  expect(rowsOf(one)).toEqual([rows, rows, [0, 0, 0], rows, rows, rows, rows]);
  other.clear();
  expect(other.capacity).toBe(0);
});
