// The file of a `file:` address: its path on this machine, and the key under which the spellings of one address meet.
import { fileURLToPath } from 'node:url';
import { pathKey } from './source-paths.ts';

/** An address without anything that is escaped or resolved: it holds its path. Reading it as an address takes four times as long, and each document is asked about ten times when it is opened. */
const PLAIN = /^file:\/\/(?:\/(?!\.{1,2}(?:\/|$))[\w.$~@+,=-]+)+$/;

/**
 * Path of a document or folder; null for other schemes (`untitled:`, `jdt:`, `git:`) and addresses that are no path here. On
 * Windows with a capital drive letter, whatever the client writes (`file:///c%3A/…`, `file:///C:/…`), and `\\server\share\…` for shares.
 */
export function pathOfUri(uri: string, platform: NodeJS.Platform = process.platform): string | null {
  const windows = platform === 'win32';
  if (!windows && PLAIN.test(uri)) return uri.slice('file://'.length);
  if (!/^file:/i.test(uri)) return null;
  try {
    // Some clients write the two slashes of a share behind the two of an address without a host.
    const address = windows ? uri.replace(/^file:\/{4,}(?![a-z](?::|%3a))/i, 'file://') : uri;
    const path = fileURLToPath(address, { windows });
    return windows ? path.replace(/^[a-z]:/, drive => drive.toUpperCase()) : path;
  } catch {
    return null;
  }
}

/** Equal for all spellings of one document's address: clients escape different characters, and write back what servers sent. */
export function documentKey(uri: string, platform: NodeJS.Platform = process.platform): string {
  const path = pathOfUri(uri, platform);
  return path === null ? uri : pathKey(path, platform);
}
