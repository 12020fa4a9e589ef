// The causes of the changes that a test over JVMs found: one innermost changed or added context each, and the methods that it explains.
import { assert } from '../../base/assert.ts';
import type { Pause } from '../../base/pause.ts';
import { ROOT_METHOD } from '../../cct/profile.ts';
import { type Directed, isDirected } from '../../model/verdict.ts';
import { CodeState } from './anchors.ts';
import type { ContextTests, RowAmounts } from './context-tests.ts';
import type { TestedMethod } from './tested-rows.ts';
import type { TreeComparison } from './tree-comparison.ts';

/** Why a context stands for a change: its method's code changed, it is on one side alone, or nothing is known to have changed there. */
export const CAUSE_KINDS = ['changed', 'added', 'removed', 'unchanged', 'unknown'] as const;
export type CauseKind = (typeof CAUSE_KINDS)[number];

export type Cause = {
  readonly verdict: Directed;
  readonly kind: CauseKind;
  /** The context that changed most of the ones that are the cause; 0 is everything. */
  readonly row: number;
  /** The heaviest context of changed code that a cause calls whose own code did not change, or that is on one side alone; −1 for none. */
  readonly calls: number;
  /** Of all contexts that are the cause, as parts of everything before; of an added or removed one against what is kept nearest below it. */
  readonly before: number;
  readonly now: number;
  /** Methods that the test finds, and does not find without the cause: nearest to the cause first, then the largest change. */
  readonly methods: readonly TestedMethod[];
};

/** A context holds a change that it has at least this part of; one that grew by more only took over what another lost. */
const HOLDING = 0.8;

/** A changed callee may be the reason of a change that it has this part of: both are means over JVMs, which are not exact. */
const LEAST_CALLEE = 0.1;

type Step = { readonly label: number; readonly rows: readonly number[]; readonly growth: number };

/** The data that causes are found from. */
type Changes = {
  readonly comparison: TreeComparison;
  /** Per label of a shown method: its `CodeState`; null where no code is known. */
  readonly code: Uint8Array | null;
};

/**
 * The causes, the largest change first. Each is taken out of all that calls it and all that it calls, JVM by JVM; the methods are tested
 * again, and what still changed has a cause of its own.
 */
export function causesOf(
  changes: Changes,
  methods: readonly TestedMethod[],
  tests: ContextTests | null,
  pause: Pause,
): Cause[] {
  const open = methods.filter(({ of, verdict }) => of === 'total' && isDirected(verdict));
  return open.length === 0 || tests === null ? [] : new CauseSearch(changes, tests, pause).all(open);
}

class CauseSearch {
  readonly #changes: Changes;
  readonly #tests: ContextTests;
  readonly #pause: Pause;
  /** By row, means over the JVMs of each side: of an added or removed context against what is kept nearest below it. */
  readonly #amounts: RowAmounts;
  /** By row: what was taken out below it when it was taken out itself. */
  readonly #takenBefore = new Map<number, number>();
  /** Contexts that were taken out, each outside of the others. */
  readonly #taken = new Set<number>();
  /** By row: the growth that was taken out below it. */
  readonly #takenBelow = new Map<number, number>();

  constructor(changes: Changes, tests: ContextTests, pause: Pause) {
    this.#changes = changes;
    this.#tests = tests;
    this.#pause = pause;
    this.#amounts = tests.amounts();
  }

  all(changed: readonly TestedMethod[]): Cause[] {
    const rowsOf = this.#outermostRows(new Set(changed.map(({ label }) => label)));
    let open = changed;
    const causes: Cause[] = [];
    while (open.length > 0) {
      this.#pause();
      const found = this.#first(open.map(method => this.#causeOf(method, rowsOf.get(method.label) ?? [0])));
      this.#takeOut(found.rows);
      const tested = this.#tests.without([...this.#taken], this.#pause);
      const verdictWithout = ({ label, verdict }: TestedMethod) => tested.get(label)?.verdict ?? verdict;
      const isExplained = (method: TestedMethod) =>
        method === found.method || verdictWithout(method) !== method.verdict;
      causes.push(this.#describe(found, open.filter(isExplained)));
      open = open.filter(method => !isExplained(method)).map(method => ({ ...method, ...tested.get(method.label) }));
    }
    return causes;
  }

  /** Where code is known to have changed comes first; of these what calls no other cause, then the largest change. */
  #first(found: readonly FoundCause[]): FoundCause {
    const isKnown = ({ kind }: FoundCause) => kind !== 'unchanged' && kind !== 'unknown';
    const best = found.some(isKnown) ? found.filter(isKnown) : found;
    const size = ({ method }: FoundCause) => Math.abs(method.now - method.before);
    const inner = this.#callingNone(best);
    // Methods may call each other in a circle.
    return (inner.length > 0 ? inner : best).reduce((a, b) => (size(b) > size(a) ? b : a));
  }

