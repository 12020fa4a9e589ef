// What commands print cannot drive a terminal, whatever stands in a recording.
import { expect, test } from 'vitest';
import { formatTable, styled } from '../../server/cli/output.ts';

const plain = { out: () => {}, err: () => {}, colour: false, interactive: false };
const coloured = { ...plain, colour: true };

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
