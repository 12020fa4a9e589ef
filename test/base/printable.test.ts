// Text from outside that is shown steers nothing, and nothing of it is lost.
import { expect, test } from 'vitest';
import { printable, printableLines } from '../../server/base/printable.ts';

test('control and direction characters become visible, tabs and other scripts stay', () => {
  expect(printable('a\u001b]0;title\u0007\u001b[31mb')).toBe('a\\u001b]0;title\\u0007\\u001b[31mb');
  expect(printable('one\r\ntwo\u0085\u009b2J\u2028')).toBe('one\\u000d\\u000atwo\\u0085\\u009b2J\\u2028');
  expect(printable('\u202egnp.exe\u2069\u061c')).toBe('\\u202egnp.exe\\u2069\\u061c');
  expect(printable('\tGrüße 漢字 👍 →')).toBe('\tGrüße 漢字 👍 →');
});

test('line breaks stay where lines are wanted', () => {
  expect(printableLines('a\u202e\r\nb\n')).toBe('a\\u202e\nb\n');
});
