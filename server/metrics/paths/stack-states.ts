// Carries an automaton of a path once down the tree: each node in scope is read once, its state follows from its caller's.
import { noPause, type Pause } from '../../base/pause.ts';
import type { Analysis } from '../analysis.ts';
import { forEachRun, isCalledInScope } from '../scope.ts';
import type { PathAutomaton } from './path-automaton.ts';

/** Nodes read between two pauses. */
const STEP = 1 << 18;

/** Per node in scope, the state after the frames of its stack, its own included. Below a focus, stacks begin at its nodes. */
type StackStates = {
  readonly after: Uint16Array;
  /** The state before any frame. */
  readonly start: number;
};

/** As much of an analysis as states need. */
type StackScope = Pick<Analysis, 'runs' | 'scope'> & { readonly profile: Pick<Analysis['profile'], 'tree'> };

export function stackStates(a: StackScope, automaton: PathAutomaton, pause: Pause = noPause): StackStates {
  const { tree } = a.profile;
  const { start } = automaton;
  const after = new Uint16Array(tree.length);
  // The first node of a run may have no caller in scope; the states of other nodes' callers are known.
  forEachRun(a.runs, (from, to) => {
    if (from === 0) after[0] = start;
    else if (!isCalledInScope(tree, a.scope, from)) after[from] = stateAfter(automaton, start, tree.method[from]!);
    else after[from] = stateAfter(automaton, after[tree.parent[from]!]!, tree.method[from]!);
    for (let node = from + 1; node < to; node += STEP) {
      pause();
      readOn(automaton, after, tree, node, Math.min(to, node + STEP));
    }
  });
  return { after, start };
}

function stateAfter({ next, classes, classOf }: PathAutomaton, before: number, method: number): number {
  return next[before * classes + classOf[method]!]!;
}

/** A function of its own, of which all variables fit into registers. */
function readOn(
  { next, classes, classOf }: PathAutomaton,
  after: Uint16Array,
  { parent, method }: Analysis['profile']['tree'],
  from: number,
  to: number,
): void {
  for (let node = from; node < to; node++)
    after[node] = next[after[parent[node]!]! * classes + classOf[method[node]!]!]!;
}
