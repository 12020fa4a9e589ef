// Lines of bytes that come in any pieces, and the identifiers of lines that are too long.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineReader, type LongLine, MOST_LINE_MIB } from '../../server/agents/line-reader.ts';

const TOO_LONG = MOST_LINE_MIB * 2 ** 20;

function linesOf(pieces: readonly Buffer[]): (string | LongLine)[] {
  const reader = new LineReader();
  return [...pieces.flatMap(piece => [...reader.read(piece)]), ...reader.end()];
}

test('lines are the same however the bytes are cut', () => {
  const line = fc.string({ unit: 'grapheme' }).map(text => text.replaceAll('\n', ''));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(40)), (lines, cuts) => {
      const bytes = Buffer.from(lines.join('\n'));
      const pieces: Buffer[] = [];
      let at = 0;
      for (const cut of cuts) {
        pieces.push(bytes.subarray(at, at + cut));
        at += cut;
      }
      pieces.push(bytes.subarray(at));
      expect(linesOf(pieces)).toEqual(lines.filter(each => each.trim() !== ''));
    }),
    { numRuns: 300 },
  );
});

test.each([
  [7, (text: string) => ({ jsonrpc: '2.0', id: 7, method: 'x', text })],
  ['a"b', (text: string) => ({ id: 'a"b', method: 'x', text })],
  [8, (text: string) => ({ method: 'x', params: { text, id: 3 }, jsonrpc: '2.0', id: 8 })],
  [9, (text: string) => ({ method: 'x', params: { text }, id: 9, jsonrpc: '2.0' })],
  [null, (text: string) => ({ method: 'x', params: { text, id: 3 } })],
  [null, (text: string) => ({ method: 'x', id: 5, params: { text } })],
  [null, (text: string) => ({ method: 'x', text: `${text},"id":4}` })],
])('of a line that is too long, the identifier is %j', (id, message) => {
  const line = JSON.stringify(message('"id":1}'.repeat(TOO_LONG / 8)));
  const pieces = Array.from({ length: 200 }, (_, i) => Buffer.from(line.slice(i * 65_536, (i + 1) * 65_536)));
  expect(linesOf([...pieces, Buffer.from('\nnext')])).toEqual([{ id }, 'next']);
});
