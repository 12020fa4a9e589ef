// Skips runs of LEB128 integers by looking at the bytes that end one, sixteen bytes at a time.

/** The high bit of each byte of a word: bytes without it end an integer. */
const HIGH_BITS = 0x80808080 | 0;
/** Multiplied with flags in the lowest bits of its bytes, it sums them into the highest byte. */
const ONES = 0x01010101;
/** Multiplied with the same, it brings the four flags side by side into the highest bits. */
const TOGETHER = 0x10204080;
/** How many bytes are looked at, and how many integers may end in them. */
const BLOCK = 16;

/** How many bits are set in a byte, and which one is the n-th of them, at 8 × the byte + n − 1. */
const bitCounts = new Uint8Array(256);
const nthBits = new Uint8Array(256 * 8);
for (let byte = 0; byte < 256; byte++) {
  for (let bit = 0; bit < 8; bit++) if ((byte >> bit) & 1) nthBits[byte * 8 + bitCounts[byte]!++] = bit;
}

/**
 * The position after `count` integers that start at `pos`, or −1 when they run past `end`, behind which the view has PADDING.
 *
 * A byte without its high bit ends an integer, except that the ninth byte of one is raw. Blocks of sixteen bytes that hold nothing
 * long are counted one after the other; what comes then starts where an integer does, and where it has eight continued bytes in a row,
 * one integer is stepped over by itself. How many bytes integers have comes at random: the questions about a block are answered
 * without branches.
 */
export function skipVarints(view: DataView, pos: number, end: number, count: number): number {
  let at = pos | 0;
  let left = count | 0;
  while (left > 0) {
    if (at >= end) return -1;
    const a = (~view.getInt32(at, true) & HIGH_BITS) >>> 7;
    const b = (~view.getInt32(at + 4, true) & HIGH_BITS) >>> 7;
    const c = (~view.getInt32(at + 8, true) & HIGH_BITS) >>> 7;
    const d = (~view.getInt32(at + 12, true) & HIGH_BITS) >>> 7;
    const some = Math.imul(a + b + c + d, ONES) >>> 24;
    if (left > BLOCK && a !== 0 && b !== 0 && c !== 0 && d !== 0) {
      left -= some;
      at = (at + BLOCK) | 0;
      // Where blocks come one after the other, none waits for where the last integer of the one before ended.
      let last = d;
      while (left > BLOCK && at < end) {
        const e = (~view.getInt32(at, true) & HIGH_BITS) >>> 7;
        const f = (~view.getInt32(at + 4, true) & HIGH_BITS) >>> 7;
        const g = (~view.getInt32(at + 8, true) & HIGH_BITS) >>> 7;
        const h = (~view.getInt32(at + 12, true) & HIGH_BITS) >>> 7;
        if (e === 0 || f === 0 || g === 0 || h === 0) break;
        left -= Math.imul(e + f + g + h, ONES) >>> 24;
        at = (at + BLOCK) | 0;
        last = h;
      }
      at = (at - (Math.clz32(last) >>> 3)) | 0;
      continue;
    }
    const ends =
      (Math.imul(a, TOGETHER) >>> 28) |
      ((Math.imul(b, TOGETHER) >>> 24) & 0xf0) |
      ((Math.imul(c, TOGETHER) >>> 20) & 0xf00) |
      ((Math.imul(d, TOGETHER) >>> 16) & 0xf000);
    if (hasEightContinued(ends)) {
      at = afterVarint(view, at);
      left--;
    } else if (some < left) {
      left -= some;
      at = (at + 32 - Math.clz32(ends)) | 0;
    } else {
      const before = bitCounts[ends & 0xff]!;
      const inSecond = (before - left) >> 31;
      const byte = (ends >>> (8 & inSecond)) & 0xff;
      const bit = nthBits[byte * 8 + left - (before & inSecond) - 1]!;
      at = (at + (8 & inSecond) + bit + 1) | 0;
      left = 0;
    }
  }
  return at > end ? -1 : at;
}

/** Whether eight of sixteen bits in a row are not set. */
function hasEightContinued(ends: number): boolean {
  const pairs = ~ends & 0xffff & (~ends >>> 1);
  const fours = pairs & (pairs >>> 2);
  return (fours & (fours >>> 4)) !== 0;
}

/** The position after the one integer that starts at `pos`. */
function afterVarint(view: DataView, pos: number): number {
  let at = pos;
  const last = pos + 8;
  while (at < last && view.getUint8(at) >= 0x80) at++;
  return at + 1;
}
