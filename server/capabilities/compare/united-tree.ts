// Two trees laid over each other by call paths of methods: equal contexts of a comparison, found in one walk.
import type { Pause } from '../../base/pause.ts';
import type { Cct } from '../../cct/profile.ts';

/** One of two trees that are compared. */
export type ComparedSide = {
  readonly tree: Cct;
  /** Per method row: the label that the method has on both sides. */
  readonly label: Int32Array;
  /** Nodes that stand directly below the root of the comparison. */
  readonly tops: Int32Array;
  /** Per node: the amount at or below it. Nodes of 0 were not seen. */
  readonly total: Float64Array;
  /** The amount of all tops, and what the root has itself. */
  readonly whole: number;
};

/**
 * A row for each call path of labels that either side has; call lines do not tell paths apart. Row 0 is the root; parents come
 * before children, and children of one row follow each other.
 */
export type UnitedTree = {
  readonly length: number;
  /** −1 for the root. */
  readonly label: Int32Array;
  readonly parent: Int32Array;
  /** Children of row r are the rows firstChild[r] … childEnd[r]−1. */
  readonly firstChild: Int32Array;
  readonly childEnd: Int32Array;
  /** Line of the first call that was met, ≤ 0 where it is not known. */
  readonly callLine: Int32Array;
  /** Per side and row: the amount at or below; 0 where the side has no such path. */
  readonly totals: readonly [first: Float64Array, second: Float64Array];
  /** Per side and node of its tree: the row of the node; −1 of nodes that were not seen. */
  readonly rowOf: readonly [first: Int32Array, second: Int32Array];
};

/** Rows between two pauses. */
const STEP = 1 << 14;

/** Lays both trees over each other. O(nodes of both + labels). */
export function uniteTrees(first: ComparedSide, second: ComparedSide, labels: number, pause: Pause): UnitedTree {
  return new Uniting(first, second, labels).run(pause);
}

class Uniting {
  readonly #sides: readonly [ComparedSide, ComparedSide];
  readonly #totals: readonly [Float64Array, Float64Array];
  readonly #label: Int32Array;
  readonly #parent: Int32Array;
  readonly #firstChild: Int32Array;
  readonly #childEnd: Int32Array;
  readonly #callLine: Int32Array;
  /** Per side and row: the latest of its nodes, plus 1; per side and node: the node of the same row before it, plus 1. 0 for none. */
  readonly #latest: readonly [Int32Array, Int32Array];
  readonly #before: readonly [Int32Array, Int32Array];
  readonly #rowOf: readonly [Int32Array, Int32Array];
  /** Per label: the latest row that has it; a child of the row in hand where that is not before its first child. */
  readonly #rowOfLabel: Int32Array;
  #length = 1;

  constructor(first: ComparedSide, second: ComparedSide, labels: number) {
    const most = first.tree.length + second.tree.length + 1;
    this.#sides = [first, second];
    this.#totals = [new Float64Array(most), new Float64Array(most)];
    this.#label = new Int32Array(most);
    this.#parent = new Int32Array(most);
    this.#firstChild = new Int32Array(most);
    this.#childEnd = new Int32Array(most);
    this.#callLine = new Int32Array(most);
    this.#latest = [new Int32Array(most), new Int32Array(most)];
    this.#before = [new Int32Array(first.tree.length), new Int32Array(second.tree.length)];
    this.#rowOf = [new Int32Array(first.tree.length).fill(-1), new Int32Array(second.tree.length).fill(-1)];
    this.#rowOfLabel = new Int32Array(labels);
  }

  run(pause: Pause): UnitedTree {
    this.#label[0] = -1;
    this.#parent[0] = -1;
    this.#firstChild[0] = 1;
    for (const side of [0, 1] as const) {
      const { tops, whole } = this.#sides[side];
      this.#totals[side][0] = whole;
      for (const node of tops) this.#add(side, node, 0);
    }
    this.#childEnd[0] = this.#length;
    const pending: number[] = [];
    let done = 0;
    for (let row = 0; ; row = pending.pop()!) {
      if (row > 0) this.#unfold(row);
      for (let child = this.#childEnd[row]! - 1; child >= this.#firstChild[row]!; child--) pending.push(child);
      if (++done % STEP === 0) pause();
      if (pending.length === 0) break;
    }
    return this.#finish();
  }

  /** Gives a row its children. */
  #unfold(row: number): void {
    this.#firstChild[row] = this.#length;
    for (const side of [0, 1] as const) {
      const { subtreeEnd } = this.#sides[side].tree;
      for (let next = this.#latest[side][row]!; next > 0; next = this.#before[side][next - 1]!) {
        const node = next - 1;
        const end = subtreeEnd[node]!;
        for (let child = node + 1; child < end; child = subtreeEnd[child]!) this.#add(side, child, row);
      }
    }
    this.#childEnd[row] = this.#length;
  }

  /** Adds a node to the child of the row that has its label. */
  #add(side: 0 | 1, node: number, above: number): void {
    const { tree, label, total } = this.#sides[side];
    if (total[node] === 0) return;
    const own = label[tree.method[node]!]!;
    let row = this.#rowOfLabel[own]!;
    if (row < this.#firstChild[above]!) {
      row = this.#length++;
      this.#rowOfLabel[own] = row;
      this.#label[row] = own;
      this.#parent[row] = above;
      this.#callLine[row] = tree.callLine[node]!;
    }
    this.#totals[side][row]! += total[node]!;
    this.#rowOf[side][node] = row;
    this.#before[side][node] = this.#latest[side][row]!;
    this.#latest[side][row] = node + 1;
  }

  /** Columns are views: memory behind their ends was never touched, and costs nothing. */
  #finish(): UnitedTree {
    const length = this.#length;
    return {
      length,
      label: this.#label.subarray(0, length),
      parent: this.#parent.subarray(0, length),
      firstChild: this.#firstChild.subarray(0, length),
      childEnd: this.#childEnd.subarray(0, length),
      callLine: this.#callLine.subarray(0, length),
      totals: [this.#totals[0].subarray(0, length), this.#totals[1].subarray(0, length)],
      rowOf: this.#rowOf,
    };
  }
}
