// Keys of methods and call paths that outlive loads, versions and sessions: addresses and pages name them so.
import { methodName } from '../cct/method-names.ts';
import type { MethodTable } from '../cct/profile.ts';

/** 64 bits as two numbers of 32. */
export type PathId = readonly [high: number, low: number];

export type MethodKeys = {
  /** 8 characters of base64url: 48 bits of a hash of class, name and descriptor. */
  keyOf(row: number): string;
  /** −1 where no method has the key. */
  rowOf(key: string): number;
  /** All 64 bits of the hash. */
  hashOf(row: number): PathId;
};

/** Each hash is worked out when it is first asked for. */
export function methodKeys(methods: MethodTable): MethodKeys {
  const hashes = new Int32Array(2 * methods.length);
  const isKnown = new Uint8Array(methods.length);
  const hashOf = (row: number): PathId => {
    if (isKnown[row] === 0) {
      isKnown[row] = 1;
      const { className, name, descriptor } = methodName(methods, row);
      const hash = hashOfText(`${className}\0${name}\0${descriptor ?? ''}`);
      hashes.set(hash, 2 * row);
    }
    return [hashes[2 * row]!, hashes[2 * row + 1]!];
  };
  const numberOf = ([high, low]: PathId): number => (high >>> 0) * 0x10000 + (low >>> 16);
  let rows: Map<number, number> | null = null;
  return {
    hashOf,
    keyOf: row => {
      const bytes = Buffer.alloc(6);
      bytes.writeUIntBE(numberOf(hashOf(row)), 0, 6);
      return bytes.toString('base64url');
    },
    rowOf: key => {
      rows ??= new Map(Array.from({ length: methods.length }, (_, row) => [numberOf(hashOf(row)), row]));
      const bytes = Buffer.from(key, 'base64url');
      return bytes.length === 6 ? (rows.get(bytes.readUIntBE(0, 6)) ?? -1) : -1;
    },
  };
}

/** 53 bits of the id of a call path as a step that stands for all of it: `@` and a number of base 36. */
export function anchorOf([high, low]: PathId): string {
  return `@${((low & 0x1f_ffff) * 2 ** 32 + (high >>> 0)).toString(36)}`;
}

/** Whether a step stands for all of a call path; no key begins so. */
export function isAnchor(step: string): boolean {
  return step.startsWith('@');
}

/** Longer call paths begin with an anchor, */
const MOST_STEPS = 1_000;
/** and go on with so many methods. */
const LAST_STEPS = 100;

/**
 * The steps of a call path, by their keys, as pages and addresses take them.
 * @param of the method that the path begins with; null for everything.
 */
export function shortWay(keys: MethodKeys, of: string | null, steps: readonly string[]): readonly string[] {
  if (steps.length <= MOST_STEPS) return steps;
  let id: PathId = [0, 0];
  const beginning = steps.slice(0, -LAST_STEPS);
  for (const key of of === null ? beginning : [of, ...beginning]) id = pathId(id, keys.hashOf(keys.rowOf(key)));
  return [anchorOf(id), ...steps.slice(-LAST_STEPS)];
}

/** The id of a call path, from that of what is above and the hash of the method. */
export function pathId(above: PathId, method: PathId): PathId {
  return mixed(Math.imul(above[0], 0x9e3779b1) + method[0], Math.imul(above[1], 0x85ebca6b) + method[1]);
}

/** Two numbers, each mixed from all characters with a multiplier of its own. */
function hashOfText(text: string): PathId {
  let [a, b] = [0x811c9dc5, 0x9747b28c];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995);
    b ^= b >>> 15;
  }
  return mixed(a, b);
}

/** Lets every bit of the two numbers change about half of all. */
function mixed(high: number, low: number): PathId {
  let [a, b] = [high | 0, low | 0];
  a = Math.imul(a ^ (b >>> 16), 0x85ebca6b);
  b = Math.imul(b ^ (a >>> 13), 0xc2b2ae35);
  a = Math.imul(a ^ (b >>> 16), 0x27d4eb2f);
  b ^= a >>> 15;
  return [a ^ (b >>> 13), b];
}
