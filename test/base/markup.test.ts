// Text in XML and HTML shows as it is: what a reader decodes is the text, visible and within any element or attribute.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markupLine, markupText } from '../../server/base/markup.ts';
import { printable, printableLine } from '../../server/base/printable.ts';
import { HOSTILE_NAMES } from '../support/terminals/hostile-text.ts';
import { expectWellFormed } from '../support/terminals/well-formed.ts';

const MARKS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decoded = (text: string) => text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, mark: string) => MARKS[mark]!);
const wellFormed = (text: string) => text.replaceAll(/[\p{Cs}\ufffe\uffff]/gu, '\ufffd');

function expectText(text: string): void {
  const inMarkup = markupText(text);
  expectWellFormed(`<a href="${inMarkup}"><b>${inMarkup}</b></a>`, new Set(['a', 'b']));
  expect(decoded(inMarkup)).toBe(printable(wellFormed(text)));
}

test('hostile names', () => {
  for (const name of HOSTILE_NAMES) {
    expectText(name);
    expect(decoded(markupLine(name))).toBe(wellFormed(printableLine(name)));
  }
});

test('any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), expectText), { numRuns: 200 });
});
