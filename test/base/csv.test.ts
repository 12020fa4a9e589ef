// Rows of comma-separated values: another program reads the fields that were written, and none of them is a formula.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRow } from '../../server/base/csv.ts';
import { printable } from '../../server/base/printable.ts';
import { expectSteerless, HOSTILE_NAMES } from '../support/terminals/hostile-text.ts';

/** Reads a row as RFC 4180 says, character by character. */
function fieldsOf(row: string): string[] {
  const fields = [''];
  let isQuoted = false;
  for (let at = 0; at < row.length; at++) {
    const character = row[at]!;
    if (character === '"' && isQuoted && row[at + 1] === '"') fields.push(`${fields.pop()}${row[++at]}`);
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === ',' && !isQuoted) fields.push('');
    else fields.push(`${fields.pop()}${character}`);
  }
  expect(isQuoted).toBe(false);
  return fields;
}

function expectRow(names: readonly string[]): void {
  const row = csvRow(names);
  expectSteerless(row);
  expect(row).not.toContain('\n');
  const read = fieldsOf(row);
  expect(read.map(each => each.replace(/^'(?=[=+\-@\t])/, ''))).toEqual(names.map(printable));
  for (const each of read) expect(each).not.toMatch(/^[=+\-@\t\r]/);
}

test('hostile names', () => {
  expectRow(HOSTILE_NAMES);
  for (const name of HOSTILE_NAMES) expectRow(['a', name, 'b']);
});

test('any text', () => {
  const text = fc.string({ unit: 'binary' }).filter(each => !/^'[=+\-@\t]/.test(each));
  fc.assert(fc.property(fc.array(text, { minLength: 1 }), expectRow), { numRuns: 200 });
});

test('numbers are as they are, and none is empty', () => {
  expect(csvRow([1, -2.5, Number.NaN, '', 'x'])).toBe('1,-2.5,,,x');
});
