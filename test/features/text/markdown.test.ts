// Tests that foreign text in Markdown shows as it is.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printable, printableName } from '../../../server/base/printable.ts';
import {
  code,
  codeInCell,
  escapeInline,
  escapeMarkdown,
  plainText,
  tableRow,
} from '../../../server/features/text/markdown.ts';
import { expectSteerless, HOSTILE_NAMES } from '../../support/terminals/hostile-text.ts';

describe('foreign text', () => {
  test('loses what would make it a picture, a link, a mark or markup', () => {
    expect(escapeMarkdown('__init__![x](https://evil.example/t.png)')).toBe(
      String.raw`\_\_init\_\_\!\[x\](https\://evil.example/t.png)`,
    );
    expect(escapeMarkdown('<img src=x> &amp; `a` *b* ~c~ a|b \\')).toBe(
      String.raw`\<img src=x\> \&amp; \`a\` \*b\* \~c\~ a\|b \\`,
    );
    expect(escapeMarkdown('see www.evil.example or me@evil.example')).toBe(
      String.raw`see www\.evil.example or me\@evil.example`,
    );
    expect(escapeMarkdown('My_Class_')).toBe(String.raw`My\_Class\_`);
  });

  test('begins no heading, list or rule, and no further line', () => {
    expect(escapeMarkdown('# a')).toBe(String.raw`\# a`);
    expect(escapeMarkdown('- a')).toBe(String.raw`\- a`);
    expect(escapeMarkdown('1. a')).toBe(String.raw`1\. a`);
    expect(escapeMarkdown('a\r\n\n# b')).toBe('a # b');
  });

  test('stays as it is where nothing is special', () => {
    const plain = 'LockedQueue.take: 50 % · 50 of 100 samples of run (2026-11-20)';
    expect(escapeMarkdown(plain)).toBe(plain);
  });

  test('in a code span cannot end it, and an empty one is none', () => {
    expect(code('a`b`\nc')).toBe("`a'b' c`");
    expect(code('')).toBe('` `');
  });

  test('turns no direction of writing and steers no terminal', () => {
    expect(escapeMarkdown('a\u202eb\u061c')).toBe(String.raw`a\\u202eb\\u061c`);
    expect(code('a\u001b[31mb')).toBe('`a\\u001b[31mb`');
  });
});

test('plain text has what Markdown shows', () => {
  expect(plainText('**insitu** `a_b*`  \n*On this line*\n- x\\_y \\*z\\*')).toBe(
    'insitu a_b*\nOn this line\n- x_y *z*',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      fc.pre(!/[\r\n]/.test(text) && !/ {2}$/.test(text));
      expect(plainText(`**insitu** ${escapeMarkdown(text)}.`)).toBe(`insitu ${printable(text)}.`);
    }),
  );
});

describe('a row of a table', () => {
  /** Readers differ in whether a backslash that is escaped itself escapes the bar behind it. */
  const READERS = [/(?:\\.|[^|\\])+/g, /(?:(?<=\\)\||[^|])+/g];

  test.each(HOSTILE_NAMES.map(name => [JSON.stringify(name.slice(0, 40)), name]))('holds %s in a cell', (_, name) => {
    for (const cell of [codeInCell(name), escapeInline(name)]) {
      const row = tableRow(['1', cell, '2']);
      expectSteerless(row);
      expect(row).not.toContain('\n');
      for (const reader of READERS) {
        const cells = row.match(reader)!;
        expect(cells.map(each => each.trim())).toEqual(['1', cell.trim(), '2']);
      }
    }
    const shown = plainText(codeInCell(name).replaceAll(/^<code>|<\/code>$/g, ''));
    const quotes = (text: string) => text.replaceAll('`', "'");
    expect(quotes(shown)).toBe(quotes(printableName(name.replaceAll(/[\r\n]+/g, ' '))));
  });
});
