// What commands print cannot drive a terminal, whatever stands in a recording.
import { expect, test } from 'vitest';
import { formatTable } from '../../server/cli/output.ts';

test('tables align numbers right, show foreign text as it is safe, and long names by their ends', () => {
  const rows = [
    ['1', 'a\u001b[1m'],
    ['10', `b${'x'.repeat(200_000)}c`],
  ];
  expect(formatTable(['n', 'name'], rows, [0])).toBe(
    ` n  name\n 1  a\\u001b[1m\n10  b${'x'.repeat(149)}…${'x'.repeat(148)}c\n`,
  );
});
