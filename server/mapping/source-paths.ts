// The facts that a path tells about a Java source: its source root, and the key under which two spellings of one path meet.

/** Folder that holds the package tree: `/w/src/main/java` for `…/src/main/java/p/q/A.java` in `p.q`; the file's folder when they disagree. */
export function sourceRootOf(path: string, packageName: string): string {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  const folder = cut < 0 ? '' : path.slice(0, cut);
  if (packageName === '') return folder;
  if (!unify(folder).endsWith(unify(`/${packageName.replaceAll('.', '/')}`))) return folder;
  // The two may spell a letter with different lengths, so folders are counted, not characters.
  let end = folder.length;
  for (const _ of packageName.split('.'))
    end = Math.max(folder.lastIndexOf('/', end - 1), folder.lastIndexOf('\\', end - 1));
  return folder.slice(0, end);
}

/**
 * Key under which one file is known however it is spelled: forward slashes, composed Unicode (macOS decomposes), and lower
 * case on the systems whose file systems take no notice of it.
 */
export function pathKey(path: string, platform: NodeJS.Platform = process.platform): string {
  const slashes = platform === 'win32' ? path.replaceAll('\\', '/') : path;
  const key = slashes.normalize('NFC');
  return platform === 'win32' || platform === 'darwin' ? key.toLowerCase() : key;
}

function unify(path: string): string {
  return path.replaceAll('\\', '/').normalize('NFC');
}
