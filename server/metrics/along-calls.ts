// Who calls, or is called, at the end of a way through calls: sums over the calling contexts that the way passes, not over all of a method.
import { ROOT_METHOD } from '../cct/profile.ts';
import type { Amount, Analysis } from './analysis.ts';
import type { Steps } from './around-method.ts';
import { forEachOutermost, frameSteps, nodesOfSet } from './frames.ts';
import { heaviestFirst, KeyedAmounts } from './keyed-amounts.ts';

/** Sets of method rows, the one that was asked about first; each next one is called by the one before it, or calls it. */
export type Way = {
  readonly direction: 'callees' | 'callers';
  readonly steps: readonly (readonly number[])[];
};

/** The next step: methods of one group with the lines of their calls, in the caller as it was recorded; 0 is unknown. */
export type NextCall = {
  readonly methods: readonly number[];
  readonly lines: readonly number[];
  /** Samples in the way's contexts with this call, once. */
  readonly amount: Amount;
};

export type Along = {
  /** Samples in the contexts of the way. */
  readonly whole: Amount;
  /** Heaviest first. */
  readonly next: readonly NextCall[];
};

const NODES_A_STEP = 1 << 13;

/** @param groupOf rows with equal numbers are taken as one; each is its own when absent. */
export function* alongSteps(a: Analysis, way: Way, groupOf: (method: number) => number = same): Steps<Along> {
  const { method, subtreeEnd, callLine } = a.profile.tree;
  const nodes = yield* contextNodes(a, way);
  const whole = { weight: 0, count: 0 };
  forEachOutermost(a, nodes, node => {
    whole.weight += a.totalWeight[node]!;
    whole.count += a.totalCount[node]!;
  });
  yield;
  const groups = new KeyedAmounts();
  const sites = new KeyedAmounts();
  const add = (key: number, line: number, node: number) => {
    const [weight, count] = [a.totalWeight[node]!, a.totalCount[node]!];
    groups.addSubtree(groups.entry(groupOf(key), 0), node, subtreeEnd[node]!, weight, count);
    sites.addSubtree(sites.entry(key, line), node, subtreeEnd[node]!, weight, count);
  };
  if (way.direction === 'callees') {
    yield* frameSteps(a, nodes, ignore, child => add(method[child]!, Math.max(0, callLine[child]!), child));
  } else {
    for (let i = 0; i < nodes.length; i++) {
      if (i % NODES_A_STEP === NODES_A_STEP - 1) yield;
      const node = nodes[i]!;
      const called = ancestor(a, node, way.steps.length - 1);
      const caller = called <= 0 ? ROOT_METHOD : method[a.profile.tree.parent[called]!]!;
      if (caller !== ROOT_METHOD) add(caller, Math.max(0, callLine[called]!), node);
    }
  }
  yield;
  const found = new Map<number, { methods: Set<number>; lines: Set<number> }>();
  for (const { row, line } of sites.list((row, line) => ({ row, line }))) {
    const group = found.get(groupOf(row)) ?? { methods: new Set(), lines: new Set() };
    found.set(groupOf(row), group);
    group.methods.add(row);
    group.lines.add(line);
  }
  const next = groups.list((key, _, amount) => {
    const { methods, lines } = found.get(key)!;
    return { methods: [...methods].sort(ascending), lines: [...lines].sort(ascending), amount };
  });
  return { whole, next: next.sort((x, y) => heaviestFirst(x, y) || x.methods[0]! - y.methods[0]!) };
}

/** The nodes in scope at which the contexts of a way end: of its last step for callees; of its first for callers, which lie above. */
function* contextNodes(a: Analysis, { direction, steps }: Way): Steps<Int32Array> {
  const { method, parent } = a.profile.tree;
  const around = direction === 'callees' ? steps.toReversed() : steps;
  const innermost = around[0] ?? [];
  const above = around.slice(1).map(rows => new Set(rows));
  if (above.length === 0) return nodesOfSet(a, innermost);
  // For callees the whole way has to be in scope; what calls into a focus lies outside of it.
  const all = nodesOfSet(a, innermost);
  const kept = new Int32Array(all.length);
  let length = 0;
  for (let i = 0; i < all.length; i++) {
    if (i % NODES_A_STEP === NODES_A_STEP - 1) yield;
    let node = all[i]!;
    let fits = true;
    for (let k = 0; fits && k < above.length; k++) {
      node = node <= 0 ? -1 : parent[node]!;
      fits = node > 0 && above[k]!.has(method[node]!);
    }
    if (fits && direction === 'callees' && a.scope !== null) fits = a.scope[node] === 1;
    if (fits) kept[length++] = all[i]!;
  }
  return kept.subarray(0, length);
}

function ancestor(a: Analysis, node: number, levels: number): number {
  let at = node;
  for (let k = 0; k < levels && at > 0; k++) at = a.profile.tree.parent[at]!;
  return at;
}

function same(method: number): number {
  return method;
}

function ascending(a: number, b: number): number {
  return a - b;
}

function ignore(): void {}
