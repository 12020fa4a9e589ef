// Which samples satisfy a query of call paths: one byte a cell, from the state of its stack and the thread that it ran on.

import { assert } from '../../base/assert.ts';
import { noPause, type Pause } from '../../base/pause.ts';
import type { Cells, Profile } from '../../cct/profile.ts';
import type { Analysis, PathFilter } from '../analysis.ts';
import { type CallPath, MOST_PATHS, type PathCondition, type PathQuery } from './call-path.ts';
import { callSpecs, pathAutomaton } from './path-automaton.ts';
import { stackStates } from './stack-states.ts';

/** One byte a cell of the analysis' metric. */
export type PathSamples = {
  /** 1 where the cell is part of the whole: selected, of the view's threads, not pruned. */
  readonly whole: Uint8Array;
  /** 1 where it satisfies the query too. */
  readonly satisfied: Uint8Array;
};

/** As far as paths need an analysis. */
export type PathScope = Pick<Analysis, 'profile' | 'selection' | 'runs' | 'scope'>;

/**
 * Of the analysis' metric.
 * @param starts one byte a method row: 1 where the platform starts threads by it.
 * @param view one byte a thread row, 1 where it is of the view; null for all.
 */
export function pathSamples(
  a: PathScope,
  query: PathQuery,
  starts: Uint8Array,
  view: Uint8Array | null,
  pause: Pause = noPause,
): PathSamples {
  const inOwnMemory = (length: number) => new Uint8Array(length);
  return samplesOfMetrics(a, [a.selection.metric], query, starts, view, inOwnMemory, pause)[0]!;
}

/** Of all metrics, for a selection: columns are in memory that threads share. */
export function pathFilter(a: PathScope, query: PathQuery, starts: Uint8Array, pause: Pause = noPause): PathFilter {
  const inSharedMemory = (length: number) => new Uint8Array(new SharedArrayBuffer(length));
  const all = [...a.profile.cells.keys()];
  const found = samplesOfMetrics(a, all, query, starts, null, inSharedMemory, pause);
  return { whole: found.map(({ whole }) => whole), satisfied: found.map(({ satisfied }) => satisfied) };
}

function samplesOfMetrics(
  a: PathScope,
  metrics: readonly number[],
  { paths, condition, where }: PathQuery,
  starts: Uint8Array,
  view: Uint8Array | null,
  column: (length: number) => Uint8Array,
  pause: Pause,
): PathSamples[] {
  assert(paths.length <= MOST_PATHS, `${paths.length} paths in a query`);
  const ofMetrics = metrics.map(metric => a.profile.cells[metric]!);
  const held = satisfiedPaths(a, ofMetrics, paths, starts, pause);
  const ofThread = pathsOfThreads(paths, a.profile.threads.length);
  const isSatisfied = tableOf(condition, paths.length);
  const counts = where === null ? null : tableOf(where, paths.length);
  return ofMetrics.map((cells, at) => {
    const ofStack = held[at]!;
    const onPath = a.selection.path?.satisfied[metrics[at]!];
    const whole = selectedCells(a, cells, view, column(cells.length));
    const satisfied = column(cells.length);
    for (let cell = 0; cell < cells.length; cell++) {
      if (whole[cell] === 0) continue;
      const both = ofStack[cell]! & ofThread[cells.thread[cell]!]!;
      if (counts !== null && counts[both] === 0) whole[cell] = 0;
      else satisfied[cell] = isSatisfied[both]! & (onPath?.[cell] ?? 1);
    }
    return { whole, satisfied };
  });
}

/** Sets the bytes of the cells that are selected. */
function selectedCells(
  { selection, scope }: PathScope,
  cells: Cells,
  view: Uint8Array | null,
  chosen: Uint8Array,
): Uint8Array {
  const { threads, windows } = selection;
  for (let cell = 0; cell < cells.length; cell++) {
    if (scope !== null && scope[cells.node[cell]!] === 0) continue;
    if (threads !== undefined && threads[cells.thread[cell]!] !== 1) continue;
    if (windows !== undefined && windows[cells.window[cell]!] !== 1) continue;
    if (view === null || view[cells.thread[cell]!] === 1) chosen[cell] = 1;
  }
  return chosen;
}

/** Per metric and cell, a bit for each path that its stack satisfies; threads are not looked at. */
function satisfiedPaths(
  a: PathScope,
  metrics: readonly Cells[],
  paths: readonly CallPath[],
  starts: Uint8Array,
  pause: Pause,
): Uint16Array[] {
  const held = metrics.map(({ length }) => new Uint16Array(length));
  for (const [number, path] of paths.entries()) {
    const bit = 1 << number;
    // A thread alone calls nothing: samples without a stack ran on it too.
    const automaton = path.elements.length === 0 ? null : pathAutomaton(callSpecs(path), starts);
    const after = automaton && stackStates(a, automaton, pause).after;
    for (const [metric, { node, length }] of metrics.entries()) {
      const own = held[metric]!;
      for (let cell = 0; cell < length; cell++)
        if (after === null || after[node[cell]!]! >= automaton!.accepting) own[cell]! |= bit;
    }
  }
  return held;
}

/**
 * Outermost nodes at which a stack satisfies a path that any thread may run, ascending: its last element. Nodes in partial stacks are
 * among them, as in every focus.
 */
export function nodesOfPath({ tree }: Profile, path: CallPath, starts: Uint8Array, pause: Pause = noPause): Int32Array {
  const automaton = pathAutomaton(callSpecs(path), starts);
  const everything = { profile: { tree }, runs: Int32Array.of(0, tree.length), scope: null };
  const { after } = stackStates(everything, automaton, pause);
  const nodes: number[] = [];
  for (let node = 1; node < tree.length; )
    if (after[node]! < automaton.accepting) node++;
    else {
      nodes.push(node);
      node = tree.subtreeEnd[node]!;
    }
  return Int32Array.from(nodes);
}

function pathsOfThreads(paths: readonly CallPath[], threads: number): Uint16Array {
  const may = new Uint16Array(threads);
  for (const [number, path] of paths.entries())
    for (let row = 0; row < threads; row++)
      if (path.threads === null || path.threads[row] === 1) may[row]! |= 1 << number;
  return may;
}

/** Whether the condition holds, for each combination of paths. */
function tableOf(condition: PathCondition, paths: number): Uint8Array {
  return new Uint8Array(1 << paths).map((_, held) => (holds(condition, held) ? 1 : 0));
}

function holds(condition: PathCondition, held: number): boolean {
  if (condition.kind === 'path') return ((held >> condition.path) & 1) === 1;
  if (condition.kind === 'not') return !holds(condition.operand, held);
  const test = (operand: PathCondition) => holds(operand, held);
  return condition.kind === 'and' ? condition.operands.every(test) : condition.operands.some(test);
}
