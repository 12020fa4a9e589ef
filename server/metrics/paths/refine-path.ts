// Refines a call path: its cost by each method and aspect x that can be added below it or at one of its extended calls.
import { noPause, type Pause } from '../../base/pause.ts';
import { type Amount, type Analysis, amountOfCells } from '../analysis.ts';
import { forEachRun, isCalledInScope } from '../scope.ts';
import type { CallPath } from './call-path.ts';
import { latestStarts } from './latest-starts.ts';
import { callSpecs, pathAutomaton } from './path-automaton.ts';
import { stackStates } from './stack-states.ts';
import { type SumsBelow, sumsOfCells, sumsOfMovedCells } from './sums-below.ts';

/**
 * - `down`: paths `P x`.
 * - `extended`: paths `P ..x`.
 * - `up`: paths `P1 ..x P2`, where the path is `P1 ..P2` and P2 begins at element `at`.
 */
export type Refinement = { readonly kind: 'down' | 'extended' } | { readonly kind: 'up'; readonly at: number };

/** Nodes read between two pauses. */
const STEP = 1 << 16;

/** The methods and aspects that x ranges over. */
export type RefiningSets = {
  /** Per method row: the number of its name; overloads share one. −1 where a frame is no method. */
  readonly nameOf: Int32Array;
  readonly names: number;
  /** Each one byte a method row; they may overlap. */
  readonly aspects: readonly Uint8Array[];
};

/** x is the name of that number, or from `names` on an aspect. */
export type RefinedAmount = { readonly x: number; readonly amount: Amount };

/** Whether a path can be split there: its element follows an extended call, or begins the path. */
export function canSplit({ elements, fromThread }: CallPath, at: number): boolean {
  const element = elements[at];
  return element !== undefined && (element.isExtended || (at === 0 && !fromThread));
}

/** The path of a refinement, with the cells that satisfy it. */
type RefinedPath = {
  readonly path: CallPath;
  /** One byte a cell: 1 where it satisfies the path. */
  readonly satisfied: Uint8Array;
  readonly sets: RefiningSets;
  /** One byte a method row: 1 where the platform starts threads by it. */
  readonly starts: Uint8Array;
};

/**
 * The amounts of all refined paths that have a sample, at once; heaviest first. Each amount is what a query of the path
 * would give: a stack counts once for each x.
 */
export function refinePath(
  a: Analysis,
  refined: RefinedPath,
  refinement: Refinement,
  pause: Pause = noPause,
): RefinedAmount[] {
  if (refinement.kind === 'up') return splitUpwards(a, refined, refinement.at, pause);
  return refineDownwards(a, refined, refinement.kind === 'extended', pause);
}

/** Adds up amounts of x: of each x the outermost nodes count. Nodes come callers first. */
class AmountsOfSets {
  readonly #subtreeEnd: Int32Array;
  readonly #below: SumsBelow;
  readonly #sets: RefiningSets;
  /** End of the latest outermost node's subtree; a column of its own, small enough to stay near the processor. */
  readonly #coveredUntil: Int32Array;
  readonly #weight: Float64Array;
  /** The same column where the metric's unit is samples. */
  readonly #count: Float64Array;
  /** One byte a method row: 1 where it belongs to an aspect. */
  readonly #hasAspect: Uint8Array;

  constructor(a: Analysis, sets: RefiningSets, below: SumsBelow) {
    this.#subtreeEnd = a.profile.tree.subtreeEnd;
    this.#below = below;
    this.#sets = sets;
    const length = sets.names + sets.aspects.length;
    const cells = a.profile.cells[a.selection.metric]!;
    this.#coveredUntil = new Int32Array(length);
    this.#count = new Float64Array(length);
    this.#weight = cells.weight === cells.count ? this.#count : new Float64Array(length);
    this.#hasAspect = new Uint8Array(sets.nameOf.length);
    for (const aspect of sets.aspects)
      for (let row = 0; row < aspect.length; row++) this.#hasAspect[row]! |= aspect[row]!;
  }

  /** Adds what lies at or below a node to the name of a method. */
  addToName(method: number, node: number): void {
    const x = this.#sets.nameOf[method]!;
    if (x >= 0) this.#add(x, node);
  }

