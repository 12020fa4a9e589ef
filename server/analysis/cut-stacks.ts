// How many stacks of each metric were cut off by the recorder, and how many of those could not be put in their place.
import { EMPTY_STACK_LINE, ROOT_NODE } from '../cct/builder.ts';
import type { Profile } from '../cct/profile.ts';
import { partialNode } from '../cct/tree-index.ts';

/** Samples of one metric, of everything that was loaded. */
export type CutStacks = {
  /** The samples that came with a stack. */
  readonly all: number;
  /** The samples whose stack was cut off at the root end. */
  readonly cutOff: number;
  /** The samples whose stack was cut off and has no certain place: they are in no share. The other cut-off stacks rejoined the tree. */
  readonly leftOut: number;
};

/** For each metric; empty where no stack was cut off. `grafted` is the same profile with its partial stacks grafted. O(cells). */
export function cutStacksOf(profile: Profile, grafted: Profile): readonly CutStacks[] {
  if (partialNode(profile.tree) < 0) return [];
  const leftOut = partialCounts(grafted);
  return partialCounts(profile).map((cutOff, metric) => ({
    all: stacksOf(profile, metric),
    cutOff,
    leftOut: leftOut[metric]!,
  }));
}

/** Per metric: samples whose stack is partial. */
function partialCounts({ tree, cells }: Profile): number[] {
  const first = partialNode(tree);
  const end = first < 0 ? -1 : tree.subtreeEnd[first]!;
  return cells.map(({ length, node, count }) => {
    let sum = 0;
    for (let cell = 0; cell < length; cell++) if (node[cell]! >= first && node[cell]! < end) sum += count[cell]!;
    return sum;
  });
}

function stacksOf({ cells }: Profile, metric: number): number {
  const { length, node, line, count } = cells[metric]!;
  let sum = 0;
  for (let cell = 0; cell < length; cell++) {
    const hasStack = node[cell] !== ROOT_NODE || line[cell] === EMPTY_STACK_LINE;
    if (hasStack) sum += count[cell]!;
  }
  return sum;
}
