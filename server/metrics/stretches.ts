// Stretches of a tree: calls that lead to one another alone, so that one number stands for all of their nodes.

import type { Cells } from '../cct/profile.ts';
import { sharedInt32 } from '../cct/shared-columns.ts';

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

/** Of lists of last nodes, in which every node that has cells must stand. */
export function stretchesOf(
  nodes: number,
  lastNodes: readonly Int32Array[],
  { node: nodeOfCell, length: cells }: Cells,
): Stretches {
  // One node more, since the node behind the last one is asked for too.
  const bits = sharedInt32(2 * ((nodes >> 5) + 1));
  for (const list of lastNodes) mark(bits, list);
  let length = 0;
  for (let at = 0; at < bits.length; at += 2) {
    bits[at] = length;
    length += bitsIn(bits[at + 1]!);
  }
  const ends = sharedInt32(length);
  const firstCell = sharedInt32(length + 1);
  let [i, cell] = [0, 0];
  for (let at = 0; at < bits.length; at += 2) {
    // From the lowest bit to the highest: each is taken away once it is read.
    for (let left = bits[at + 1]!; left !== 0; left &= left - 1) {
      const end = 16 * at + 31 - Math.clz32(left & -left);
      ends[i] = end;
      firstCell[i++] = cell;
      while (cell < cells && nodeOfCell[cell]! <= end) cell++;
    }
  }
  firstCell[length] = cell;
  return { length, ends, bits, firstCell };
}

/** A loop of its own, compiled for the one kind of work: lists may overlap and come in any order. */
function mark(bits: Int32Array, nodes: Int32Array): void {
  for (let i = 0; i < nodes.length; i++) bits[2 * (nodes[i]! >> 5) + 1]! |= 1 << (nodes[i]! & 31);
}

/** The stretch that a node belongs to; of the number of nodes, the number of stretches. */
export function stretchOf({ bits }: Stretches, node: number): number {
  const at = 2 * (node >> 5);
  return bits[at]! + bitsIn(bits[at + 1]! & ~(-1 << (node & 31)));
}

/** First cell at or behind a node: the cells of node i alone are the rows firstCell(i) … firstCell(i + 1)−1. */
export function firstCell(stretches: Stretches, node: number): number {
  return stretches.firstCell[stretchOf(stretches, node)]!;
}

/** How many bits of a 32-bit number are 1: counted in pairs, in fours, in eights, then all at once. */
function bitsIn(number: number): number {
  const pairs = number - ((number >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
