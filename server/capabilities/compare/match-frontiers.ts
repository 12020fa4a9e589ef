// Matches contexts whose call paths differ between the sides, because levels were inserted or removed above them.
import type { Pause } from '../../base/pause.ts';
import type { UnitedTree } from './united-tree.ts';

/** So many inserted or removed levels are skipped between two matches, one below the other. */
const MOST_SKIPPED = 12;

/** Pairs, or rows of one level, between two pauses. */
const STEP = 1 << 14;

/** Rows that may be the same context: one is a child of a matched pair, the other stands deeper on its side. */
type Candidate = {
  readonly first: number;
  readonly second: number;
  /** Smaller share of both, times the similarity of their children. */
  readonly weight: number;
  /** Of both sides together. */
  readonly share: number;
  readonly skipped: number;
};

/** States of a row that only one side has. */
const FREE = 0;
const SKIPPED = 1;
const MATCHED = 2;

/**
 * The row of the same context for each row: itself where both sides have the call path, another one where one path is the other with
 * inserted levels, −1 where the side that has it is alone.
 *
 * Below each matched pair, children with one label are matched first. Of what is left, a child of one of the two may be any row of its
 * label below what is left of the other; the heaviest candidates are taken first, one to one, and never so that one row stands below
 * another on one side alone.
 */
export function matchTrees(united: UnitedTree, labels: number, pause: Pause): Int32Array {
  return new Matching(united, labels, pause).run();
}

class Matching {
  readonly #united: UnitedTree;
  readonly #partner: Int32Array;
  readonly #state: Uint8Array;
  /** Per label: the row that was noted last, and the number of the round in which it was. */
  readonly #noted: Int32Array;
  readonly #notedIn: Int32Array;
  /** Shares are made with them: one amount weighs as much on either side. */
  readonly #wholes: readonly [number, number];
  /** Matched pairs whose children have not been looked at. */
  readonly #pending: number[] = [];
  readonly #pause: Pause;
  #round = 0;
  /** Looked at so far. */
  #pairs = 0;

  constructor(united: UnitedTree, labels: number, pause: Pause) {
    this.#united = united;
    this.#partner = new Int32Array(united.length).fill(-1);
    this.#state = new Uint8Array(united.length);
    this.#noted = new Int32Array(labels);
    this.#notedIn = new Int32Array(labels);
    this.#wholes = [united.totals[0][0] || 1, united.totals[1][0] || 1];
    this.#pause = pause;
  }

  run(): Int32Array {
    const { length, totals } = this.#united;
    for (let row = 0; row < length; row++) {
      if (row > 0 && (totals[0][row] === 0 || totals[1][row] === 0)) continue;
      this.#partner[row] = row;
      this.#matchBelow(row, row);
      for (let second = this.#pending.pop(); second !== undefined; second = this.#pending.pop())
        this.#matchBelow(this.#pending.pop()!, second);
    }
    return this.#partner;
  }

  /** Looks at the children of a matched pair. */
  #matchBelow(first: number, second: number): void {
    if (++this.#pairs % STEP === 0) this.#pause();
    const ofFirst = this.#only(0, first);
    if (ofFirst.length === 0) return;
    const ofSecond = this.#only(1, second);
    if (ofSecond.length === 0) return;
    if (first !== second) this.#matchLikeNamed(ofFirst, ofSecond);
    const isFree = (row: number) => this.#state[row] === FREE;
    this.#matchFrontier(ofFirst.filter(isFree), ofSecond.filter(isFree), [first, second]);
  }

  /** Children that one side alone has on this call path. */
  #only(side: 0 | 1, row: number): number[] {
    const { firstChild, childEnd, totals } = this.#united;
    const other = totals[1 - side]!;
    const found: number[] = [];
    for (let child = firstChild[row]!; child < childEnd[row]!; child++) if (other[child] === 0) found.push(child);
    return found;
  }

