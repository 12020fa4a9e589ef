// One hash of everything in a folder: names, kinds, modes, texts and times of change, so that a tool that only reads can be told.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

export function folderHash(folder: string): string {
  const hash = createHash('sha256');
  const open = [folder];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const about = lstatSync(path);
    hash.update(`${path.slice(folder.length)}\0${about.mode}\0`);
    if (about.isDirectory())
      open.push(
        ...readdirSync(path)
          .sort()
          .map(name => join(path!, name)),
      );
    else if (about.isSymbolicLink()) hash.update(readlinkSync(path));
    else hash.update(`${about.mtimeMs}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}
