// Opens the store that a location string names.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '../base/problem.ts';
import { FolderStore } from './folder-store.ts';
import type { Store } from './store.ts';

/** A folder path or a `file:` address; other schemes are refused with a problem. Nothing is touched on disk until the store is used. */
export function openStore(location: string): Outcome<Store | null> {
  const refuse = (message: string, remedy: string): Outcome<null> => ({
    value: null,
    problems: [{ severity: 'error', message, file: location, remedy }],
  });
  if (location.trim() === '' || location.includes('\0')) {
    return refuse('this names no store', 'give the path of a folder');
  }
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(location)?.[1]?.toLowerCase();
  if (scheme === undefined) return { value: new FolderStore(location, resolve(location)), problems: [] };
  if (scheme !== 'file') {
    return refuse(`stores of the kind ${scheme}:// are not supported yet`, 'give the path of a folder');
  }
  try {
    return { value: new FolderStore(location, fileURLToPath(location)), problems: [] };
  } catch {
    return refuse('this file: address names no folder on this machine', 'give the path of a folder');
  }
}