  /** The causes of which no context calls one of another cause, unless the other calls it too. */
  #callingNone(found: readonly FoundCause[]): FoundCause[] {
    const distinct = new Map(found.map(each => [each.rows.join(' '), each.rows]));
    const causesAt = new Map<number, string[]>();
    for (const [name, rows] of distinct)
      for (const row of rows) causesAt.set(row, [...(causesAt.get(row) ?? []), name]);
    const callers = new Map([...distinct].map(([name, rows]) => [name, this.#causesAbove(rows, causesAt)]));
    const isAbove = new Set<string>();
    for (const [name, above] of callers)
      for (const caller of above) if (caller !== name && !callers.get(caller)!.has(name)) isAbove.add(caller);
    return found.filter(({ rows }) => !isAbove.has(rows.join(' ')));
  }

  #causesAbove(rows: readonly number[], causesAt: ReadonlyMap<number, readonly string[]>): Set<string> {
    const above = new Set<string>();
    for (const row of rows)
      for (const caller of this.#callersOf(row)) for (const name of causesAt.get(caller) ?? []) above.add(name);
    return above;
  }

  *#callersOf(row: number): Generator<number> {
    const { comparison } = this.#changes;
    for (let at = comparison.parentOf(row); at >= 0; at = comparison.parentOf(at)) yield at;
  }

  /** Whether what calls a context was taken out, and the context with it. */
  #isInTaken(row: number): boolean {
    return this.#isBelow(row, this.#taken);
  }

  #isBelow(row: number, callers: ReadonlySet<number>): boolean {
    for (const caller of this.#callersOf(row)) if (callers.has(caller)) return true;
    return false;
  }

