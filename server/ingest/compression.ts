// Tells compressed files by how they start, without what undoes compression.

/** How a file is compressed. */
export type Compression = 'gzip' | 'zstd' | 'deflate' | 'xz';

const XZ = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00];
/** Second bytes of zlib streams (deflate with a header), for a window of 32 KiB; `x^` may also be text. */
const ZLIB = [0x01, 0x9c, 0xda];

/** How the bytes at the start of a file are compressed, null where they are not. */
export function compressionOf(start: Uint8Array): Compression | null {
  if (start[0] === 0x1f && start[1] === 0x8b && start[2] === 8) return 'gzip';
  if (XZ.every((byte, i) => start[i] === byte)) return 'xz';
  if (start[0] === 0x78 && ZLIB.includes(start[1]!)) return 'deflate';
  const zstd = start[1] === 0xb5 && start[2] === 0x2f && start[3] === 0xfd;
  return start[0] === 0x28 && zstd ? 'zstd' : null;
}
