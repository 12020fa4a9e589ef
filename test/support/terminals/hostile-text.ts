// Hostile names that steer terminals, reverse text, forge lines and fill screens, and what must be printed for each.
import { expect } from 'vitest';

/** Moves the cursor, sets the title, clears the screen by one C1 character, turns the direction of writing, and ends lines in several ways. */
export const STEERING = '\u001b[2J\u001b]0\u001b\\\u009b31m\u0085\u007f\u202e\u2066\u200f\u2028\u200b\u{e0041}\r';

/** The same with a line of its own that looks like ours. */
export const FORGING = `${STEERING}\nFORGED: all is well\n`;

export const LONG = 'x'.repeat(200_000);

/** Names that mean something to one of the targets that texts are written for, each with what it would do there. */
export const HOSTILE_NAMES: readonly string[] = [
  ...[STEERING, FORGING, LONG, '\u202eevil', '\u0000\ufffe\ud800'],
  // Tables, code spans and all else of Markdown.
  ...[
    'a|b',
    'a\\|b',
    '|',
    'a\\',
    '\\',
    '`x` ``',
    '*a*_b_~~c~~',
    '![x](https://evil.example/t.png)',
    '# a',
    '1. a',
    ' ',
  ],
  ...['www.evil.example', 'https://evil.example', '@team', '[x](javascript:x)'],
  // Formulas, quotes and separators of tables of values.
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', 'a,"b"\n=2', '"', ','],
  // Markup.
  ...['<script>alert(1)</script>', '</title></svg>', '" onload="x', "' onload='x", ']]>', '&amp;', '<!--', '</code>'],
];

/** Everything that steers a terminal or the direction of writing, other than line breaks and tabs. */
const STEERS = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\u{e0100}-\u{e01ef}]/u;

/** The most characters of one line: some names of 300 characters, and our words. */
const MOST_OF_LINE = 3_000;

/** Whether text for people is harmless whatever names are in it. */
export function expectHarmless(text: string): void {
  expectSteerless(text);
  expect(text).not.toMatch(/^FORGED/m);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(MOST_OF_LINE);
}

/** Whether nothing in a text steers a terminal; it may be long. */
export function expectSteerless(text: string): void {
  const at = text.search(STEERS);
  expect(at < 0 ? '' : `${at}: ${JSON.stringify(text.slice(Math.max(0, at - 60), at + 20))}`).toBe('');
}
