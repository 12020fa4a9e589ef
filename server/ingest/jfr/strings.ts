// Decodes the encoded strings of a JFR chunk.
import { Buffer } from 'node:buffer';
import type { Cursor } from './cursor.ts';
import { FormatError } from './format-error.ts';
import { skipVarints } from './skip-varints.ts';

/** Encodings of a string: the byte that stands before it. */
export const ENCODING = { null: 0, empty: 1, pool: 2, utf8: 3, utf16: 4, latin1: 5 } as const;

/** Reads a string that is given in place; null, and references into the pool, give an empty one. Leaves the cursor behind it. */
export function readString(cursor: Cursor): string {
  const at = cursor.pos;
  const encoding = cursor.byte();
  switch (encoding) {
    case ENCODING.null:
    case ENCODING.empty:
      return '';
    case ENCODING.pool:
      cursor.key();
      return '';
    case ENCODING.utf8:
    case ENCODING.latin1: {
      const length = cursor.count('string byte');
      const start = cursor.pos;
      cursor.pos += length;
      if (encoding === ENCODING.latin1) return cursor.buffer.toString('latin1', start, cursor.pos);
      return utf8(cursor.buffer, start, cursor.pos);
    }
    case ENCODING.utf16:
      return readUnits(cursor);
    default:
      throw new FormatError(`string encoding ${encoding} is unknown`, at);
  }
}

/** The JVM writes symbols in its own UTF-8: characters beyond U+FFFF are two surrogates of three bytes each, U+0000 is two bytes. */
function utf8(buffer: Buffer, start: number, end: number): string {
  const text = buffer.toString('utf8', start, end);
  return text.includes('\uFFFD') ? modifiedUtf8(buffer, start, end) : text;
}

function modifiedUtf8(bytes: Uint8Array, start: number, end: number): string {
  const parts: string[] = [];
  const next = (at: number) => (at < end && (bytes[at]! & 0xc0) === 0x80 ? bytes[at]! & 0x3f : -1);
  for (let at = start; at < end; ) {
    const first = bytes[at]!;
    const length = first < 0x80 ? 1 : first >> 5 === 6 ? 2 : first >> 4 === 14 ? 3 : first >> 3 === 30 ? 4 : 0;
    let code = length === 1 ? first : first & (0x7f >> length);
    for (let i = 1; i < length && code >= 0; i++) code = next(at + i) < 0 ? -1 : (code << 6) | next(at + i);
    const isCharacter = length > 0 && code >= 0 && code <= 0x10ffff;
    parts.push(isCharacter ? String.fromCodePoint(code) : '\uFFFD');
    at += isCharacter ? length : 1;
  }
  return parts.join('');
}

function readUnits(cursor: Cursor): string {
  const count = cursor.count('string character', cursor.compressed ? 1 : 2);
  const { bytes, pos } = cursor;
  let ascii = 0;
  if (cursor.compressed) while (ascii < count && bytes[pos + ascii]! < 0x80) ascii++;
  if (ascii === count) {
    cursor.pos = pos + count;
    return cursor.buffer.toString('latin1', pos, pos + count);
  }
  const units = new Uint16Array(count);
  for (let i = 0; i < count; i++) {
    units[i] = cursor.compressed ? cursor.int() : cursor.view.getUint16(cursor.pos);
    if (!cursor.compressed) cursor.pos += 2;
  }
  return Buffer.from(units.buffer).toString('utf16le');
}

/** The position behind the string at `pos`; may move the cursor. */
export function afterString(cursor: Cursor, pos: number): number {
  const { bytes } = cursor;
  const encoding = bytes[pos]!;
  const length = bytes[pos + 1]!;
  // Nearly all strings are bytes behind a length of one byte.
  if (cursor.compressed && length < 0x80 && (encoding === ENCODING.utf8 || encoding === ENCODING.latin1)) {
    const after = pos + 2 + length;
    if (after <= cursor.end) return after;
  }
  cursor.pos = pos;
  skipString(cursor);
  return cursor.pos;
}

/** Moves the cursor behind a string. */
export function skipString(cursor: Cursor): void {
  const at = cursor.pos;
  const encoding = cursor.byte();
  if (encoding === ENCODING.null || encoding === ENCODING.empty) return;
  if (encoding === ENCODING.pool) {
    cursor.key();
  } else if (encoding === ENCODING.utf8 || encoding === ENCODING.latin1) {
    const length = cursor.count('string byte');
    cursor.pos += length;
  } else if (encoding === ENCODING.utf16) {
    const count = cursor.count('string character', cursor.compressed ? 1 : 2);
    const end = cursor.compressed ? skipVarints(cursor.view, cursor.pos, cursor.end, count) : cursor.pos + 2 * count;
    if (end < 0) throw new FormatError('string runs past its end', at);
    cursor.pos = end;
  } else {
    throw new FormatError(`string encoding ${encoding} is unknown`, at);
  }
}