  addToAspects(method: number, node: number): void {
    if (this.#hasAspect[method] === 0) return;
    const { aspects, names } = this.#sets;
    for (let i = 0; i < aspects.length; i++) if (aspects[i]![method] === 1) this.#add(names + i, node);
  }

  addWhole(aspect: number, amount: Amount): void {
    this.#addAmount(this.#sets.names + aspect, amount);
  }

  #add(x: number, node: number): void {
    if (node < this.#coveredUntil[x]!) return;
    const below = this.#below(node);
    if (below.count === 0) return;
    this.#coveredUntil[x] = this.#subtreeEnd[node]!;
    this.#addAmount(x, below);
  }

  #addAmount(x: number, { weight, count }: Amount): void {
    this.#count[x]! += count;
    if (this.#weight !== this.#count) this.#weight[x]! += weight;
  }

  list(): RefinedAmount[] {
    const found: RefinedAmount[] = [];
    for (let x = 0; x < this.#count.length; x++) {
      const amount = { weight: this.#weight[x]!, count: this.#count[x]! };
      if (amount.count > 0) found.push({ x, amount });
    }
    return found.sort((p, q) => q.amount.weight - p.amount.weight || q.amount.count - p.amount.count || p.x - q.x);
  }
}

function refineDownwards(
  a: Analysis,
  { path, satisfied, sets, starts }: RefinedPath,
  isExtended: boolean,
  pause: Pause,
): RefinedAmount[] {
  const { method, parent } = a.profile.tree;
  const { elements, fromThread } = path;
  const amounts = new AmountsOfSets(a, sets, sumsOfCells(a, satisfied));
  const last = elements.at(-1);
  // A further element that no frame satisfies: the automaton goes on telling where a call to it could begin.
  const further = { methods: new Uint8Array(starts.length), isSet: false, isExtended };
  const specs = callSpecs({ ...path, elements: [...elements, further] });
  const { after, start } = stackStates(a, pathAutomaton(specs, starts), pause);
  const isDone = 2 * elements.length;
  const canCall = isExtended ? isDone : isDone + 1;
  const isOutermost = fromThread && last === undefined && !isExtended;
  // A direct call from one set to another means nothing: below a set, x is the member that was entered.
  const members = last?.isSet === true && !isExtended ? last.methods : null;
  forEachRun(a.runs, (from, to) => {
    for (let node = Math.max(1, from); node < to; node++) {
      if (node % STEP === 0) pause();
      const own = method[node]!;
      if (members !== null) {
        if (after[node]! >= isDone && members[own] === 1) amounts.addToName(own, node);
        continue;
      }
      const before = node === from && !isCalledInScope(a.profile.tree, a.scope, node) ? start : after[parent[node]!]!;
      if (before < canCall || (isOutermost && starts[own] === 1)) continue;
      amounts.addToName(own, node);
      amounts.addToAspects(own, node);
    }
  });
  return amounts.list();
}

/**
 * A stack satisfies `P1 ..x P2` where a frame of x, below the end of P1, calls a frame e of P2's first element from which on the rest
 * of P2 is satisfied. What holds from e on holds from each such frame above e on. So each sample is put at the lowest such frame of its
 * stack, whatever called that; the sum below the outermost e that x called is x's amount.
 */
function splitUpwards(a: Analysis, refined: RefinedPath, at: number, pause: Pause): RefinedAmount[] {
  const { path, satisfied, sets } = refined;
  const { method, parent } = a.profile.tree;
  const first = path.elements[at]!;
  const entries = entriesOf(a, refined, at, pause);
  const rest = callSpecs({ ...path, fromThread: false, elements: path.elements.slice(at) }).slice(1);
  const below =
    rest.length === 0
      ? sumsOfCells(a, satisfied)
      : sumsOfMovedCells(a, satisfied, latestStarts(a, entries, rest, pause));
  const amounts = new AmountsOfSets(a, sets, below);
  for (const node of entries) amounts.addToName(method[parent[node]!]!, node);
  if (first.isSet) return amounts.list();
  // `X m` of a set X and its member m is a call that enters m, so that the path stays the same.
  const whole = amountOfCells(a.profile.cells[a.selection.metric]!, satisfied);
  for (const [number, aspect] of sets.aspects.entries())
    if (first.methods.some((belongs, row) => belongs === 1 && aspect[row] === 1)) amounts.addWhole(number, whole);
  return amounts.list();
}

/** Frames of P2's first element whose caller lies below the end of P1, ascending. */
function entriesOf(a: Analysis, { path, starts }: RefinedPath, at: number, pause: Pause): Int32Array {
  const { tree } = a.profile;
  const { method, parent, length } = tree;
  const { methods } = path.elements[at]!;
  const automaton = pathAutomaton(callSpecs({ ...path, elements: path.elements.slice(0, at) }), starts);
  const { after, start } = stackStates(a, automaton, pause);
  const entries = new Int32Array(length);
  let found = 0;
  forEachRun(a.runs, (from, to) => {
    for (let node = Math.max(1, from); node < to; node++) {
      if (node % STEP === 0) pause();
      if (methods[method[node]!] === 0) continue;
      const caller = parent[node]!;
      if (caller === 0 || (a.scope !== null && a.scope[caller] === 0)) continue;
      const before = isCalledInScope(tree, a.scope, caller) ? after[parent[caller]!]! : start;
      if (before >= automaton.accepting) entries[found++] = node;
    }
  });
  return entries.subarray(0, found);
}
