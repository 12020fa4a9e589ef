// Which samples satisfy a query of call paths: one byte a cell, from the state of its stack and the thread that it ran on.

import { assert } from '../../base/assert.ts';
import { noPause, type Pause } from '../../base/pause.ts';
import type { Cells } from '../../cct/profile.ts';
import type { Amount, Analysis } from '../analysis.ts';
import { type CallPath, MOST_PATHS, type PathCondition, type PathQuery } from './call-path.ts';
import { callSpecs, pathAutomaton } from './path-automaton.ts';
import { stackStates } from './stack-states.ts';

/** One byte a cell of the analysis' metric. */
type PathSamples = {
  /** 1 where the cell is part of the whole: selected, of the view's threads, not pruned. */
  readonly whole: Uint8Array;
  /** 1 where it satisfies the query too. */
  readonly satisfied: Uint8Array;
};

/**
 * @param starts one byte a method row: 1 where the platform starts threads by it.
 * @param view one byte a thread row, 1 where it is of the view; null for all.
 */
export function pathSamples(
  a: Analysis,
  { paths, condition, where }: PathQuery,
  starts: Uint8Array,
  view: Uint8Array | null,
  pause: Pause = noPause,
): PathSamples {
  assert(paths.length <= MOST_PATHS, `${paths.length} paths in a query`);
  const cells = a.profile.cells[a.selection.metric]!;
  const whole = selectedCells(a, cells, view);
  const satisfied = new Uint8Array(cells.length);
  const ofStack = satisfiedPaths(a, cells, paths, starts, pause);
  const ofThread = pathsOfThreads(paths, a.profile.threads.length);
  const isSatisfied = tableOf(condition, paths.length);
  const counts = where === null ? null : tableOf(where, paths.length);
  for (let cell = 0; cell < cells.length; cell++) {
    if (whole[cell] === 0) continue;
    const held = ofStack[cell]! & ofThread[cells.thread[cell]!]!;
    if (counts !== null && counts[held] === 0) whole[cell] = 0;
    else satisfied[cell] = isSatisfied[held]!;
  }
  return { whole, satisfied };
}

/** Samples of the chosen cells. */
export function amountOfCells({ weight, count }: Cells, chosen: Uint8Array): Amount {
  const sum = { weight: 0, count: 0 };
  for (let cell = 0; cell < chosen.length; cell++) {
    if (chosen[cell] === 0) continue;
    sum.weight += weight[cell]!;
    sum.count += count[cell]!;
  }
  return sum;
}

function selectedCells({ selection, scope }: Analysis, cells: Cells, view: Uint8Array | null): Uint8Array {
  const { threads, windows } = selection;
  const chosen = new Uint8Array(cells.length);
  for (let cell = 0; cell < cells.length; cell++) {
    if (scope !== null && scope[cells.node[cell]!] === 0) continue;
    if (threads !== undefined && threads[cells.thread[cell]!] !== 1) continue;
    if (windows !== undefined && windows[cells.window[cell]!] !== 1) continue;
    if (view === null || view[cells.thread[cell]!] === 1) chosen[cell] = 1;
  }
  return chosen;
}

/** Per cell, a bit for each path that its stack satisfies; threads are not looked at. */
function satisfiedPaths(
  a: Analysis,
  { node, length }: Cells,
  paths: readonly CallPath[],
  starts: Uint8Array,
  pause: Pause,
): Uint16Array {
  const held = new Uint16Array(length);
  for (const [number, path] of paths.entries()) {
    const bit = 1 << number;
    // A thread alone calls nothing: samples without a stack ran on it too.
    if (path.elements.length === 0) {
      for (let cell = 0; cell < length; cell++) held[cell]! |= bit;
      continue;
    }
    const automaton = pathAutomaton(callSpecs(path), starts);
    const { after } = stackStates(a, automaton, pause);
    for (let cell = 0; cell < length; cell++) if (after[node[cell]!]! >= automaton.accepting) held[cell]! |= bit;
  }
  return held;
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
