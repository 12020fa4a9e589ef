// Turns a call path into a deterministic automaton: how far a stack satisfies the path, frame by frame from the outermost one on.
import type { CallPath, PathElement } from './call-path.ts';

/**
 * How one call spec is satisfied.
 * - `anywhere`: by a frame of the target. A path without a thread begins so.
 * - `outermost`: by the outermost frame that is not the platform's start of a thread.
 * - `member`: by a frame of the target, which is a member of the set before it, at or below the end of the spec before.
 * - `direct`: by a frame of the target that a frame of the source called.
 * - `extended`: by a frame of the target below the end of the spec before, which is a frame of the source.
 */
export type CallSpec = {
  readonly kind: 'anywhere' | 'outermost' | 'member' | 'direct' | 'extended';
  /** One byte a method row; all methods of the stack when absent. */
  readonly source: Uint8Array | null;
  readonly target: Uint8Array;
};

/**
 * State 2k + f says that the first k call specs are satisfied, each at the earliest frame: whatever a later frame allows, the
 * earliest allows too. f is 1 where the next frame can satisfy a direct or outermost call: the frame read last is its source.
 */
export type PathAutomaton = {
  readonly start: number;
  /** States from here on satisfy the whole path, and are never left. */
  readonly accepting: number;
  /** Class of each method row: methods of a class belong to the same elements. */
  readonly classOf: Int32Array;
  readonly classes: number;
  /** The state after `state` and a frame of class c: next[state · classes + c]. */
  readonly next: Int32Array;
};

/** The call specs of a path, one an element. */
export function callSpecs({ elements, fromThread }: CallPath): CallSpec[] {
  return elements.map((element, at) => specOf(elements[at - 1] ?? null, element, fromThread));
}

function specOf(before: PathElement | null, element: PathElement, fromThread: boolean): CallSpec {
  const { methods: target, isExtended, isSet } = element;
  if (before === null) return { kind: fromThread && !isExtended ? 'outermost' : 'anywhere', source: null, target };
  const source = before.methods;
  if (isExtended) return { kind: 'extended', source, target };
  if (!before.isSet || isSet) return { kind: 'direct', source, target };
  return { kind: 'member', source, target: target.map((belongs, row) => belongs & source[row]!) };
}

/** @param starts one byte a method row: 1 where the platform starts threads by it. */
export function pathAutomaton(specs: readonly CallSpec[], starts: Uint8Array): PathAutomaton {
  const sets = new Set([
    starts,
    ...specs.flatMap(({ source, target }) => (source === null ? [target] : [source, target])),
  ]);
  const { classOf, classes, member } = classesOf([...sets], starts.length);
  const states = 2 * specs.length + 2;
  const next = new Int32Array(states * classes);
  for (let state = 0; state < states; state++)
    for (let c = 0; c < classes; c++)
      next[state * classes + c] = stateAfter(specs, state, set => member.get(set)![c] === 1, starts);
  return { start: specs[0]?.kind === 'outermost' ? 1 : 0, accepting: 2 * specs.length, classOf, classes, next };
}

function stateAfter(
  specs: readonly CallSpec[],
  state: number,
  isIn: (set: Uint8Array) => boolean,
  starts: Uint8Array,
): number {
  let done = state >> 1;
  const canFollow = (state & 1) === 1;
  let endsHere = false;
  for (let spec = specs[done]; spec !== undefined && isSatisfied(spec); spec = specs[done]) {
    done++;
    endsHere = true;
  }
  const waiting = specs[done];
  if (waiting?.kind === 'direct') return 2 * done + (isIn(waiting.source!) ? 1 : 0);
  if (waiting?.kind === 'outermost') return 2 * done + (canFollow && isIn(starts) ? 1 : 0);
  return 2 * done;

  function isSatisfied({ kind, target }: CallSpec): boolean {
    if (!isIn(target)) return false;
    if (kind === 'anywhere' || kind === 'member') return true;
    if (endsHere) return false;
    return kind === 'extended' || (canFollow && (kind === 'direct' || !isIn(starts)));
  }
}

/** Groups methods by the sets that they belong to. */
function classesOf(sets: readonly Uint8Array[], methods: number) {
  const classOf = new Int32Array(methods);
  let classes = 1;
  for (const set of sets) {
    /** Per class so far, the class of its members and of the others; −1 where there are none yet. */
    const split = new Int32Array(2 * classes).fill(-1);
    let made = 0;
    for (let row = 0; row < methods; row++) {
      const at = 2 * classOf[row]! + set[row]!;
      if (split[at]! < 0) split[at] = made++;
      classOf[row] = split[at]!;
    }
    classes = Math.max(1, made);
  }
  const member = new Map(sets.map(set => [set, new Uint8Array(classes)]));
  for (let row = 0; row < methods; row++) for (const set of sets) member.get(set)![classOf[row]!] = set[row]!;
  return { classOf, classes, member };
}
