// The damages of files on their way: bytes overwritten, turned over, lost.

/** Gives back the damaged file; it may be the array that it got. `random` gives whole numbers from 0 to below its argument. */
export type Damage = (bytes: Uint8Array, random: (below: number) => number) => Uint8Array;

/** Damage that files of every format can take. */
export const anyDamages = {
  'bits turned over': (bytes, random) => {
    for (let n = 1 + random(20); n > 0; n--) bytes[random(bytes.length)]! ^= 1 << random(8);
    return bytes;
  },
  'runs of one value': (bytes, random) => {
    const at = random(bytes.length);
    return bytes.fill([0x00, 0x7f, 0x80, 0xff][random(4)]!, at, at + 1 + random(24));
  },
  'a piece cut out': (bytes, random) => {
    const at = random(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(300))]);
  },
  'cut off': (bytes, random) => bytes.subarray(0, 1 + random(bytes.length)),
} satisfies Readonly<Record<string, Damage>>;

/** Nothing is left of a file but its first bytes, by which its format is known. */
export function noiseBehind(start: number): Damage {
  return (bytes, random) => bytes.map((byte, at) => (at < start ? byte : random(256)));
}
