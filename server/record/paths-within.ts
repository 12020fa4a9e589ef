// Finds places in the file system of another process, which may be a container's, without ever leaving that.
import { readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** As many links as the kernel follows. */
const MOST_LINKS = 40;

/**
 * The path of what a process with this root calls `path`: its links and its `..` mean what they mean in there.
 * @param root `/proc/4711/root`; empty where the file system is ours, of which paths stay as they are
 */
export function pathWithin(root: string, path: string): string {
  if (root === '') return path;
  const left = path.split('/');
  let found: string[] = [];
  for (let links = 0; left.length > 0; ) {
    const name = left.shift()!;
    if (name === '' || name === '.') continue;
    if (name === '..') {
      found.pop();
      continue;
    }
    const link = linkAt(join(root, ...found, name));
    if (link === null) found.push(name);
    else if (++links > MOST_LINKS) throw new Error(`${path} has too many links`);
    else {
      if (link.startsWith('/')) found = [];
      left.unshift(...link.split('/'));
    }
  }
  return join(root, ...found);
}

/** The target of a link; null for a path that is no link, or not there. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
