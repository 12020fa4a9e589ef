// Skipping integers a word at a time against decoding them one by one, nine-byte integers with any last byte included.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Cursor, PADDING } from '../../../server/ingest/jfr/cursor.ts';
import { skipVarints } from '../../../server/ingest/jfr/skip-varints.ts';
import { runs } from '../../support/runs.ts';

/** LEB128 as the format has it: at most nine bytes, the ninth raw. */
function encode(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (let i = 0; i < 8; i++) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

// Small numbers as in most fields, keys of every size, and negative ones such as line −1.
const integer = fc.oneof(
  fc.bigInt({ min: 0n, max: 200n }),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 2n ** 49n, max: 2n ** 57n }),
  fc.constantFrom(2n ** 64n - 1n, 2n ** 56n, 2n ** 63n, 2n ** 53n, 2n ** 28n, 2n ** 56n - 1n),
);

/** As in stacks: long runs of integers of one to five bytes, now and then a longer one. */
const manyIntegers = fc.array(
  fc.oneof(
    { weight: 30, arbitrary: fc.bigInt({ min: 0n, max: 300n }) },
    { weight: 10, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 35n - 1n }) },
    { weight: 1, arbitrary: integer },
  ),
  { maxLength: 120 },
);

function inMemory(lead: number, values: readonly bigint[]): { bytes: Uint8Array; ends: number[]; end: number } {
  const content: number[] = new Array<number>(lead).fill(0xff);
  const ends = values.map(value => content.push(...encode(value)));
  const bytes = new Uint8Array(Math.ceil((content.length + PADDING) / 4) * 4);
  bytes.set(content);
  return { bytes, ends, end: content.length };
}

describe('integers', () => {
  test('are skipped to where decoding each would end, from any alignment', () => {
    fc.assert(
      fc.property(fc.nat(7), fc.oneof(manyIntegers, fc.array(integer, { maxLength: 60 })), (lead, values) => {
        const { bytes, ends, end } = inMemory(lead, values);
        const view = new DataView(bytes.buffer);
        for (let count = 0; count <= values.length; count++) {
          expect(skipVarints(view, lead, end, count)).toBe(count === 0 ? lead : ends[count - 1]);
        }
        expect(skipVarints(view, lead, end, values.length + 1)).toBe(-1);
      }),
      { numRuns: runs(500) },
    );
  });

  test('are read as keys exactly, as int by their low bits, and stepped over by as much', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.array(integer, { minLength: 1, maxLength: 10 }), (lead, values) => {
        const { bytes, ends, end } = inMemory(lead, values);
        const cursors = [0, 1, 2].map(() => new Cursor(bytes, end, true));
        for (const cursor of cursors) cursor.pos = lead;
        const [key, int, skip] = cursors as [Cursor, Cursor, Cursor];
        for (const [i, value] of values.entries()) {
          const read = key.key();
          expect(BigInt(read)).toBe(value);
          expect(typeof read).toBe(value < 2n ** 53n ? 'number' : 'bigint');
          expect(int.int()).toBe(Number(BigInt.asIntN(32, value)));
          skip.skip();
          for (const cursor of cursors) expect(cursor.pos).toBe(ends[i]);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
