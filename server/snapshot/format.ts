// The constants of the snapshot format, and how a reader says that bytes break it. docs/formats.md describes the whole.

/** First bytes of every snapshot; the line ends notice transfers that change them, as in PNG files. */
export const MAGIC = Uint8Array.of(0x89, 0x43, 0x43, 0x54, 0x0d, 0x0a, 0x1a, 0x0a);
/** The version that is written, and the newest that is read. */
export const VERSION = 1;
/** Magic, version, length of the header, checksum of the header. */
export const PREAMBLE_BYTES = MAGIC.length + 12;
/** No header is larger. */
export const MAX_HEADER_BYTES = 16 << 20;

/** What a file may unpack to: enough for any honest tree, too little for a decompression bomb. */
export function unpackedLimit(fileBytes: number): number {
  return (64 << 20) + 256 * fileBytes;
}

/** Compressed part of a file; the header lists them in file order. */
export type Section = {
  readonly name: string;
  /** Bytes in the file. */
  readonly packed: number;
  readonly unpacked: number;
  /** CRC-32 of the packed bytes. */
  readonly checksum: number;
};

/** Thrown inside the reader only; decodeSnapshot and decodeHeader turn it into a problem. */
export class FormatFlaw extends Error {
  readonly place: string;

  constructor(place: string, message: string) {
    super(message);
    this.place = place;
  }
}
