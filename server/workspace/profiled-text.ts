// Where the text comes from that was running when a file's data were recorded.
import { readFileSync } from 'node:fs';

/** The profiled text of a file; null where nobody knows it. Asked once a document, when it is opened. */
export type ProfiledTextOf = (path: string) => string | null;

/** Takes the file on disk for what was profiled, as long as it is not known from elsewhere. */
export const textOnDisk: ProfiledTextOf = path => {
  try {
    // Editors keep the byte order mark to themselves.
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch {
    return null;
  }
};