  /** Below a pair with different call paths, equal steps are the same context too. */
  #matchLikeNamed(ofFirst: readonly number[], ofSecond: readonly number[]): void {
    this.#note(ofFirst);
    for (const row of ofSecond) {
      const other = this.#notedOf(row);
      if (other >= 0) this.#match(other, row);
    }
  }

  #match(first: number, second: number): void {
    this.#partner[first] = second;
    this.#partner[second] = first;
    this.#state[first] = MATCHED;
    this.#state[second] = MATCHED;
    this.#pending.push(first, second);
  }

  #note(rows: readonly number[]): void {
    const { label } = this.#united;
    this.#round++;
    for (const row of rows) {
      this.#noted[label[row]!] = row;
      this.#notedIn[label[row]!] = this.#round;
    }
  }

  /** The noted row with the label of another one, or −1. */
  #notedOf(row: number): number {
    const label = this.#united.label[row]!;
    return this.#notedIn[label] === this.#round ? this.#noted[label]! : -1;
  }

  /** Siblings that are left over below a matched pair. */
  #matchFrontier(ofFirst: readonly number[], ofSecond: readonly number[], above: readonly [number, number]): void {
    if (ofFirst.length === 0 || ofSecond.length === 0) return;
    const deeperInSecond = this.#deeper(ofFirst, ofSecond).map(([first, second, skipped]) =>
      this.#candidate(first, second, skipped),
    );
    const deeperInFirst = this.#deeper(ofSecond, ofFirst).map(([second, first, skipped]) =>
      this.#candidate(first, second, skipped),
    );
    const candidates = [...deeperInSecond, ...deeperInFirst].sort((a, b) => this.#order(a, b));
    for (const { first, second } of candidates) {
      if (!this.#isOpen(first, above[0]) || !this.#isOpen(second, above[1])) continue;
      this.#skipAbove(first, above[0]);
      this.#skipAbove(second, above[1]);
      this.#match(first, second);
    }
  }

  /** Pairs of one of the siblings and a row of its label below the others, with the number of levels between. */
  #deeper(siblings: readonly number[], others: readonly number[]): [number, number, number][] {
    const { firstChild, childEnd } = this.#united;
    this.#note(siblings);
    const found: [number, number, number][] = [];
    let level: readonly number[] = others;
    for (let skipped = 1; skipped <= MOST_SKIPPED && level.length > 0; skipped++) {
      const next: number[] = [];
      for (const [at, above] of level.entries()) {
        if (at % STEP === STEP - 1) this.#pause();
        for (let row = firstChild[above]!; row < childEnd[above]!; row++) {
          next.push(row);
          const sibling = this.#notedOf(row);
          if (sibling >= 0) found.push([sibling, row, skipped]);
        }
      }
      level = next;
    }
    return found;
  }

  #candidate(first: number, second: number, skipped: number): Candidate {
    const { totals } = this.#united;
    const shares = [totals[0][first]! / this.#wholes[0], totals[1][second]! / this.#wholes[1]] as const;
    const weight = Math.min(...shares) * this.#similarity(first, second);
    return { first, second, weight, share: shares[0] + shares[1], skipped };
  }

  /** The part of their children's labels that both have, themselves counted as one: 1 for equal ones, never 0. */
  #similarity(first: number, second: number): number {
    const { firstChild, childEnd, label } = this.#united;
    this.#round++;
    for (let row = firstChild[first]!; row < childEnd[first]!; row++) this.#notedIn[label[row]!] = this.#round;
    let both = 1;
    for (let row = firstChild[second]!; row < childEnd[second]!; row++)
      if (this.#notedIn[label[row]!] === this.#round) both++;
    const all = childEnd[first]! - firstChild[first]! + childEnd[second]! - firstChild[second]! + 2;
    return both / (all - both);
  }

  /**
   * Heaviest first; of equal ones the pair with fewer levels between, then the pair that is called from the same line. The rest makes the
   * order the same whichever side is the first.
   */
  #order(a: Candidate, b: Candidate): number {
    const { label } = this.#united;
    return (
      b.weight - a.weight ||
      a.skipped - b.skipped ||
      this.#movedLine(a) - this.#movedLine(b) ||
      b.share - a.share ||
      label[a.first]! - label[b.first]! ||
      a.first - b.first ||
      a.second - b.second
    );
  }

  #movedLine({ first, second }: Candidate): number {
    const { callLine } = this.#united;
    return callLine[first] === callLine[second] ? 0 : 1;
  }

  /** Whether neither the row, nor one below it, nor one between it and the matched pair is matched. */
  #isOpen(row: number, bound: number): boolean {
    const { parent } = this.#united;
    if (this.#state[row] !== FREE) return false;
    for (let above = parent[row]!; above !== bound; above = parent[above]!)
      if (this.#state[above] === MATCHED) return false;
    return true;
  }

  #skipAbove(row: number, bound: number): void {
    const { parent } = this.#united;
    for (let above = parent[row]!; above !== bound; above = parent[above]!) this.#state[above] = SKIPPED;
  }
}
