// Skips runs of LEB128 integers by counting the bytes that end one, up to sixteen at a time.

/** The high bit of each byte of a word: bytes without it end an integer. */
const HIGH_BITS = 0x80808080 | 0;
/** Multiplied with flags in the lowest bits of its bytes, it sums them into the highest byte. */
const ONES = 0x01010101;

/**
 * The position after `count` integers that start at `pos`, or −1 when they run past `end`. Words must reach PADDING beyond `end`.
 *
 * A byte without its high bit ends an integer, except that the ninth byte of one is raw. A nine-byte integer begins with
 * eight continued bytes, so it always fills one aligned word with them: only then a careful step is needed, which finds
 * where that integer starts and takes it as a whole.
 */
export function skipVarints(bytes: Uint8Array, words: Int32Array, pos: number, end: number, count: number): number {
  if (count === 0) return pos > end ? -1 : pos;
  if (pos >= end) return -1;
  let left = count | 0;
  // Everything before `floor` has been counted, and an integer starts there or later.
  let floor = pos | 0;
  let index = pos >>> 2;
  let ends = endsFrom(words, pos);
  for (;;) {
    if (ends === 0) {
      let start = Math.max(index << 2, floor);
      while (start > floor && bytes[start - 1]! >= 0x80) start--;
      floor = afterVarint(bytes, start);
      if (--left === 0) return floor > end ? -1 : floor;
      if (floor >= end) return -1;
      index = floor >>> 2;
      ends = endsFrom(words, floor);
      continue;
    }
    const some = Math.imul(ends >>> 7, ONES) >>> 24;
    if (some >= left) break;
    left -= some;
    index++;
    const far = end >>> 2;
    while (left > 16 && index + 4 <= far) {
      const a = ~words[index]! & HIGH_BITS;
      const b = ~words[index + 1]! & HIGH_BITS;
      const c = ~words[index + 2]! & HIGH_BITS;
      const d = ~words[index + 3]! & HIGH_BITS;
      if (a === 0 || b === 0 || c === 0 || d === 0) break;
      left -= Math.imul((a >>> 7) + (b >>> 7) + (c >>> 7) + (d >>> 7), ONES) >>> 24;
      index += 4;
    }
    if (index << 2 >= end) return -1;
    ends = ~words[index]! & HIGH_BITS;
  }
  while (--left > 0) ends &= ends - 1;
  const after = (index << 2) + ((31 - Math.clz32(ends & -ends)) >>> 3) + 1;
  return after > end ? -1 : after;
}

/** The high bits of those bytes that end an integer, of the bytes from `pos` on in its word. */
function endsFrom(words: Int32Array, pos: number): number {
  return ~words[pos >>> 2]! & (HIGH_BITS << ((pos & 3) << 3));
}

/** The position after the one integer that starts at `pos`. */
function afterVarint(bytes: Uint8Array, pos: number): number {
  let at = pos;
  const last = pos + 8;
  while (at < last && bytes[at]! >= 0x80) at++;
  return at + 1;
}
