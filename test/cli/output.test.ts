// What commands print cannot drive a terminal, whatever stands in a recording.
import { expect, test } from 'vitest';
import { formatTable, printable, styled } from '../../server/cli/output.ts';

const plain = { out: () => {}, err: () => {}, colour: false, interactive: false };
const coloured = { ...plain, colour: true };

test('control and direction characters become visible, tabs and other scripts stay', () => {
  expect(printable('a\u001b]0;title\u0007\u001b[31mb')).toBe('a\\u001b]0;title\\u0007\\u001b[31mb');
  expect(printable('one\r\ntwo\u0085\u009b2J\u2028')).toBe('one\\u000d\\u000atwo\\u0085\\u009b2J\\u2028');
  expect(printable('\u202egnp.exe\u2069')).toBe('\\u202egnp.exe\\u2069');
  expect(printable('\tGrüße 漢字 👍 →')).toBe('\tGrüße 漢字 👍 →');
});

test('styles go on after the text was made safe', () => {
  expect(styled(coloured, 'red', 'x\u001b[0my')).toBe('\u001b[31mx\\u001b[0my\u001b[39m');
  expect(styled(plain, 'red', 'x\u001b[0my')).toBe('x\\u001b[0my');
});

test('tables align numbers right and show foreign text as it is safe', () => {
  expect(
    formatTable(
      ['n', 'name'],
      [
        ['1', 'a\u001b[1m'],
        ['10', 'b'],
      ],
      [0],
    ),
  ).toBe(' n  name\n 1  a\\u001b[1m\n10  b\n');
});
