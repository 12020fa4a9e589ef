// Remembers what a user has allowed the insitu.json of a folder to name although it lies beyond this machine.

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeWhole } from '../../base/kept-files.ts';
import { readRegular } from '../../base/regular-file.ts';
import { stateFolder } from '../../base/state-folder.ts';
import type { Surroundings } from './settings-context.ts';

/** More answers than these are no memory of a person. */
const MOST_REMEMBERED = 1_000;
const MOST_BYTES = 8 * 2 ** 20;

/** A yes holds for one location named by one folder: a file that names another one later is asked about again. */
type Allowed = { readonly folder: string; readonly location: string };

/** Below the user's state folder. */
function fileOf({ env, home }: Surroundings): string {
  return join(stateFolder(env, home), 'allowed.json');
}

/** Whether the insitu.json in `folder` may name `location`. Without a readable memory the answer is no. */
export function isAllowed(surroundings: Surroundings, folder: string, location: string): boolean {
  return readAllowed(surroundings).some(each => each.folder === folder && each.location === location);
}

/** Remembers a yes; false where it cannot be written. */
export function allow(surroundings: Surroundings, folder: string, location: string): boolean {
  const others = readAllowed(surroundings).filter(each => each.folder !== folder || each.location !== location);
  const all = [...others, { folder, location }].slice(-MOST_REMEMBERED);
  const file = fileOf(surroundings);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeWhole(file, [`${JSON.stringify(all, null, 2)}\n`]);
    return true;
  } catch {
    return false;
  }
}

function readAllowed(surroundings: Surroundings): readonly Allowed[] {
  try {
    const all: unknown = JSON.parse(readRegular(fileOf(surroundings), MOST_BYTES).toString('utf8'));
    return Array.isArray(all) ? all.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is Allowed {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'folder' in value && typeof value.folder === 'string' && 'location' in value && typeof value.location === 'string'
  );
}
