// Whatever text goes in, only line breaks, tabs and our own styles reach a terminal as such.
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outputTo, type Piece, styled } from '../../server/base/terminal.ts';
import { runs } from '../support/runs.ts';
import { expectSteerless } from '../support/terminals/hostile-text.ts';

/** Text in which what steers is as likely as what does not. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001b',
      '\u009b',
      '[',
      '31m',
      '0;1;4m',
      '\r',
      '\n',
      '\t',
      '\u202e',
      '\u2028',
      '\u0085',
      '\ud800',
      '\u{1f600}',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
  ),
});
const style = fc.constantFrom('dim', 'red', 'bold');
const piece: fc.Arbitrary<Piece> = fc.oneof(
  text,
  fc.tuple(style, text).map(([kind, own]) => styled(kind, own)),
);

/** The sequences that Node.js writes for the styles above, and no others. */
const OWN_STYLE = new RegExp(`${String.fromCharCode(27)}\\[(?:1|2|22|31|39)m`, 'g');

/** The text that a terminal gets for some pieces. */
function terminalText(pieces: readonly Piece[], colour: boolean): string {
  const written: string[] = [];
  const write = (text: string) => void written.push(text);
  outputTo({ out: write, err: write, isTerminal: true, colour }).out(...pieces);
  return written.join('');
}

describe('what reaches a terminal', () => {
  test('holds no control or direction character but line breaks, tabs and as many styles as there are styled pieces', () => {
    fc.assert(
      fc.property(fc.array(piece), fc.boolean(), (pieces, colour) => {
        const written = terminalText(pieces, colour);
        const styles = written.match(OWN_STYLE) ?? [];
        const wanted = pieces.filter(each => typeof each !== 'string').length;
        expect(styles.length).toBe(colour ? 2 * wanted : 0);
        expectSteerless(written.replaceAll(OWN_STYLE, ''));
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('says the same with colours as without', () => {
    fc.assert(
      fc.property(fc.array(piece), pieces => {
        expect(stripVTControlCharacters(terminalText(pieces, true))).toBe(terminalText(pieces, false));
      }),
    );
  });
});

test('JSON that is printed is the same value', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.json(), fc.dictionary(text, text)), value => {
      const written = terminalText([JSON.stringify(value, null, 2)], true);
      expect(JSON.parse(written)).toEqual(value);
      expectSteerless(written);
    }),
  );
});

test('each way out is safe; files for other programs are as they are unless people would see them', () => {
  const hostile = 'a\u001b[2J\u202eb\r\n';
  const written = (isTerminal: boolean) => {
    const seen: string[] = [];
    const write = (each: string) => void seen.push(each);
    const output = outputTo({ out: write, err: write, bytes: () => {}, isTerminal, colour: false });
    output.out(hostile);
    output.err(hostile);
    output.data(hostile);
    return [...seen, output.bytes === undefined];
  };
  const safe = 'a\\u001b[2J\\u202eb\n';
  expect(written(true)).toEqual([safe, safe, safe, true]);
  expect(written(false)).toEqual([safe, safe, hostile, false]);
});

test('styles go on after the text was made safe', () => {
  expect(terminalText([styled('red', 'x\u001b[0m\ny')], true)).toBe('\u001b[31mx\\u001b[0m\\u000ay\u001b[39m');
});
