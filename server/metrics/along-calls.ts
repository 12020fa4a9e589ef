// The callers or callees at the end of a way through calls: sums over the calling contexts that the way passes, not over all of a method.
import { noPause, type Pause } from '../base/pause.ts';
import { ROOT_METHOD } from '../cct/profile.ts';
import { nodesOfMethod } from '../cct/tree-index.ts';
import type { Amount, Analysis } from './analysis.ts';
import { calleesInTable } from './around-method.ts';
import type { CallSiteAmounts, CallSites } from './call-sites.ts';
import { heaviestFirst } from './keyed-amounts.ts';
import type { MethodTimes } from './method-times.ts';
import { forEachOutermost, nodesOfSet, visitFrames } from './node-walks.ts';
import { stretchOf } from './stretches.ts';

/** Sets of method rows, the one that was asked about first; each next one is called by the one before it, or calls it. */
export type Way = {
  readonly direction: 'callees' | 'callers';
  readonly steps: readonly (readonly number[])[];
};

/** The next step: methods of one group with the lines of their calls, in the caller as it was recorded; 0 is unknown. */
type NextCall = {
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

/** The sums for all methods. */
type SummedCalls = {
  readonly sites: CallSites;
  readonly siteAmounts: CallSiteAmounts;
  readonly total: MethodTimes;
};

const NODES_A_STEP = 1 << 13;

/**
 * The same as `callsAlong` for what one method calls, looked up; null where the method stands several times on one stack: its
 * calls on different lines may then be in the same sample.
 */
export function calleesLookedUp(a: Analysis, { sites, siteAmounts, total }: SummedCalls, method: number): Along | null {
  const { recursive } = a.index;
  for (const node of nodesOfMethod(a.index, method)) if (recursive[node] === 1) return null;
  const groups = new Map<number, { lines: number[]; weight: number; count: number }>();
  for (const { method: callee, line, amount } of calleesInTable(sites, siteAmounts, method)) {
    const group = groups.get(callee) ?? { lines: [], weight: 0, count: 0 };
    groups.set(callee, group);
    group.lines.push(line);
    group.weight += amount.weight;
    group.count += amount.count;
  }
  const next = Array.from(groups, ([callee, { lines, weight, count }]) => ({
    methods: [callee],
    lines: lines.sort(ascending),
    amount: { weight, count },
  }));
  return { whole: { weight: total.weight[method]!, count: total.count[method]! }, next: next.sort(byWeight) };
}

/** @param groupOf the row that stands for a row's group, one of the group's; each is its own when absent. */
export function callsAlong(
  a: Analysis,
  way: Way,
  groupOf: (method: number) => number = same,
  pause: Pause = noPause,
): Along {
  const { method, parent, callLine } = a.profile.tree;
  const nodes = contextNodes(a, way, pause);
  const whole = { weight: 0, count: 0 };
  forEachOutermost(a, nodes, node => {
    const at = stretchOf(a.stretches, node);
    whole.weight += a.totalWeight[at]!;
    whole.count += a.totalCount[at]!;
  });
  pause();
  const sums = new GroupSums(a);
  if (way.direction === 'callees') {
    visitFrames(
      a,
      nodes,
      ignore,
      child => {
        const callee = method[child]!;
        sums.add(groupOf(callee), callee, Math.max(0, callLine[child]!), child);
      },
      pause,
    );
  } else {
    const levels = way.steps.length - 1;
    for (let i = 0; i < nodes.length; i++) {
      if (i % NODES_A_STEP === NODES_A_STEP - 1) pause();
      const called = ancestor(parent, nodes[i]!, levels);
      const caller = called <= 0 ? ROOT_METHOD : method[parent[called]!]!;
      if (caller !== ROOT_METHOD) sums.add(groupOf(caller), caller, Math.max(0, callLine[called]!), nodes[i]!);
    }
  }
  pause();
  return { whole, next: sums.list().sort(byWeight) };
}

/** Amounts of groups of methods, each sample once a group, with the methods and lines seen of each. */
class GroupSums {
  readonly #a: Analysis;
  /** One value a method row, as a table is looked up faster than a key; groups are called by one of their rows. */
  readonly #coveredUntil: Int32Array;
  readonly #lastLine: Int32Array;
  readonly #weight: Float64Array;
  readonly #count: Float64Array;
  readonly #groups = new Map<number, Map<number, Set<number>>>();

  constructor(a: Analysis) {
    this.#a = a;
    const { length } = a.profile.methods;
    this.#coveredUntil = new Int32Array(length);
    this.#lastLine = new Int32Array(length).fill(-1);
    this.#weight = new Float64Array(length);
    this.#count = new Float64Array(length);
  }

  /** Adds what lies at or below a node, unless it lies below one that was added to the group before. */
  add(group: number, method: number, line: number, node: number): void {
    const at = stretchOf(this.#a.stretches, node);
    const [weight, count] = [this.#a.totalWeight[at]!, this.#a.totalCount[at]!];
    // Trees are shared by all metrics: a node that only another metric's samples made was not seen here.
    if (weight === 0 && count === 0) return;
    if (this.#lastLine[method] !== line) this.#note(group, method, line);
    if (node < this.#coveredUntil[group]!) return;
    this.#coveredUntil[group] = this.#a.profile.tree.subtreeEnd[node]!;
    this.#weight[group]! += weight;
    this.#count[group]! += count;
  }

  list(): NextCall[] {
    return Array.from(this.#groups, ([group, lines]) => ({
      methods: [...lines.keys()].sort(ascending),
      lines: [...new Set(Array.from(lines.values(), each => [...each]).flat())].sort(ascending),
      amount: { weight: this.#weight[group]!, count: this.#count[group]! },
    }));
  }

  #note(group: number, method: number, line: number): void {
    this.#lastLine[method] = line;
    const lines = this.#groups.get(group) ?? new Map<number, Set<number>>();
    this.#groups.set(group, lines);
    const own = lines.get(method) ?? new Set<number>();
    lines.set(method, own);
    own.add(line);
  }
}

/** The nodes in scope at which the contexts of a way end: of its last step for callees; of its first for callers, which lie above. */
function contextNodes(a: Analysis, { direction, steps }: Way, pause: Pause): Int32Array {
  const { method, parent } = a.profile.tree;
  const around = direction === 'callees' ? steps.toReversed() : steps;
  const innermost = around[0] ?? [];
  const above = around.slice(1).map(rows => new Set(rows));
  const all = nodesOfSet(a, innermost, pause);
  if (above.length === 0) return all;
  // For callees the whole way has to be in scope; what calls into a focus lies outside of it.
  const kept = new Int32Array(all.length);
  let length = 0;
  for (let i = 0; i < all.length; i++) {
    if (i % NODES_A_STEP === NODES_A_STEP - 1) pause();
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

function ancestor(parent: Int32Array, node: number, levels: number): number {
  let at = node;
  for (let k = 0; k < levels && at > 0; k++) at = parent[at]!;
  return at;
}

function same(method: number): number {
  return method;
}

function byWeight(x: NextCall, y: NextCall): number {
  return heaviestFirst(x, y) || x.methods[0]! - y.methods[0]!;
}

function ascending(a: number, b: number): number {
  return a - b;
}

function ignore(): void {}
