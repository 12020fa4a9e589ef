// A finished chunk shown as its JVM showed it while it was writing: the header names the part that had been flushed.
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { HEADER_SIZE } from '../../../server/ingest/jfr/chunk-header.ts';
import type { ChunkBytes } from '../../../server/ingest/jfr/chunk-tail.ts';
import { Cursor, PADDING } from '../../../server/ingest/jfr/cursor.ts';

/** A chunk of which a part can be read so far. */
export type GrowingChunk = ChunkBytes & {
  /** Flushes at least `bytes` more, up to the end of an event; the last event ends the chunk. */
  grow(bytes: number): void;
  /** Lets the next reader of the header see it being changed. */
  changeHeader(): void;
};

/**
 * Begins with a header and nothing else. The metadata comes first, as with a JVM that flushes; the other events keep their order.
 * @param metadataEvery after so many events the metadata stands there again, as with a JVM that has got to know another event
 */
export function growing(finished: Uint8Array, metadataEvery = Number.POSITIVE_INFINITY): GrowingChunk {
  const { whole, ends, metadata } = metadataFirst(finished, metadataEvery);
  let flushed = HEADER_SIZE;
  let generation = 1;
  let isChanging = false;
  const header = () => {
    const shown = new DataView(new ArrayBuffer(HEADER_SIZE));
    const bytes = new Uint8Array(shown.buffer);
    bytes.set(whole.subarray(0, HEADER_SIZE));
    shown.setBigUint64(8, BigInt(flushed));
    shown.setBigUint64(24, BigInt(metadata.findLast(at => at < flushed) ?? 0));
    if (flushed < whole.length) bytes[64] = generation;
    if (isChanging) bytes[64] = 255;
    isChanging = false;
    return bytes;
  };
  return {
    grow(bytes) {
      const wanted = flushed + bytes;
      flushed = ends.find(end => end >= wanted) ?? whole.length;
      generation = (generation % 254) + 1;
    },
    changeHeader() {
      isChanging = true;
    },
    read(position, target) {
      const part = whole.subarray(position, position + target.length);
      target.set(part);
      if (position < HEADER_SIZE) target.set(header().subarray(position, position + target.length), 0);
      return part.length;
    },
  };
}

function metadataFirst(
  finished: Uint8Array,
  metadataEvery: number,
): { whole: Uint8Array; ends: number[]; metadata: number[] } {
  const padded = new Uint8Array(finished.length + PADDING);
  padded.set(finished);
  const cursor = new Cursor(padded, finished.length, true);
  const metadataAt = Number(cursor.view.getBigUint64(24));
  const eventAt = (at: number) => {
    cursor.pos = at;
    return finished.subarray(at, at + cursor.int());
  };
  const parts = [eventAt(metadataAt)];
  for (let at = HEADER_SIZE, events = 1; at < finished.length; at += eventAt(at).length) {
    if (at === metadataAt) continue;
    parts.push(eventAt(at));
    if (events++ % metadataEvery === 0) parts.push(parts[0]!);
  }
  const ends: number[] = [];
  for (const part of parts) ends.push((ends.at(-1) ?? HEADER_SIZE) + part.length);
  const metadata = ends.flatMap((end, i) => (parts[i] === parts[0] ? [end - parts[0]!.length] : []));
  return { whole: Uint8Array.from(Buffer.concat([finished.subarray(0, HEADER_SIZE), ...parts])), ends, metadata };
}

/** Writes what is shown of a chunk as a JVM does: in place, and the header, which says how much of it counts, when the rest is there. */
export function writeShown(path: string, chunk: GrowingChunk, length: number): Uint8Array {
  const shown = new Uint8Array(length);
  chunk.read(0, shown);
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT);
  try {
    writeSync(file, shown, HEADER_SIZE, length - HEADER_SIZE, HEADER_SIZE);
    writeSync(file, shown, 0, HEADER_SIZE, 0);
  } finally {
    closeSync(file);
  }
  return shown;
}
