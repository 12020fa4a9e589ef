// Texts of recordings are read in the JVM's own UTF-8, beyond U+FFFF too.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Cursor } from '../../../server/ingest/jfr/cursor.ts';
import { readString } from '../../../server/ingest/jfr/strings.ts';

/** Each UTF-16 unit by itself, as the JVM writes symbols. */
function modifiedUtf8(text: string): number[] {
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)).flatMap(unit => {
    if (unit > 0 && unit < 0x80) return [unit];
    if (unit < 0x800) return [0xc0 | (unit >> 6), 0x80 | (unit & 0x3f)];
    return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
  });
}

function read(bytes: readonly number[]): string {
  const length = [0x80 | (bytes.length & 0x7f), bytes.length >> 7];
  const padded = new Uint8Array(bytes.length + 100);
  padded.set([3, ...length, ...bytes]);
  return readString(new Cursor(padded, bytes.length + 3, true));
}

test('characters beyond U+FFFF and U+0000', () => {
  expect(read(modifiedUtf8('a\u{1F600}.\u{20BB7}\0ü'))).toBe('a\u{1F600}.\u{20BB7}\0ü');
  expect(read([...Buffer.from('a\u{1F600}ü')])).toBe('a\u{1F600}ü');
});

test('any text, and any bytes without end', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => read(modifiedUtf8(text)) === text));
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), bytes => read([...bytes]).length <= bytes.length));
});
