// Makes of a snapshot the bytes and the name under which a store keeps it, or says why no reader would take it.

import { createHash } from 'node:crypto';
import { messageOf } from '../base/message-of.ts';
import type { Outcome } from '../base/problem.ts';
import { isMoment } from '../cct/limits.ts';
import { decodeHeader, findSnapshotFlaw } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { SnapshotHeader } from '../snapshot/snapshot.ts';
import { executionSegments, fileName, liveFileName } from './key.ts';
import type { Storable, StoreEntry } from './store.ts';

const HASH_DIGITS = 32;

/** Bytes to be stored, with the entry that they become and the path segments of its folder. */
export type Encoded = { readonly entry: StoreEntry; readonly segments: readonly string[]; readonly bytes: Uint8Array };

/** The part of a SHA-256 of a snapshot's bytes that names it. */
export function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS);
}

/**
 * null with a problem for what no reader would take again.
 * @param location the store, for messages
 * @param live whether it is to be the provisional snapshot of an open window
 */
export function encodeForStore(snapshot: Storable, location: string, live = false): Outcome<Encoded | null> {
  const refuse = (message: string, remedy: string, place?: string): Outcome<null> => {
    const about = { file: location, ...(place === undefined ? {} : { place }), remedy };
    return {
      value: null,
      problems: [{ severity: 'error', message: `the snapshot cannot be stored: ${message}`, ...about }],
    };
  };
  let bytes: Uint8Array;
  let header: SnapshotHeader;
  try {
    if (!(snapshot instanceof Uint8Array)) {
      const { startMillis, endMillis } = snapshot.header;
      if (!isMoment(startMillis) || !isMoment(endMillis)) {
        const span = `it says that it lasts from ${startMillis} to ${endMillis}`;
        return refuse(`${span}, which is no time`, 'check the unit of the times in the recording');
      }
    }
    bytes = snapshot instanceof Uint8Array ? snapshot : encodeSnapshot(snapshot);
    const flaw = findSnapshotFlaw(bytes);
    if (flaw !== null)
      return refuse(flaw.message, 'import a smaller part of the recording, or check its content there', flaw.place);
    const read = snapshot instanceof Uint8Array ? decodeHeader(bytes).value?.header : snapshot.header;
    if (read === undefined) return refuse('its header cannot be read', 'make it again');
    header = read;
  } catch (error) {
    // Texts and buffers have a largest length.
    const reason = messageOf(error);
    return refuse(reason, 'import a smaller part of the recording');
  }
  if ((header.provisional === true) !== live) {
    const kind = live ? 'it is final' : 'it is provisional';
    return refuse(kind, 'put final snapshots as such, and those of open windows as provisional ones');
  }
  const segments = executionSegments(header.execution);
  if (!Array.isArray(segments)) {
    const message = `the ${segments.tooLong} is too long to name a folder`;
    return { value: null, problems: [{ severity: 'error', message, file: location, remedy: 'give a shorter one' }] };
  }
  return { value: { entry: entryOf(header, bytes, segments, live), segments, bytes }, problems: [] };
}

function entryOf(header: SnapshotHeader, bytes: Uint8Array, segments: readonly string[], live: boolean): StoreEntry {
  // 0 is never negative.
  const startMillis = Math.trunc(header.startMillis) + 0;
  const hash = live ? 'live' : contentHash(bytes);
  const name = live ? liveFileName(startMillis) : fileName(startMillis, hash);
  return { execution: header.execution, startMillis, hash, key: [...segments, name].join('/'), bytes: bytes.length };
}
