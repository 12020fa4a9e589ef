// The calls that a tree was read from, handed on to code that tells its calls apart, which need not look for them again then.
import type { Cct } from './profile.ts';

/** Calls are distinct in (caller, line, callee); not each of them needs to have nodes. */
export type KnownCalls = {
  /** How many there are. */
  readonly length: number;
  /** Calls of caller m are the rows offsets[m] … offsets[m+1]−1. */
  readonly offsets: Int32Array;
  /** Call i is of callee sites[2i] at line sites[2i+1]. */
  readonly sites: Int32Array;
  /** Per node: its call. The root's means nothing. */
  readonly callOfNode: Int32Array;
};

const callsOfTree = new WeakMap<Cct, KnownCalls>();

export function keepKnownCalls(tree: Cct, calls: KnownCalls): void {
  callsOfTree.set(tree, calls);
}

/** Gives them once: the columns are the taker's own from then on. */
export function takeKnownCalls(tree: Cct): KnownCalls | null {
  const calls = callsOfTree.get(tree) ?? null;
  callsOfTree.delete(tree);
  return calls;
}
