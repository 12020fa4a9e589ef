// The constants and limits of the snapshot format, and how a reader says that bytes break it. docs/formats.md describes the whole.
// The limits of a profile itself (lengths of names, times, amounts) stand in cct/limits.ts.

import { crc32 } from 'node:zlib';

/** First bytes of every snapshot; the line ends notice transfers that change them, as in PNG files. */
export const MAGIC = Uint8Array.of(0x89, 0x43, 0x43, 0x54, 0x0d, 0x0a, 0x1a, 0x0a);
/** The version that is written, and the newest that is read. */
export const VERSION = 2;
/** Magic, version, length of the header, checksum of the header. */
export const PREAMBLE_BYTES = MAGIC.length + 12;
/** No header is larger. */
export const MAX_HEADER_BYTES = 16 << 20;

/** Most rows of a table, and most bytes of a section. */
export const MOST_ROWS = 2 ** 31 - 1;

/**
 * The most memory of all sections and columns of one file: some 30 million nodes with a cell each. The limit says nothing of the
 * file's size, as regular trees pack into almost nothing.
 */
export const MOST_MEMORY_BYTES = 2 ** 31;

/** No file is larger that holds so much: nothing larger is read into memory. */
export const MOST_FILE_BYTES = 2 ** 30;

/** Compressed part of a file; the header lists them in file order. */
export type Section = {
  readonly name: string;
  /** Bytes in the file. */
  readonly packed: number;
  readonly unpacked: number;
  /** Whether a reader that does not know the section must refuse the file; else the reader skips the section. */
  readonly required: boolean;
  /** CRC-32 of the packed bytes. */
  readonly checksum: number;
};

/** Preamble, header and sections as one run of bytes. */
export function joinFile(head: Uint8Array, packed: readonly Uint8Array[], version = VERSION): Uint8Array {
  const preamble = new Uint8Array(PREAMBLE_BYTES);
  preamble.set(MAGIC);
  const view = new DataView(preamble.buffer);
  view.setUint32(MAGIC.length, version, true);
  view.setUint32(MAGIC.length + 4, head.length, true);
  view.setUint32(MAGIC.length + 8, crc32(head), true);
  return Buffer.concat([preamble, head, ...packed]);
}

/** Thrown inside the reader only; decodeSnapshot and decodeHeader turn it into a problem. */
export class FormatFlaw extends Error {
  readonly place: string;

  constructor(place: string, message: string) {
    super(message);
    this.place = place;
  }
}
