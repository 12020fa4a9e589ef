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

/** Zeroed columns for a tree of `length` nodes. */
export function treeColumns(length: number) {
  return {
    length,
    parent: sharedInt32(length),
    method: sharedInt32(length),
    callLine: sharedInt32(length),
    subtreeEnd: sharedInt32(length),
    depth: sharedInt32(length),
  };
}

/** Odd and drawn anew in each process, so that no file can hold keys that collide wherever they are read. */
const [FACTOR_A, FACTOR_B, FACTOR_C, FACTOR_D] = [oddNumber(), oddNumber(), oddNumber(), oddNumber()];

function oddNumber(): number {
  return (Math.random() * 2 ** 32) | 1;
}

/** Mixes three 32-bit integers into a well-spread hash. It differs from process to process: nothing that lasts may depend on it. */
export function hash3(a: number, b: number, c: number): number {
  return mixed(Math.imul(a, FACTOR_A) ^ Math.imul(b, FACTOR_B) ^ Math.imul(c, FACTOR_C));
}

/** The same for four. */
export function hash4(a: number, b: number, c: number, d: number): number {
  return mixed(Math.imul(a, FACTOR_A) ^ Math.imul(b, FACTOR_B) ^ Math.imul(c, FACTOR_C) ^ Math.imul(d, FACTOR_D));
}

function mixed(bits: number): number {
  let h = bits ^ (bits >>> 15);
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}
