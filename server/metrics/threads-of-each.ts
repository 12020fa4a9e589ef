// On which threads the samples of each of many methods are, in one pass over the tree: a walk for each would pass most cells again and again.
import { noPause, type Pause } from '../base/pause.ts';
import { threadGroups } from '../cct/thread-groups.ts';
import type { Analysis } from './analysis.ts';
import { type ThreadAndAmount, threadAmounts } from './around-method.ts';
import { forEachCell } from './node-walks.ts';

/** Nodes looked at in one step. */
const STEP = 1 << 15;

/** Amounts by thread group, of which most have none. */
class GroupSums {
  readonly weights: Float64Array;
  readonly counts: Float64Array;
  /** Groups that anything was added to. */
  readonly #seen: number[] = [];
  readonly #isSeen: Uint8Array;

  constructor(groups: number) {
    this.weights = new Float64Array(groups);
    this.counts = new Float64Array(groups);
    this.#isSeen = new Uint8Array(groups);
  }

  add(group: number, weight: number, count: number): void {
    this.weights[group]! += weight;
    this.counts[group]! += count;
    if (this.#isSeen[group] === 1) return;
    this.#isSeen[group] = 1;
    this.#seen.push(group);
  }

  addAll(others: GroupSums): void {
    for (const group of others.#seen) this.add(group, others.weights[group]!, others.counts[group]!);
  }

  clear(): void {
    for (const group of this.#seen) {
      this.weights[group] = 0;
      this.counts[group] = 0;
      this.#isSeen[group] = 0;
    }
    this.#seen.length = 0;
  }
}

/** The same as `threadsOf` of each method alone. O(nodes + cells + groups of each node of the methods). */
export function threadsOfEach(
  a: Analysis,
  methods: readonly number[],
  pause: Pause = noPause,
): ReadonlyMap<number, readonly ThreadAndAmount[]> {
  const { method, subtreeEnd, length } = a.profile.tree;
  const { stretches, scope } = a;
  const { thread } = a.profile.cells[a.selection.metric]!;
  const { of: groups, firsts } = threadGroups(a.profile.threads);
  const found = new Map(methods.map(row => [row, new GroupSums(firsts.length)]));
  const isAsked = new Uint8Array(a.profile.methods.length);
  for (const row of methods) isAsked[row] = 1;
  /** 1 below a node of the method: samples count at the outermost one. */
  const isOpen = new Uint8Array(a.profile.methods.length);
  /** Outermost nodes of the methods that are open, and what is at or below each so far. */
  const open: number[] = [];
  const sums: GroupSums[] = [];
  const close = () => {
    const row = method[open.pop()!]!;
    const own = sums[open.length]!;
    isOpen[row] = 0;
    found.get(row)!.addAll(own);
    if (open.length > 0) sums[open.length - 1]!.addAll(own);
    own.clear();
  };
  const addCell = (_: number, weight: number, count: number, cell: number) =>
    sums[open.length - 1]!.add(groups[thread[cell]!]!, weight, count);
  for (let node = 0, at = 0; node < length; node++) {
    if (node % STEP === STEP - 1) pause();
    if (node > stretches.ends[at]!) at++;
    while (open.length > 0 && subtreeEnd[open.at(-1)!]! <= node) close();
    if (scope !== null && scope[node] !== 1) continue;
    const row = method[node]!;
    if (isAsked[row] === 1 && isOpen[row] === 0) {
      sums[open.length] ??= new GroupSums(firsts.length);
      open.push(node);
      isOpen[row] = 1;
    }
    if (open.length > 0 && node === stretches.ends[at])
      forEachCell(a, stretches.firstCell[at]!, stretches.firstCell[at + 1]!, addCell);
  }
  while (open.length > 0) close();
  return new Map(Array.from(found, ([row, { weights, counts }]) => [row, threadAmounts(firsts, weights, counts)]));
}
