// The tree of a selection with recursion merged: a method that is called while it runs is one node with its outermost call.
import type { Pause } from '../../base/pause.ts';
import type { Analysis } from '../analysis.ts';
import { type MethodSet, nodesOfSet } from '../node-walks.ts';
import { forEachRun } from '../scope.ts';
import type { Sum, WalkedTree } from './walked-tree.ts';

/** Nodes between two pauses. */
const STEP = 1 << 16;

/**
 * Reads each stack from its root: a method that the path so far has already leads back to there, so that `A B A C` becomes `A C`, and
 * what `B` calls `A` for counts for `A`.
 * @param walked the same analysis as it is.
 */
export function mergedRecursion(a: Analysis, walked: WalkedTree, pause: Pause): WalkedTree {
  return new MergedTree(a, walked, pause);
}

/** Nodes of recursive calls are guests of the node of the outermost one; all others stay what they are. */
class MergedTree implements WalkedTree {
  readonly method: Int32Array;
  readonly #a: Analysis;
  readonly #walked: WalkedTree;
  /** Per node: its host and 1, for guests; 0 for all others. Hosts are no guests. */
  readonly #host: Int32Array;
  /** Guests of each host. */
  readonly #guests = new Map<number, number[]>();
  /** Per node that is no guest: samples at or below it. */
  readonly #weight: Float64Array;
  readonly #count: Float64Array;

  constructor(a: Analysis, walked: WalkedTree, pause: Pause) {
    const { length, method } = a.profile.tree;
    this.#a = a;
    this.#walked = walked;
    this.method = method;
    this.#host = new Int32Array(length);
    this.#findHosts(pause);
    this.#count = new Float64Array(length);
    this.#weight = a.totalWeight === a.totalCount ? this.#count : new Float64Array(length);
    this.#sumUp(pause);
  }

  #hostOf(node: number): number {
    return this.#host[node] === 0 ? node : this.#host[node]! - 1;
  }

  /** The caller of a node where recursion is merged; −1 outside of the scope. */
  #callerInScope(node: number): number {
    const { scope, profile } = this.#a;
    const caller = profile.tree.parent[node]!;
    return caller < 0 || (scope !== null && scope[caller] !== 1) ? -1 : this.#hostOf(caller);
  }

  #findHosts(pause: Pause): void {
    const { runs, index, profile } = this.#a;
    const { method } = profile.tree;
    forEachRun(runs, (from, to) => {
      for (let node = from; node < to; node++) {
        if (node % STEP === 0) pause();
        if (index.recursive[node] === 0) continue;
        // Recursion that leads back beyond the focus is none in it.
        let above = this.#callerInScope(node);
        while (above >= 0 && method[above] !== method[node]) above = this.#callerInScope(above);
        if (above < 0) continue;
        this.#host[node] = above + 1;
        const guests = this.#guests.get(above);
        if (guests === undefined) this.#guests.set(above, [node]);
        else guests.push(node);
      }
    });
  }

  #sumUp(pause: Pause): void {
    const [weight, count] = [this.#weight, this.#count];
    const sum = { weight: 0, count: 0 };
    this.#walked.forEachOwner(node => {
      [sum.weight, sum.count] = [0, 0];
      this.#walked.addOwn(node, sum);
      const host = this.#hostOf(node);
      count[host]! += sum.count;
      if (weight !== count) weight[host]! += sum.weight;
    }, pause);
    const { runs } = this.#a;
    for (let run = runs.length - 2; run >= 0; run -= 2)
      for (let node = runs[run + 1]! - 1; node >= runs[run]!; node--) {
        if (node % STEP === 0) pause();
        if (this.#host[node] !== 0 || (count[node] === 0 && weight[node] === 0)) continue;
        const caller = this.#callerInScope(node);
        if (caller < 0) continue;
        count[caller]! += count[node]!;
        if (weight !== count) weight[caller]! += weight[node]!;
      }
  }

  forEachTop(visit: (node: number) => void): void {
    this.#walked.forEachTop(visit);
  }

  forEachCallee(node: number, visit: (callee: number) => void): void {
    const visitSeen = (callee: number) => {
      if (this.#host[callee] === 0 && (this.#count[callee] !== 0 || this.#weight[callee] !== 0)) visit(callee);
    };
    this.#walked.forEachCallee(node, visitSeen);
    for (const guest of this.#guests.get(node) ?? []) this.#walked.forEachCallee(guest, visitSeen);
  }

  callerOf(node: number): number {
    const caller = this.#walked.callerOf(node);
    return caller < 0 ? -1 : this.#hostOf(caller);
  }

  addTotal(node: number, sum: Sum): void {
    sum.weight += this.#weight[node]!;
    sum.count += this.#count[node]!;
  }

  addOwn(node: number, sum: Sum): void {
    this.#walked.addOwn(node, sum);
    for (const guest of this.#guests.get(node) ?? []) this.#walked.addOwn(guest, sum);
  }

  forEachOwner(visit: (node: number) => void, pause: Pause): void {
    const visited = new Set<number>();
    this.#walked.forEachOwner(node => {
      const host = this.#hostOf(node);
      if (visited.has(host)) return;
      if (host !== node || this.#guests.has(host)) visited.add(host);
      visit(host);
    }, pause);
  }

  forEachOutermost(methods: MethodSet, visit: (node: number) => void, pause: Pause): void {
    const wanted = new Set(methods);
    for (const node of nodesOfSet(this.#a, methods, pause)) {
      if (this.#host[node] !== 0 || (this.#count[node] === 0 && this.#weight[node] === 0)) continue;
      let above = this.#callerInScope(node);
      while (above >= 0 && !wanted.has(this.method[above]!)) above = this.#callerInScope(above);
      if (above < 0) visit(node);
    }
  }
}
