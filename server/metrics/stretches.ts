// Stretches of a tree: calls that lead to one another alone, so that one number stands for all of their nodes.
import { sharedInt32 } from '../cct/columns.ts';
import type { Cells } from '../cct/profile.ts';

/**
 * Nodes that follow each other, each but the last without cells and with the next as its only child: all have the same total and the
 * same subtree's end. Most nodes of a tree stand in such rows, and columns with one value a stretch are a fraction of the tree.
 */
export type Stretches = {
  readonly length: number;
  /** Last node of each, ascending. */
  readonly ends: Int32Array;
  /** Two numbers for 32 nodes: how many stretches end before them, and a bit for each of them that is the last of one. */
  readonly bits: Int32Array;
  /** First cell that is not before each stretch, and behind the last one the number of cells. */
  readonly firstCell: Int32Array;
};

/** Of ascending lists of last nodes, in which every node that has cells must stand. */
export function stretchesOf(nodes: number, ends: Int32Array, { node: nodeOfCell, length: cells }: Cells): Stretches {
  // One node more, for who asks behind the last one.
  const bits = sharedInt32(2 * ((nodes >> 5) + 1));
  for (let i = 0; i < ends.length; i++) bits[2 * (ends[i]! >> 5) + 1]! |= 1 << (ends[i]! & 31);
  let before = 0;
  for (let at = 0; at < bits.length; at += 2) {
    bits[at] = before;
    before += bitsIn(bits[at + 1]!);
  }
  const firstCell = sharedInt32(ends.length + 1);
  let cell = 0;
  for (let i = 0; i < ends.length; i++) {
    firstCell[i] = cell;
    while (cell < cells && nodeOfCell[cell]! <= ends[i]!) cell++;
  }
  firstCell[ends.length] = cell;
  return { length: ends.length, ends, bits, firstCell };
}

/** The stretch that a node belongs to; of the number of nodes, the number of stretches. */
export function stretchOf({ bits }: Stretches, node: number): number {
  const at = 2 * (node >> 5);
  return bits[at]! + bitsIn(bits[at + 1]! & ~(-1 << (node & 31)));
}

/** First cell at or behind a node: those of node i alone are the rows firstCell(i) … firstCell(i + 1)−1. */
export function firstCell(stretches: Stretches, node: number): number {
  return stretches.firstCell[stretchOf(stretches, node)]!;
}

/** How many bits of a 32-bit number are 1: counted in pairs, in fours, in eights, then all at once. */
function bitsIn(number: number): number {
  const pairs = number - ((number >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Both ascending lists as one that has each number once. */
export function united(a: Int32Array, b: Int32Array): Int32Array {
  const both = new Int32Array(a.length + b.length);
  let [i, j, length] = [0, 0, 0];
  while (i < a.length || j < b.length) {
    const value = j === b.length || (i < a.length && a[i]! < b[j]!) ? a[i]! : b[j]!;
    while (i < a.length && a[i]! === value) i++;
    while (j < b.length && b[j]! === value) j++;
    both[length++] = value;
  }
  const shared = sharedInt32(length);
  shared.set(both.subarray(0, length));
  return shared;
}
