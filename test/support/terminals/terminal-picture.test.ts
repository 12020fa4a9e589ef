// Escape sequences become styled runs, and runs become a picture in which every character keeps its place.
import { describe, expect, test } from 'vitest';
import { readStyledLines } from './ansi-cells.ts';
import { terminalPicture } from './terminal-picture.ts';

describe('escape sequences', () => {
  test('set and take back inks, papers and weights', () => {
    expect(readStyledLines('a\x1b[1;31mb\x1b[22mc\x1b[39;48;2;1;2;3md\x1b[0me')).toEqual([
      [
        { column: 0, text: 'a', style: {} },
        { column: 1, text: 'b', style: { bold: true, ink: '#cc6666' } },
        { column: 2, text: 'c', style: { ink: '#cc6666' } },
        { column: 3, text: 'd', style: { paper: '#010203' } },
        { column: 4, text: 'e', style: {} },
      ],
    ]);
  });

  test('hold over the end of a line, and columns count characters', () => {
    expect(readStyledLines('\x1b[38;5;208m→😀x\n\x1b[7my')).toEqual([
      [{ column: 0, text: '→😀x', style: { ink: '#ff8700' } }],
      [{ column: 0, text: 'y', style: { ink: '#ff8700', reverse: true } }],
    ]);
  });

  test('know the greys of the table of 256, and drop what is no style', () => {
    expect(readStyledLines('\x1b[38;5;232m.\x1b[38;5;255m.\x1b[2K\x1b[m.')).toEqual([
      [
        { column: 0, text: '.', style: { ink: '#080808' } },
        { column: 1, text: '.', style: { ink: '#eeeeee' } },
        { column: 2, text: '.', style: {} },
      ],
    ]);
  });
});

describe('the picture', () => {
  const options = { title: 'A.java', description: 'a < b', columns: 20, ink: '#eeeeee', paper: '#111111' };

  test('puts words at their columns and lines, in their colours', () => {
    const picture = terminalPicture('x   if (a<b)\n\x1b[1;38;2;9;9;9m62%', options);
    expect(picture).toContain('<text x="16" textLength="8.4" y="50.5">x</text>');
    expect(picture).toContain('<text x="49.6" textLength="67.2" y="50.5">if (a&lt;b)</text>');
    expect(picture).toContain('<text x="16" textLength="25.2" y="70.5" fill="#090909" font-weight="bold">62%</text>');
    expect(picture).toContain('<title id="title">a &lt; b</title>');
  });

  test('draws paper of its own as boxes, reversed text with swapped colours', () => {
    const picture = terminalPicture('\x1b[7mab\x1b[0m ', options);
    expect(picture).toContain('<rect x="16" y="36" width="16.8" height="20" fill="#eeeeee"/>');
    expect(picture).toContain('fill="#111111">ab</text>');
    expect(picture.match(/<rect/g)).toHaveLength(3);
  });
});
