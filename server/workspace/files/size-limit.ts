// How large a source may be, open or not: larger ones are not parsed, compared or mapped.
import type { Problem } from '../../base/problem.ts';
import { FILE_BYTES_MAX } from '../../mapping/source-walk.ts';

/** No character takes more in UTF-8, by units of a string. */
const MOST_BYTES_A_UNIT = 3;

/** Why nothing is shown of a document; null where it is no larger than files that are read. */
export function tooLarge(text: string | { readonly bytes: number }, file: string): Problem | null {
  if (typeof text === 'string' && text.length * MOST_BYTES_A_UNIT <= FILE_BYTES_MAX) return null;
  const bytes = typeof text === 'string' ? Buffer.byteLength(text) : text.bytes;
  if (bytes <= FILE_BYTES_MAX) return null;
  const message = `nothing is shown of this document: it has ${mebibytes(bytes)}, and no more than ${mebibytes(FILE_BYTES_MAX)} are parsed`;
  const remedy =
    'hints, lenses, hovers, hierarchies, implementations, diagnostics and metrics are there when it is smaller';
  return { severity: 'warning', message, file, remedy };
}

/** Rounded up: a file that is just too large is not said to be as large as the limit. */
function mebibytes(bytes: number): string {
  return `${Math.ceil((bytes / 1024 / 1024) * 10) / 10} MiB`;
}
