// Memory for columns: shared between threads, so that a worker builds a tree and every other thread reads it without a copy.

/** A zeroed column of `length` 32-bit integers in shared memory. */
export function sharedInt32(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(length * 4));
}

/** A zeroed column of `length` doubles in shared memory. */
export function sharedFloat64(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(length * 8));
}

/** A zeroed column of `length` bytes in shared memory. */
export function sharedUint8(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

/** Mixes three 32-bit integers into a well-spread hash; not meant to resist an adversary, tables bound their probes by growing. */
export function hash3(a: number, b: number, c: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}
