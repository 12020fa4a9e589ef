// Checks that keys chosen to collide do not collide, and that ordinary keys are spread well.
import { describe, expect, test } from 'vitest';
import { hash3, hash4 } from '../../server/cct/shared-columns.ts';

const SLOTS = 1 << 12;
const HASHES: [string, (a: number, b: number, c: number) => number][] = [
  ['hash3', hash3],
  ['hash4', (a, b, c) => hash4(a, b, c, 7)],
];

/** Slots that the keys take, as a part of the slots that as many keys take when chance decides. */
function spread(hash: (key: number) => number, keys: readonly number[]): number {
  const taken = new Set(keys.map(key => hash(key) & (SLOTS - 1)));
  return taken.size / (SLOTS * (1 - (1 - 1 / SLOTS) ** keys.length));
}

/** The same mixing with multipliers that everybody knows. */
function knownHash(a: number, b: number, c: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}

describe.each(HASHES)('%s', (_name, hash) => {
  test('lines chosen to share a slot under known multipliers do not', () => {
    const chosen: number[] = [];
    for (let line = 0; chosen.length < 1000; line++) if ((knownHash(5, 6, line) & (SLOTS - 1)) === 0) chosen.push(line);
    expect(spread(line => knownHash(5, 6, line), chosen)).toBeLessThan(0.01);
    expect(spread(line => hash(5, 6, line), chosen)).toBeGreaterThan(0.5);
  });

  test('rows and lines in a row are spread', () => {
    const numbers = Array.from({ length: SLOTS }, (_, i) => i);
    expect(spread(i => hash(i, 3, 4), numbers)).toBeGreaterThan(0.5);
    expect(spread(i => hash(3, i, 4), numbers)).toBeGreaterThan(0.5);
    expect(spread(i => hash(3, 4, i), numbers)).toBeGreaterThan(0.5);
    expect(spread(i => hash(i & 63, i >> 6, 0), numbers)).toBeGreaterThan(0.4);
  });
});

test('threads and windows of the same sum differ', () => {
  const pairs = Array.from({ length: 1000 }, (_, i) => i);
  expect(spread(i => hash4(1, 2, i, (1000 - i) * 61), pairs)).toBeGreaterThan(0.5);
});
