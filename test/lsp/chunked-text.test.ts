// A text in chunks is what a plain text would be after the edits, in any order, and edits do not become slower with their number.
import { expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { ChunkedText } from '../../server/lsp/chunked-text.ts';

/** Numbers from 0 to `most`, the same ones each time. */
function randomOf(seed: number): (most: number) => number {
  let state = seed;
  return most => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % (most + 1);
  };
}

const FEEDS = ['\n', '\n', 'a', 'bc', '', 'x'.repeat(700), 'é😀'];
const ALL = ['\n', '\r', '\r\n', 'a', 'bc', '', '\r\r\n', 'x'.repeat(3_000), 'é😀'];

test.each([
  ...[1, 2, 3, 4].map(seed => ({ seed, of: 'all line ends', pieces: ALL, size: 40 })),
  ...[5, 6].map(seed => ({ seed, of: '\\n alone', pieces: FEEDS, size: 1_000 })),
])(
  'equals the library that is used for single edits, after random edits ($of, seed $seed)',
  ({ seed, pieces, size }) => {
    const random = randomOf(seed);
    const piece = () => Array.from({ length: random(4) }, () => pieces[random(pieces.length - 1)]).join('');
    const first = Array.from({ length: size }, piece).join('');
    const chunked = new ChunkedText(first);
    let plain = first;
    for (let edit = 0; edit < 400; edit++) {
      const document = TextDocument.create('file:///A.java', 'java', 1, plain);
      const position = () => ({ line: random(document.lineCount + 1), character: random(random(1) === 0 ? 3 : 4_000) });
      const [start, end] = [position(), random(2) === 0 ? position() : null];
      const range = { start, end: end ?? { line: start.line + random(1), character: random(5) } };
      const text = piece();
      TextDocument.update(document, [{ range, text }], 2);
      plain = document.getText();
      chunked.replace(range, text);
      expect(chunked.length).toBe(plain.length);
      expect(chunked.toString() === plain, `edit ${edit}`).toBe(true);
    }
    expect(Math.abs(chunked.bytes - Buffer.byteLength(plain))).toBeLessThan(plain.length / 1_000 + 10);
  },
);
