// The question along which calls most of the time is spent: from everything or a method, always on to the heaviest call.
import type { Pause } from '../../base/pause.ts';
import { ROOT_METHOD } from '../../cct/profile.ts';
import { type Amount, type Analysis, NO_AMOUNT } from '../../metrics/analysis.ts';
import { forEachOutermost, nodesOfSet } from '../../metrics/node-walks.ts';
import { stretchOf } from '../../metrics/stretches.ts';
import type { Question } from './question.ts';

type PathWish = {
  /** Rows taken as one method; from the roots of all stacks, or of the focus, when null. */
  readonly start: readonly number[] | null;
};

/** A method on the path, in the contexts of the path alone. */
type PathStep = {
  readonly method: number;
  /** Where the step before calls it, most of the time, as it was recorded; 0 when unknown. */
  readonly line: number;
  readonly total: Amount;
  /** Its own part of `total`, its direct recursion included. */
  readonly self: Amount;
};

/** A path through mutual recursion may be as deep as the deepest stack. */
const MOST_STEPS = 200;
const NODES_A_STEP = 1 << 13;

/** Of what a method runs itself; infinite where counts are not known. */
function countOf(total: Amount, called: Amount): number {
  if (total.count < Number.POSITIVE_INFINITY) return total.count - called.count;
  return total.weight > called.weight ? total.count : 0;
}

/** Ends at the first method whose own part is at least its heaviest call's. A method that calls itself directly is one step. */
export const heaviestPath: Question<PathWish, readonly PathStep[]> = ({ analysis }, { start }, pause) => {
  const walk: Walk = { a: analysis, start: new Set(start), first: start?.[0] ?? ROOT_METHOD, pause };
  const steps: PathStep[] = [];
  let next = heaviest(walk, start === null ? rootsOf(analysis) : outermost(analysis, start, pause));
  while (next !== null && steps.length < MOST_STEPS) {
    const { method, line, total, nodes } = next;
    const calls = callsOf(walk, nodes, method);
    const called = calls.reduce((sum, node) => added(sum, totalOf(analysis, node)), NO_AMOUNT);
    const self = { weight: Math.max(0, total.weight - called.weight), count: countOf(total, called) };
    // The first one's callers are not on the path.
    steps.push({ method, line: steps.length === 0 ? 0 : line, total, self });
    const heaviestCall = heaviest(walk, calls);
    next = heaviestCall === null || self.weight >= heaviestCall.total.weight ? null : heaviestCall;
  }
  return steps;
};

type Walk = {
  readonly a: Analysis;
  /** Rows that are taken as `first`. */
  readonly start: ReadonlySet<number>;
  readonly first: number;
  readonly pause: Pause;
};

function methodAt({ a, start, first }: Walk, node: number): number {
  const row = a.profile.tree.method[node]!;
  return start.has(row) ? first : row;
}

function added(a: Amount, b: Amount): Amount {
  return { weight: a.weight + b.weight, count: a.count + b.count };
}

function totalOf({ stretches, totalWeight, totalCount }: Analysis, node: number): Amount {
  const at = stretchOf(stretches, node);
  return { weight: totalWeight[at]!, count: totalCount[at]! };
}

function rootsOf(a: Analysis): readonly number[] {
  const { focus } = a.selection;
  return focus === undefined ? childrenOf(a, 0) : Array.from(focus);
}

function outermost(a: Analysis, start: readonly number[], pause: Pause): readonly number[] {
  const nodes: number[] = [];
  forEachOutermost(a, nodesOfSet(a, start, pause), node => void nodes.push(node));
  return nodes;
}

function childrenOf({ profile: { tree } }: Analysis, node: number): number[] {
  const children: number[] = [];
  for (let child = node + 1; child < tree.subtreeEnd[node]!; child = tree.subtreeEnd[child]!) children.push(child);
  return children;
}

/** The callees of the nodes; calls of the method by itself are passed through. */
function callsOf(walk: Walk, nodes: readonly number[], method: number): readonly number[] {
  const calls: number[] = [];
  const waiting = [...nodes];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const child of childrenOf(walk.a, node)) (methodAt(walk, child) === method ? waiting : calls).push(child);
  }
  return calls;
}

type Candidate = { readonly method: number; line: number; total: Amount; lineWeight: number; readonly nodes: number[] };

/** The method that most samples of these nodes are in; null where there are none. No node may lie below another. */
function heaviest(walk: Walk, nodes: readonly number[]): Candidate | null {
  const { a, pause } = walk;
  const { callLine } = a.profile.tree;
  const byMethod = new Map<number, Candidate>();
  for (const [i, node] of nodes.entries()) {
    if (i % NODES_A_STEP === NODES_A_STEP - 1) pause();
    const total = totalOf(a, node);
    const row = methodAt(walk, node);
    if (total.weight === 0 || row === ROOT_METHOD || (a.scope !== null && a.scope[node] !== 1)) continue;
    const known = byMethod.get(row) ?? { method: row, line: 0, total: NO_AMOUNT, lineWeight: 0, nodes: [] };
    byMethod.set(row, known);
    known.nodes.push(node);
    known.total = added(known.total, total);
    if (total.weight <= known.lineWeight) continue;
    known.lineWeight = total.weight;
    known.line = Math.max(0, callLine[node]!);
  }
  return [...byMethod.values()].reduce<Candidate | null>(
    (best, each) => (best === null || each.total.weight > best.total.weight ? each : best),
    null,
  );
}
