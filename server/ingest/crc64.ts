// The checksum CRC-64 of .xz files (ECMA-182, reflected), in halves of 32 bits.

const POLYNOMIAL_HIGH = 0xc96c5795;
const POLYNOMIAL_LOW = 0xd7870f42;
const [HIGH, LOW] = [new Int32Array(256), new Int32Array(256)];
for (let byte = 0; byte < 256; byte++) {
  let [high, low] = [0, byte];
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = (low & 1) === 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (!isOdd) continue;
    high ^= POLYNOMIAL_HIGH;
    low ^= POLYNOMIAL_LOW;
  }
  HIGH[byte] = high;
  LOW[byte] = low;
}

/** A sum that grows; `bytes` has it so far, least significant byte first. */
export function crc64(): { add(part: Uint8Array): void; bytes(): Uint8Array } {
  let [high, low] = [-1, -1];
  return {
    add(part) {
      for (const byte of part) {
        const row = (low ^ byte) & 0xff;
        low = ((low >>> 8) | (high << 24)) ^ LOW[row]!;
        high = (high >>> 8) ^ HIGH[row]!;
      }
    },
    bytes() {
      const sum = Buffer.alloc(8);
      sum.writeInt32LE(~low, 0);
      sum.writeInt32LE(~high, 4);
      return sum;
    },
  };
}
