// Two trees compared context by context: which contexts are kept, added or removed, with the amounts of both sides.
import type { Pause } from '../../base/pause.ts';
import { matchTrees } from './match-frontiers.ts';
import { type ComparedSide, type UnitedTree, uniteTrees } from './united-tree.ts';

export type ContextState = 'kept' | 'added' | 'removed';

type Side = 0 | 1;

/** Rows between two pauses. */
const STEP = 1 << 14;

/** Amounts of one context in the unit of its side. */
export type ContextAmounts = {
  readonly state: ContextState;
  /** Per side: at or below the context; 0 where it is not there. */
  readonly total: readonly [first: number, second: number];
  /** Per side: of the context itself. */
  readonly self: readonly [first: number, second: number];
  /**
   * Of an added context what its children have on the first side, of a removed one what they have on the second: the amount that was
   * there without it. 0 of kept ones.
   */
  readonly children: number;
  /** The same, where children that are added or removed too count as what is kept nearest below them. */
  readonly nearest: number;
};

/**
 * Contexts are rows. A kept context whose call path changed is the row of the second side; the contexts of the second side keep their
 * tree, and removed ones hang below what called them. Row 0 is the root.
 */
export class TreeComparison {
  readonly length: number;
  /** Per row; −1 for the root. */
  readonly label: Int32Array;
  readonly #united: UnitedTree;
  readonly #partner: Int32Array;
  /** `ContextAmounts.nearest` of each added or removed row; null until it is asked for. */
  #nearest: Float64Array | null = null;

  constructor(first: ComparedSide, second: ComparedSide, labels: number, pause: Pause) {
    this.#united = uniteTrees(first, second, labels, pause);
    this.#partner = matchTrees(this.#united, labels, pause);
    this.length = this.#united.length;
    this.label = this.#united.label;
  }

