// Text from outside that is shown steers nothing, and nothing of it is lost.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable, printableLine, printableLines, printableName } from '../../server/base/printable.ts';

test('control, direction and unseen characters become visible, tabs and other scripts stay', () => {
  expect(printable('a\u001b]0;title\u0007\u001b[31mb')).toBe('a\\u001b]0;title\\u0007\\u001b[31mb');
  expect(printable('one\r\ntwo\u0085\u009b2J\u2028')).toBe('one\\u000d\\u000atwo\\u0085\\u009b2J\\u2028');
  expect(printable('\u202egnp.exe\u2069\u061c')).toBe('\\u202egnp.exe\\u2069\\u061c');
  expect(printable('a\u200bb\u{e0041}c\ufe0f\ufe0e\ufe0f')).toBe('a\\u200bb\\udb40\\udc41c\ufe0f\\ufe0e\\ufe0f');
  expect(printable('\tGrüße 漢字 👍 →')).toBe('\tGrüße 漢字 👍 →');
});

test('line breaks stay where lines are wanted', () => {
  expect(printableLines('a\u202e\r\nb\n')).toBe('a\\u202e\nb\n');
});

test('of long names and lines the ends are shown, and no half of a character', () => {
  expect(printableName('x'.repeat(300))).toBe('x'.repeat(300));
  expect(printableName(`/a${'x'.repeat(200_000)}/Shop.java`)).toBe(`/a${'x'.repeat(148)}…${'x'.repeat(139)}/Shop.java`);
  const sentence = printableLine(`metric "${'x'.repeat(200_000)}" was not recorded`);
  expect(sentence).toMatch(/^metric "x+…x+" was not recorded$/);
  expect(sentence.length).toBe(1_000);
  expect(printableName('\u{1f600}'.repeat(151))).toBe(`${'\u{1f600}'.repeat(75)}…${'\u{1f600}'.repeat(74)}`);
  const unit = fc.constantFrom('\u{1f600}', 'a', '\u001b', '\u202e', '\n', '漢');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 2_000, size: 'max' }), text => {
      const shown = printableName(text);
      expect(shown.length).toBeLessThanOrEqual(300);
      expect(shown.isWellFormed()).toBe(true);
      expect(printable(shown)).toBe(shown);
      expect(printableName(shown)).toBe(shown);
      if (printable(text).length <= 300) expect(shown).toBe(printable(text));
    }),
  );
});
