// Rows of comma-separated values (RFC 4180) that steer neither a spreadsheet nor the terminal of who looks at them.
import { printable } from './printable.ts';

/** Numbers that are none are empty. */
export function csvRow(fields: readonly (string | number)[]): string {
  return fields.map(field).join(',');
}

/** What a spreadsheet would take for a formula is text. */
function field(value: string | number): string {
  if (typeof value === 'number') return Number.isNaN(value) ? '' : String(value);
  const text = printable(value);
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
