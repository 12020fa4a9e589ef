// Classes of objects as lines of the terminal.
import type { InferOutput } from 'valibot';
import type { objectsSchema } from '../features/answers/objects.ts';

type Objects = InferOutput<typeof objectsSchema>[number];

/** A title with the sum, and the classes with their parts of it, heaviest first. */
export function objectLines({ title, amount, rows, leftOut }: Objects): string[] {
  const width = Math.max(...rows.map(({ share }) => share.length));
  const lines = rows.map(({ share, text }) => `  ${share.padStart(width)}  ${text}\n`);
  return [`${title} · ${amount}\n`, ...lines, ...(leftOut > 0 ? [`  ${leftOut} more\n`] : [])];
}
