// Skips runs of LEB128 integers by counting the bytes that end one, four at a time.

const CONTINUED = 0x80808080 | 0;

/**
 * The position after `count` integers that start at `pos`, or −1 when they run past `end`.
 *
 * A byte without its high bit ends an integer, except that the ninth byte of one is raw. A nine-byte integer begins with
 * eight continued bytes, so it always fills one aligned word with them: only then a careful step is needed, which finds
 * where that integer starts and takes it as a whole.
 */
export function skipVarints(bytes: Uint8Array, words: Int32Array, pos: number, end: number, count: number): number {
  let left = count;
  let at = pos;
  // Everything before `floor` has been counted, and an integer starts there or later.
  let floor = pos;
  while (left > 0) {
    if (at >= end) return -1;
    // The last few are stepped through one by one, since a word could hold more ends than are wanted.
    if ((at & 3) !== 0 || left < 4) {
      let start = at;
      while (start > floor && bytes[start - 1]! >= 0x80) start--;
      at = afterVarint(bytes, start);
      floor = at;
      left--;
      continue;
    }
    const continued = words[at >>> 2]! & CONTINUED;
    if (continued === CONTINUED) {
      let start = at;
      while (start > floor && bytes[start - 1]! >= 0x80) start--;
      at = afterVarint(bytes, start);
      floor = at;
      left--;
      continue;
    }
    // Multiplying the four flags by 0x01010101 sums them into the top byte.
    left -= 4 - (Math.imul((continued >>> 7) & 0x01010101, 0x01010101) >>> 24);
    at += 4;
  }
  return at > end ? -1 : at;
}

/** The position after the one integer that starts at `pos`. */
function afterVarint(bytes: Uint8Array, pos: number): number {
  let at = pos;
  const last = pos + 8;
  while (at < last && bytes[at]! >= 0x80) at++;
  return at + 1;
}
