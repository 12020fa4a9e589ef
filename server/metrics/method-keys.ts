// Keys of methods that outlive loads, versions and sessions: a hash of class, name and descriptor.
import type { MethodTable } from '../cct/profile.ts';

/** The keys of one table. */
export type MethodKeys = {
  /** 48 bits as 8 characters of base64url. */
  keyOf(row: number): string;
  /** Of equal keys the first row; undefined for one that is no method's. The first call hashes all methods. */
  rowOf(key: string): number | undefined;
};

export function methodKeys(methods: MethodTable): MethodKeys {
  let rows: Map<string, number> | null = null;
  return {
    keyOf: row => keyOf(methods, row),
    rowOf: key => {
      rows ??= rowsByKey(methods);
      return rows.get(key);
    },
  };
}

function rowsByKey(methods: MethodTable): Map<string, number> {
  const rows = new Map<string, number>();
  for (let row = methods.length - 1; row >= 0; row--) rows.set(keyOf(methods, row), row);
  return rows;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Two multiplicative hashes of 32 bits over the same characters, mixed at the end as murmur3 does; 24 bits of each are taken. */
function keyOf({ strings, className, name, descriptor }: MethodTable, row: number): string {
  const signature = descriptor[row]!;
  const texts = [strings[className[row]!]!, strings[name[row]!]!, ...(signature < 0 ? [] : [strings[signature]!])];
  let [one, other] = [0x9e3779b9, 0x85ebca6b];
  for (const [at, text] of texts.entries()) {
    if (at > 0) [one, other] = [Math.imul(one, 0x5bd1e995), Math.imul(other, 0x1b873593)];
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      one = Math.imul(one ^ unit, 0x9e3779b1);
      other = Math.imul(other ^ unit, 0x5f356495);
    }
  }
  return digits(mixed(one ^ (other >>> 16))) + digits(mixed(other ^ (one >>> 13)));
}

function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

function digits(bits: number): string {
  return DIGITS[bits & 63]! + DIGITS[(bits >>> 6) & 63]! + DIGITS[(bits >>> 12) & 63]! + DIGITS[(bits >>> 18) & 63]!;
}
