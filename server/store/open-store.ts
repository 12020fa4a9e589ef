// Opens the store that a location string names.
import type { Outcome } from '../base/problem.ts';
import type { Store } from './store.ts';

/** A folder path for now; other schemes are refused with a problem. Nothing is touched on disk until the store is used. */
export function openStore(location: string): Outcome<Store | null> {
  throw new Error(`not yet: ${location}`);
}
