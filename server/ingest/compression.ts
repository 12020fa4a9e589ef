// Tells compressed files by how they start, without what undoes compression.

/** How the bytes at the start of a file are compressed, null where they are not. */
export function compressionOf(start: Uint8Array): 'gzip' | 'zstd' | null {
  if (start[0] === 0x1f && start[1] === 0x8b && start[2] === 8) return 'gzip';
  const zstd = start[1] === 0xb5 && start[2] === 0x2f && start[3] === 0xfd;
  return start[0] === 0x28 && zstd ? 'zstd' : null;
}
