// Stamps of files and folders: equal while nothing was written there.
import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/**
 * A place with the stamp that it had before it was last read, so that nothing is missed between reading and looking; null while
 * that is not known: it is compared with what was seen a round ago then.
 */
export type WatchedPlace = { readonly path: string; readonly stamp: string | null };

/** The time of change; empty for what is not there. */
export function fileStamp(path: string): string {
  try {
    return stampText(statSync(path, { bigint: true, throwIfNoEntry: false }));
  } catch {
    return '';
  }
}

/** The same without waiting for it. */
export async function fileStampLater(path: string): Promise<string> {
  return stampText(await stat(path, { bigint: true }).catch(() => undefined));
}

function stampText(found: BigIntStats | undefined): string {
  return found === undefined ? '' : `${found.mtimeNs}`;
}
