// A part of the calling context tree as rows: below the roots or some methods downwards, or from some methods upwards to their callers.
import { noPause, type Pause } from '../base/pause.ts';
import { ROOT_METHOD } from '../cct/profile.ts';
import type { Amount, Analysis } from './analysis.ts';
import { forEachOutermost, forEachOwnCell, nodesOfSet } from './node-walks.ts';
import { forEachRun, isCalledInScope } from './scope.ts';
import { stretchOf } from './stretches.ts';

export type CallTreeWish = {
  readonly direction: 'callees' | 'callers';
  /** Rows of the method table that are taken as one and stand at the top; null for everything that is looked at (callees only). */
  readonly methods: readonly number[] | null;
  /** Levels below the top row. */
  readonly depth: number;
  /** Rows with less than this part of the top row's weight are left out. */
  readonly least: number;
  /** At most so many rows: the heaviest. */
  readonly rows: number;
};

/**
 * One method in one calling context; lines of calls do not tell contexts apart. Rows of one parent never have the same method, and each
 * sample is in at most one of them: recursion gives rows below rows.
 */
export type CallTreeRow = {
  /** ROOT_METHOD for the top row of everything; the first of the methods for the top row of a set. */
  readonly method: number;
  /** Index of the row above; −1 for the top row, which comes first. Rows stand in depth-first order, the heaviest of siblings first. */
  readonly parent: number;
  /** 0 for the top row. */
  readonly depth: number;
  readonly total: Amount;
  /** Of the total, what is in no row below it, shown or not: callees, what ran in the method itself; callers, stacks that begin with it. */
  readonly self: Amount;
};

/** A row in the making. */
type Draft = {
  readonly method: number;
  readonly above: Draft | null;
  readonly depth: number;
  readonly total: { weight: number; count: number };
  self: Amount;
  /** Nodes whose samples it has, none below another. */
  readonly nodes: number[];
  /** Callers only: for each of the nodes, the ancestor that the row stands for. */
  readonly ancestors: number[];
  /** Those that are kept, heaviest first. */
  below: Draft[];
};

/** Nodes between two pauses. */
const STEP = 1 << 15;

/**
 * A level is worked out from the heaviest rows so far: no row is heavier than the one above it, so that one that is not among the
 * heaviest then never is.
 */
export function callTree(a: Analysis, wish: CallTreeWish, pause: Pause = noPause): CallTreeRow[] {
  const expand = wish.direction === 'callees' ? callees : callers;
  const top = topRow(a, wish, pause);
  let kept = [top];
  for (let level = 0, last = kept; last.length > 0; level++) {
    const next = last.flatMap(row => expand(a, row, pause));
    const least = wish.least * top.total.weight;
    const wanted = level < wish.depth ? next.filter(({ total }) => total.weight >= least) : [];
    // The order of sorting is stable: of equally heavy rows the upper one comes first.
    kept = [...kept, ...wanted].sort(byWeight).slice(0, Math.max(1, wish.rows));
    last = kept.filter(({ depth }) => depth === level + 1);
  }
  for (const row of kept) row.above?.below.push(row);
  return inOrder(top);
}

function topRow(a: Analysis, { methods }: CallTreeWish, pause: Pause): Draft {
  const top = draftOf(methods?.[0] ?? ROOT_METHOD, null);
  if (methods === null) {
    forEachRun(a.runs, from => {
      if (!isCalledInScope(a.profile.tree, a.scope, from)) add(a, top, from);
    });
  } else {
    const nodes = nodesOfSet(a, methods, pause);
    forEachOutermost(a, nodes, node => add(a, top, node, node));
  }
  return top;
}

function draftOf(method: number, above: Draft | null): Draft {
  const depth = above === null ? 0 : above.depth + 1;
  const nothing = { weight: 0, count: 0 };
  return { method, above, depth, total: { ...nothing }, self: nothing, nodes: [], ancestors: [], below: [] };
}

function add(a: Analysis, row: Draft, node: number, ancestor?: number): void {
  const at = stretchOf(a.stretches, node);
  // Trees are shared by all metrics: a node that only another metric's samples made was not seen here.
  if (a.totalWeight[at] === 0 && a.totalCount[at] === 0) return;
  row.nodes.push(node);
  if (ancestor !== undefined) row.ancestors.push(ancestor);
  row.total.weight += a.totalWeight[at]!;
  row.total.count += a.totalCount[at]!;
}

/** Works out the row's own part and gives the rows that it calls. */
function callees(a: Analysis, row: Draft, pause: Pause): Draft[] {
  const { method, subtreeEnd } = a.profile.tree;
  const below = new Map<number, Draft>();
  const self = { weight: 0, count: 0 };
  const isWholeFocus = row.method === ROOT_METHOD && a.selection.focus !== undefined;
  let visited = 0;
  const visit = (child: number) => {
    if (++visited % STEP === 0) pause();
    if (a.scope === null || a.scope[child] === 1) add(a, entryOf(below, method[child]!, row), child);
  };
  for (const node of row.nodes) {
    // The top row of a focus stands for what calls its outermost methods.
    if (isWholeFocus) visit(node);
    else {
      forEachOwnCell(a, node, (_line, weight, count) => {
        self.weight += weight;
        self.count += count;
      });
      for (let child = node + 1; child < subtreeEnd[node]!; child = subtreeEnd[child]!) visit(child);
    }
  }
  pause();
  row.self = self;
  return seen(below);
}

/** The same for the rows that call it. */
function callers(a: Analysis, row: Draft, pause: Pause): Draft[] {
  const { method, parent } = a.profile.tree;
  const above = new Map<number, Draft>();
  const first = draftOf(ROOT_METHOD, row);
  for (let i = 0; i < row.nodes.length; i++) {
    if (i % STEP === STEP - 1) pause();
    const caller = parent[row.ancestors[i]!]!;
    add(a, caller <= 0 ? first : entryOf(above, method[caller]!, row), row.nodes[i]!, caller);
  }
  pause();
  row.self = first.total;
  return seen(above);
}

function entryOf(rows: Map<number, Draft>, method: number, above: Draft): Draft {
  const row = rows.get(method) ?? draftOf(method, above);
  rows.set(method, row);
  return row;
}

function seen(rows: ReadonlyMap<number, Draft>): Draft[] {
  return [...rows.values()].filter(({ nodes }) => nodes.length > 0);
}

function byWeight(x: Draft, y: Draft): number {
  return y.total.weight - x.total.weight || y.total.count - x.total.count;
}

function inOrder(top: Draft): CallTreeRow[] {
  const rows: CallTreeRow[] = [];
  const pending = [{ draft: top, parent: -1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { draft, parent } = next;
    const { method, depth, total, self } = draft;
    const row = rows.push({ method, parent, depth, total, self }) - 1;
    for (const below of draft.below.toReversed()) pending.push({ draft: below, parent: row });
  }
  return rows;
}