  #describe({ rows, kind, method }: FoundCause, explained: readonly TestedMethod[]): Cause {
    const { comparison } = this.#changes;
    const sign = method.verdict === 'slower' ? 1 : -1;
    const amounts = this.#amounts;
    // Its own growth is taken out by now.
    const growthOf = (each: number) => amounts.now[each]! - amounts.before[each]! - (this.#takenBefore.get(each) ?? 0);
    const row = rows.reduce((a, b) => (sign * growthOf(b) > sign * growthOf(a) ? b : a));
    let [before, now] = [0, 0];
    for (const each of rows) {
      before += amounts.before[each]!;
      // An amount that was taken out inside of it before is a finding of its own.
      now += amounts.now[each]! - (this.#takenBefore.get(each) ?? 0);
    }
    const above: number[] = [];
    for (let at = row; at >= 0; at = comparison.parentOf(at)) above.push(this.#labelOf(at));
    const distance = ({ label }: TestedMethod) => {
      const at = above.indexOf(label);
      return at < 0 ? above.length : at;
    };
    const size = (each: TestedMethod) => Math.abs(each.now - each.before);
    const methods = [...explained].sort((a, b) => distance(a) - distance(b) || size(b) - size(a));
    assert(isDirected(method.verdict), 'a cause is of a change with a direction');
    const calls = kind === 'changed' || kind === 'unknown' ? -1 : this.#changedCalleeOf(row, now - before);
    return { verdict: method.verdict, kind, row, calls, before, now, methods };
  }

  /**
   * The JVM's compiler unites methods with the methods that they call: samples of a callee's changed code may count for its caller. A
   * callee that is small beside the change, or that changed the other way, is not the reason.
   */
  #changedCalleeOf(row: number, change: number): number {
    const { comparison, code } = this.#changes;
    const { before, now } = this.#amounts;
    const amount = (each: number) => Math.max(before[each]!, now[each]!);
    const least = LEAST_CALLEE * Math.abs(change);
    const against = (each: number) => Math.sign(change) * (before[each]! - now[each]!);
    return comparison
      .childrenOf(row)
      .filter(child => code?.[this.#labelOf(child)] === CodeState.changed)
      .filter(child => amount(child) >= least && against(child) < least)
      .reduce((a, b) => (a < 0 || amount(b) > amount(a) ? b : a), -1);
  }

  /** The way down from a method, always to the method that holds its change. */
  #wayDown({ label, before, now }: TestedMethod, outermost: readonly number[]): Step[] {
    const growth = now - before;
    const holds = (amount: number) => amount / growth >= HOLDING && amount / growth <= 1 / HOLDING;
    const rows = outermost.filter(row => !this.#taken.has(row) && !this.#isInTaken(row));
    const way: Step[] = [{ label, rows: rows.length > 0 ? rows : [0], growth }];
    for (;;) {
      const below = new Map<number, { rows: number[]; growth: number }>();
      for (const row of way.at(-1)!.rows)
        for (const child of this.#changes.comparison.childrenOf(row)) {
          if (this.#taken.has(child)) continue;
          const of = this.#labelOf(child);
          const group = below.get(of) ?? { rows: [], growth: 0 };
          group.rows.push(child);
          group.growth += this.#growthOf(child);
          below.set(of, group);
        }
      const steps = [...below].map(([of, group]): Step => ({ label: of, ...group }));
      const next = steps.reduce<Step | null>(
        (a, b) => (holds(b.growth) && Math.abs(b.growth) > Math.abs(a?.growth ?? 0) ? b : a),
        null,
      );
      if (next === null) return way;
      way.push(next);
    }
  }

  #causeOf(method: TestedMethod, outermost: readonly number[]): FoundCause {
    const way = this.#wayDown(method, outermost);
    const kinds = way.map(step => this.#kindOf(step));
    const at = kinds.findLastIndex(kind => kind !== 'unchanged' && kind !== 'unknown');
    const kind = kinds.at(at)!;
    const { rows } = way.at(at)!;
    if (kind !== 'added' && kind !== 'removed') return { method, kind, rows };
    return { method, kind, rows: this.#outermost(rows, kind) };
  }

  #kindOf({ label, rows }: Step): CauseKind {
    const { comparison, code } = this.#changes;
    const most = rows.reduce((a, b) => (Math.abs(this.#growthOf(b)) > Math.abs(this.#growthOf(a)) ? b : a));
    const state = comparison.stateOf(most);
    if (state === 'added' || state === 'removed') return state;
    if (code === null || label === ROOT_METHOD) return 'unknown';
    if (code[label] === CodeState.changed) return 'changed';
    return code[label] === CodeState.same ? 'unchanged' : 'unknown';
  }

  /**
   * Contexts on one side alone stand for their outermost callers that are on that side alone too; below a caller whose code did not
   * change, the outermost contexts of changed code stand for them: that caller calls nothing else than before.
   */
  #outermost(rows: readonly number[], state: CauseKind): number[] {
    const { comparison, code } = this.#changes;
    const isChanged = (row: number) => code?.[this.#labelOf(row)] === CodeState.changed;
    const found = rows.map(row => {
      let top = row;
      let changed = -1;
      let above = row;
      for (; above > 0 && comparison.stateOf(above) === state; above = comparison.parentOf(above)) {
        if (this.#taken.has(above)) continue;
        top = above;
        if (isChanged(above)) changed = above;
      }
      return changed < 0 || isChanged(above) ? top : changed;
    });
    // One context of a method may stand for itself, and another one for a caller of it.
    const distinct = new Set(found);
    return [...distinct].filter(row => !this.#isBelow(row, distinct));
  }

  /** As a part of everything before. */
  #growthOf(row: number): number {
    return this.#amounts.now[row]! - this.#amounts.before[row]! - (this.#takenBelow.get(row) ?? 0);
  }

  #labelOf(row: number): number {
    return Math.max(ROOT_METHOD, this.#changes.comparison.label[row]!);
  }

  #takeOut(rows: readonly number[]): void {
    const { comparison } = this.#changes;
    for (const row of rows) {
      const growth = this.#growthOf(row);
      this.#takenBefore.set(row, this.#takenBelow.get(row) ?? 0);
      for (let above = row; above >= 0; above = comparison.parentOf(above))
        this.#takenBelow.set(above, (this.#takenBelow.get(above) ?? 0) + growth);
    }
    for (const row of rows) this.#taken.add(row);
    for (const row of [...this.#taken]) if (this.#isInTaken(row)) this.#taken.delete(row);
  }

  /** Contexts of methods that no other context of the same method calls. */
  #outermostRows(labels: ReadonlySet<number>): Map<number, number[]> {
    const { comparison } = this.#changes;
    const found = new Map<number, number[]>();
    for (let row = 0; row < comparison.length; row++) {
      if (row % STEP === 0) this.#pause();
      const label = this.#labelOf(row);
      if (!labels.has(label) || comparison.stateOf(row) === null) continue;
      let above = comparison.parentOf(row);
      while (above >= 0 && this.#labelOf(above) !== label) above = comparison.parentOf(above);
      if (above >= 0) continue;
      const rows = found.get(label);
      if (rows === undefined) found.set(label, [row]);
      else rows.push(row);
    }
    return found;
  }
}

/** Rows between two pauses. */
const STEP = 1 << 14;

type FoundCause = { readonly method: TestedMethod; readonly kind: CauseKind; readonly rows: readonly number[] };