  /** null of a row that stands for the first side of another one. */
  stateOf(row: number): ContextState | null {
    const { totals } = this.#united;
    if (this.#partner[row] === row) return 'kept';
    if (totals[1][row]! === 0) return this.#partner[row]! < 0 ? 'removed' : null;
    return this.#partner[row]! < 0 ? 'added' : 'kept';
  }

  amountsOf(row: number): ContextAmounts {
    const state = this.stateOf(row)!;
    const side = state === 'added' ? 0 : 1;
    let children = 0;
    if (state !== 'kept')
      for (const child of this.#childrenIn(side === 0 ? 1 : 0, row)) children += this.#totalOf(side, child);
    const nearestOf = () => this.#nearestOf(row);
    return {
      state,
      total: [this.#totalOf(0, row), this.#totalOf(1, row)],
      self: [this.#selfOf(0, row), this.#selfOf(1, row)],
      children,
      get nearest() {
        return nearestOf();
      },
    };
  }

  /** Kept and added contexts that the context calls on the second side, then removed ones that it called on the first. */
  childrenOf(row: number): number[] {
    const removed = this.#childrenIn(0, row).filter(child => this.stateOf(child) === 'removed');
    return [...this.#childrenIn(1, row), ...removed];
  }

  /** The context that has this one among its children; −1 of the root. */
  parentOf(row: number): number {
    const above = this.#united.parent[row]!;
    return above < 0 || this.stateOf(above) !== null ? above : this.#partner[above]!;
  }

  /**
   * Sums other amounts of the nodes of both trees by context. O(nodes of both).
   * @param amounts per side and node: what the node has itself. @returns per row of a context, what it has itself on each side.
   */
  summedByContext(
    amounts: readonly [first: Float64Array, second: Float64Array],
  ): (row: number) => readonly [first: number, second: number] {
    const { length, rowOf } = this.#united;
    const sums = [new Float64Array(length), new Float64Array(length)] as const;
    for (const side of [0, 1] as const)
      for (const [node, row] of rowOf[side].entries()) if (row >= 0) sums[side][row]! += amounts[side][node]!;
    const of = (side: Side, row: number) => sums[side][this.#rowIn(side, row)] ?? 0;
    return row => [of(0, row), of(1, row)];
  }

  /** Amounts of every row itself, per side. Two columns are made; a row that stands for another one has none. O(rows). */
  selfColumns(): readonly [Float64Array, Float64Array] {
    const { length, parent, totals } = this.#united;
    const columns = [totals[0].slice(), totals[1].slice()] as const;
    for (let row = length - 1; row > 0; row--) {
      columns[0][parent[row]!]! -= totals[0][row]!;
      columns[1][parent[row]!]! -= totals[1][row]!;
    }
    for (let row = 1; row < length; row++) {
      const first = this.#partner[row]!;
      if (first < 0 || first === row || totals[1][row] === 0) continue;
      columns[0][row] = columns[0][first]!;
      columns[0][first] = 0;
    }
    return columns;
  }

  /** Adds to the amount of each row the amounts of all rows below it. Rows that stand for others have none before. O(rows). */
  addUp(amounts: Float64Array, pause: Pause): void {
    const { parent, totals } = this.#united;
    for (let row = amounts.length - 1; row > 0; row--) {
      if (row % STEP === 0) pause();
      const amount = amounts[row]!;
      if (amount === 0) continue;
      const partner = this.#partner[row]!;
      if (partner < 0 || partner === row || totals[1][row] !== 0) {
        amounts[parent[row]!]! += amount;
        continue;
      }
      // Removed contexts lie below the row that this one stands for. Later rows have been added up by now.
      amounts[row] = 0;
      for (let above = partner; ; above = parent[above]!) {
        amounts[above]! += amount;
        if (above < row) break;
      }
    }
  }

  /**
   * The amounts of every row in a part of one side, such as one JVM, as rows of both sides are compared. First by itself: of a kept context its
   * self amount, of an added or removed one all of it, against what is kept nearest below it on the other side. Then, from `length` on, of
   * kept contexts with all that they call; 0 of the others. One pass over the nodes of the side, and one over the rows.
   *
   * @param total per node of the side's tree: the amount of the part at or below it. @param whole amount of the root.
   * @returns single precision, a hundred times finer than what is told
   */
  columnsOf(side: Side, total: Float64Array, whole: number): Float32Array {
    const { length, parent, totals } = this.#united;
    const amount = this.#amounts(side, total, whole);
    const self = amount.slice();
    const nearest = new Float64Array(length);
    for (let row = length - 1; row > 0; row--) {
      const [above, partner] = [parent[row]!, this.#partner[row]!];
      self[above]! -= amount[row]!;
      if (partner === row || this.#partner[above]! >= 0 || totals[side][row] !== 0) continue;
      nearest[above]! += partner < 0 ? nearest[row]! : amount[partner]!;
    }
    const columns = new Float32Array(2 * length);
    for (let row = 0; row < length; row++) {
      const state = this.stateOf(row);
      if (state === 'kept') {
        const at = this.#rowIn(side, row);
        columns[row] = self[at]!;
        columns[length + row] = amount[at]!;
      } else if (state !== null) columns[row] = totals[side][row] !== 0 ? amount[row]! : nearest[row]!;
    }
    return columns;
  }

  /** Labels of the methods that call the context in the tree of one side, the root's (0) among them; none where it is not there. */
  labelsAbove(side: Side, row: number): ReadonlySet<number> {
    const { parent } = this.#united;
    // An added or removed context has its place between the same contexts on both sides.
    const at = this.#rowIn(side, row) >= 0 ? this.#rowIn(side, row) : row;
    const labels = new Set<number>();
    for (let above = parent[at]!; above >= 0; above = parent[above]!) labels.add(Math.max(0, this.label[above]!));
    return labels;
  }

  /** Per node of one side: the row of its context; −1 of nodes that were not seen. O(nodes of the side). */
  rowsOf(side: Side): Int32Array {
    return this.#united.rowOf[side].map(row => (row < 0 || this.stateOf(row) !== null ? row : this.#partner[row]!));
  }

  /** By row of the united tree. */
  #amounts(side: Side, total: Float64Array, whole: number): Float64Array {
    const rowOf = this.#united.rowOf[side];
    const amount = new Float64Array(this.length);
    for (let node = 0; node < total.length; node++) if (rowOf[node]! > 0) amount[rowOf[node]!]! += total[node]!;
    amount[0] = whole;
    return amount;
  }

  /** Row of the context in the tree of one side; −1 where it is not there. */
  #rowIn(side: Side, row: number): number {
    if (this.#united.totals[side][row] !== 0 || this.#partner[row] === row) return row;
    return this.#partner[row]!;
  }

  #totalOf(side: Side, row: number): number {
    const at = this.#rowIn(side, row);
    return at < 0 ? 0 : this.#united.totals[side][at]!;
  }

  /** The callees of the context on one side. */
  #childrenIn(side: Side, row: number): number[] {
    const { firstChild, childEnd, totals } = this.#united;
    const at = this.#rowIn(side, row);
    const found: number[] = [];
    if (at < 0) return found;
    for (let child = firstChild[at]!; child < childEnd[at]!; child++)
      if (totals[side][child] !== 0) found.push(this.stateOf(child) === null ? this.#partner[child]! : child);
    return found;
  }

  #selfOf(side: Side, row: number): number {
    let self = this.#totalOf(side, row);
    for (const child of this.#childrenIn(side, row)) self -= this.#totalOf(side, child);
    return self;
  }

  #nearestOf(row: number): number {
    this.#nearest ??= this.#sumNearest();
    return this.#nearest[row]!;
  }

  #sumNearest(): Float64Array {
    const { length, parent, totals } = this.#united;
    const nearest = new Float64Array(length);
    for (let row = length - 1; row > 0; row--) {
      const isShared = this.#partner[row] === row;
      const above = parent[row]!;
      if (isShared || this.#partner[above]! >= 0) continue;
      // The context above is on one side alone: contexts below it count as they are on the other.
      const partner = this.#partner[row]!;
      const other = totals[0][row] === 0 ? totals[0] : totals[1];
      nearest[above]! += partner < 0 ? nearest[row]! : other[partner]!;
    }
    return nearest;
  }
}
