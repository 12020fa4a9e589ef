// Rows of comma-separated values (RFC 4180) that steer neither a spreadsheet nor a terminal.
import { printable } from './printable.ts';

/** A row of fields; NaN is an empty field. */
export function csvRow(fields: readonly (string | number)[]): string {
  return fields.map(field).join(',');
}

/** A field as text, also where a spreadsheet would take it for a formula. */
function field(value: string | number): string {
  if (typeof value === 'number') return Number.isNaN(value) ? '' : String(value);
  const text = printable(value);
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
