// The evidence of the JVMs of two looks about contexts: their amounts in each JVM, the test of contexts, and of methods without some contexts.
import type { Pause } from '../../base/pause.ts';
import { ROOT_METHOD } from '../../cct/profile.ts';
import { amountsOf, type Jvm, type Labels } from './jvm-amounts.ts';
import {
  agreeing,
  largeRows,
  sizesOf,
  type TestedColumns,
  type TestedMethod,
  type TestedValue,
  testColumns,
} from './tested-rows.ts';
import type { TreeComparison } from './tree-comparison.ts';

/** By row of the comparison, means over the JVMs of each side, as parts of everything before. */
export type RowAmounts = { readonly before: Float64Array; readonly now: Float64Array };

/** The test results of a context: of its own part in the difference, and of a kept one with all that it calls, which H is of. */
type TestedContext = { readonly own: TestedValue | null; readonly total: TestedValue | null };

export class ContextTests {
  readonly #comparison: TreeComparison;
  readonly #jvms: readonly Jvm[];
  readonly #tested: TestedColumns;
  readonly #methods: readonly TestedMethod[];
  /** For each JVM: `TreeComparison.columnsOf`. */
  readonly #columns: readonly Float32Array[];
  #contexts: ReadonlyMap<number, TestedContext> | null = null;

  /** @param tested columns of methods, by which `without` tests. @param methods as they are told. */
  constructor(
    comparison: TreeComparison,
    jvms: readonly Jvm[],
    labels: Labels,
    tested: TestedColumns,
    methods: readonly TestedMethod[],
    pause: Pause,
  ) {
    this.#comparison = comparison;
    this.#jvms = jvms;
    this.#tested = tested;
    this.#methods = methods;
    this.#columns = jvms.map(jvm => {
      pause();
      const { total, whole } = amountsOf(jvm, labels);
      return comparison.columnsOf(jvm.side, total, whole);
    });
  }

  /** Contexts by what they are compared by, in one family; a direction counts where the nearest kept method above or at the context has it. */
  contexts(pause: Pause): ReadonlyMap<number, TestedContext> {
    this.#contexts ??= this.#testContexts(pause);
    return this.#contexts;
  }

  /** Of a kept context with all that it calls, of an added or removed one all of it, against what is kept nearest below it. */
  amounts(): RowAmounts {
    const { length } = this.#comparison;
    const amounts = { before: new Float64Array(length), now: new Float64Array(length) };
    const sizes = sizesOf(this.#jvms);
    for (const [at, { side }] of this.#jvms.entries()) {
      const [column, sums] = [this.#columns[at]!, side === 0 ? amounts.before : amounts.now];
      for (let row = 0; row < length; row++) sums[row]! += this.#amountAt(column, row) / sizes[side];
    }
    return amounts;
  }

  /**
   * Tests the times of methods with all they call again, without some contexts and all that these call.
   * @param taken rows of the comparison, none of which calls another. @returns by label, of the labels that had a part in them.
   */
  without(taken: readonly number[], pause: Pause): ReadonlyMap<number, TestedValue> {
    const { columns, rows } = this.#tested;
    const touched = new Set<number>();
    const left = columns.map(column => column.slice());
    for (const { label, row, sides } of takenParts(taken, this.#comparison, pause)) {
      touched.add(label);
      for (const [at, { side }] of this.#jvms.entries())
        if (sides[side]) left[at]![label]! -= this.#amountAt(this.#columns[at]!, row);
    }
    const values = testColumns(left, rows, sizesOf(this.#jvms), pause).values;
    const ofTotals = columns[0]!.length / 2;
    return new Map(
      rows.flatMap((row, at) => (row < ofTotals && touched.has(row) ? [[row, values[at]!] as const] : [])),
    );
  }

  #amountAt(column: Float32Array, row: number): number {
    return column[this.#comparison.stateOf(row) === 'kept' ? this.#comparison.length + row : row]!;
  }

  #testContexts(pause: Pause): Map<number, TestedContext> {
    const comparison = this.#comparison;
    const { length } = comparison;
    const rows = largeRows(this.#columns, row => row % length > 0);
    const { values } = testColumns(this.#columns, rows, sizesOf(this.#jvms), pause);
    const totals = new Map(
      this.#methods.flatMap(({ label, of, verdict }) => (of === 'total' ? [[label, verdict] as const] : [])),
    );
    const found = new Map<number, TestedContext>();
    for (const [at, each] of rows.entries()) {
      const row = each % length;
      let kept = row;
      while (kept > 0 && comparison.stateOf(kept) !== 'kept') kept = comparison.parentOf(kept);
      const above = totals.get(comparison.label[kept]!);
      const { verdict, ...value } = values[at]!;
      const told = { ...value, verdict: above === undefined ? verdict : agreeing(verdict, above) };
      const known = found.get(row) ?? { own: null, total: null };
      found.set(row, each < length ? { ...known, own: told } : { ...known, total: told });
    }
    return found;
  }
}

type TakenPart = {
  readonly label: number;
  readonly row: number;
  /** On which side the context is a part of the method's time. */
  readonly sides: readonly [first: boolean, second: boolean];
};

const BOTH = [true, true] as const;

/**
 * The wholes of contexts: the time of each method above them on each side, and of each method below that is not above them too. A context that
 * is kept below a context that is on one side alone stays: it was there without it.
 */
function takenParts(taken: readonly number[], comparison: TreeComparison, pause: Pause): TakenPart[] {
  const labelOf = (row: number) => Math.max(ROOT_METHOD, comparison.label[row]!);
  const parts: TakenPart[] = [];
  for (const top of taken) {
    const above = ([0, 1] as const).map(side => comparison.labelsAbove(side, top));
    for (const label of new Set(above.flatMap(labels => [...labels])))
      parts.push({ label, row: top, sides: [above[0]!.has(label), above[1]!.has(label)] });
    // By label: how many contexts on the way hold the time of the one at hand already.
    const held = new Map<number, number>();
    for (let row = comparison.parentOf(top); row >= 0; row = comparison.parentOf(row)) held.set(labelOf(row), 1);
    const isKeptTop = comparison.stateOf(top) === 'kept';
    // A context is entered as its row and left as the complement.
    const open = [top];
    for (let steps = 0; open.length > 0; steps++) {
      if (steps % 1024 === 0) pause();
      const next = open.pop()!;
      const label = labelOf(next < 0 ? ~next : next);
      const count = held.get(label) ?? 0;
      held.set(label, next < 0 ? count - 1 : count + 1);
      if (next < 0) continue;
      if (count === 0) parts.push({ label, row: next, sides: BOTH });
      const below = comparison.childrenOf(next);
      open.push(~next, ...(isKeptTop ? below : below.filter(child => comparison.stateOf(child) !== 'kept')));
    }
  }
  return parts;
}
