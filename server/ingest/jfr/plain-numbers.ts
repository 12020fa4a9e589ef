// Reads fields that hold a plain number of any type.
import type { Cursor } from './cursor.ts';
import type { Field, Types } from './metadata.ts';

const NUMBERS = ['byte', 'char', 'short', 'int', 'long', 'float', 'double'] as const;

/** A type of number. */
export type NumberType = (typeof NUMBERS)[number];

/** The number type of a field; null when it holds something else. */
export function numberType(types: Types, field: Field | undefined): NumberType | null {
  const name = types.of(field)?.name;
  if (field === undefined || field.array || field.pooled) return null;
  return NUMBERS.find(each => each === name) ?? null;
}

/** The number at the cursor, signed; of a long exact below 2^53. */
export function readNumber(cursor: Cursor, type: NumberType): number {
  const { view, pos } = cursor;
  switch (type) {
    case 'long':
      return cursor.long();
    case 'int':
      return cursor.int();
    case 'char':
      return short(cursor) & 0xffff;
    case 'short':
      return (short(cursor) << 16) >> 16;
    case 'byte':
      return (cursor.byte() << 24) >> 24;
    case 'float':
      cursor.pos += 4;
      return view.getFloat32(pos);
    case 'double':
      cursor.pos += 8;
      return view.getFloat64(pos);
  }
}

function short(cursor: Cursor): number {
  if (cursor.compressed) return cursor.int();
  cursor.pos += 2;
  return cursor.view.getUint16(cursor.pos - 2);
}
