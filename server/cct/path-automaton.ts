// Tells for many paths of methods at once at how many places of a tree each ends, reading every node of the tree once.
import { hash3 } from './shared-columns.ts';

/** The state before any method: the empty path. */
const START = 0;

// One record a state, so that a step costs one look into memory: a state's first next one stands here, others in a hash.
const STRIDE = 4;
/** The longest other state that its path ends with. */
const SHORTER = 0;
const FIRST_METHOD = 1;
const FIRST_NEXT = 2;
const FLAGS = 3;
/** There are more next states. */
const MORE = 1;
/** Its longest shorter state is known. */
const LINKED = 2;

/** (state, method, next state) */
const SLOT = 3;

/**
 * The automaton of Aho and Corasick (Efficient string matching, 1975) over methods instead of characters. Its states are the beginnings
 * of all paths; reading the methods from a root down to a node leads to the longest of them that ends at that node. First all paths
 * are added, then they are linked, then nodes are read.
 */
export class PathAutomaton {
  /** Per method: the state after it alone; START where no path begins with it. */
  readonly #first: Int32Array;
  readonly #records: Int32Array;
  /** Open addressing; the next state is START in free ones. */
  #slots = new Int32Array(SLOT * 1024);
  #hashed = 0;
  readonly #before: Int32Array;
  readonly #method: Int32Array;
  /** All states but START, each after its longest shorter one. */
  #linked = new Int32Array(0);
  #length = 1;
  /** Per state: at how many places its path ends. */
  readonly count: Int32Array;
  /** Per state with one place: that place. */
  readonly place: Int32Array;

  /** @param most at most so many methods will be added, over all paths */
  constructor(methods: number, most: number) {
    const column = () => new Int32Array(most + 1);
    this.#first = new Int32Array(methods);
    this.#records = new Int32Array(STRIDE * (most + 1));
    [this.#before, this.#method] = [column(), column()];
    [this.count, this.place] = [column(), column()];
  }

  /** The state of the path of `state` with one more method, which is added when it is new. No path has the root's method. */
  add(state: number, method: number): number {
    const known = this.#next(state, method);
    if (known !== START) return known;
    const added = this.#length++;
    this.#before[added] = state;
    this.#method[added] = method;
    const records = this.#records;
    const at = state * STRIDE;
    if (state === START) {
      this.#first[method] = added;
    } else if (records[at + FIRST_NEXT] === START) {
      records[at + FIRST_METHOD] = method;
      records[at + FIRST_NEXT] = added;
    } else {
      records[at + FLAGS]! |= MORE;
      this.#addHashed(state, method, added);
    }
    return added;
  }

  /**
   * Ends the adding of paths: finds for each state the longest shorter one. Each is found when it is first needed, so that what is looked
   * at next mostly stands beside what was looked at last; going by lengths, every look would be one into far memory.
   */
  link(): void {
    const records = this.#records;
    this.#linked = new Int32Array(this.#length - 1);
    let linked = 0;
    /** Each waits for the next, which is shorter. */
    const waiting: number[] = [];
    for (let first = 1; first < this.#length; first++) {
      if ((records[first * STRIDE + FLAGS]! & LINKED) !== 0) continue;
      for (let state = first; ; ) {
        const needed = this.#linkState(state);
        if (needed !== START) {
          waiting.push(state);
          state = needed;
          continue;
        }
        this.#linked[linked++] = state;
        if (waiting.length === 0) break;
        state = waiting.pop()!;
      }
    }
  }

  /** Finds the longest shorter state; START when it did, else a state that must be linked before. */
  #linkState(state: number): number {
    const records = this.#records;
    const record = state * STRIDE;
    const before = this.#before[state]!;
    if (before !== START) {
      // Where it was left when it was tried before.
      let at = records[record + SHORTER]!;
      if (at === START) {
        if ((records[before * STRIDE + FLAGS]! & LINKED) === 0) return before;
        at = records[before * STRIDE + SHORTER]!;
      }
      const method = this.#method[state]!;
      let shorter = START;
      for (; at !== START; at = records[at * STRIDE + SHORTER]!) {
        shorter = this.#next(at, method);
        if (shorter !== START) break;
        if ((records[at * STRIDE + FLAGS]! & LINKED) !== 0) continue;
        records[record + SHORTER] = at;
        return at;
      }
      if (shorter === START) shorter = this.#first[method]!;
      if (shorter !== START && (records[shorter * STRIDE + FLAGS]! & LINKED) === 0) {
        records[record + SHORTER] = at;
        return shorter;
      }
      records[record + SHORTER] = shorter;
    }
    records[record + FLAGS]! |= LINKED;
    return START;
  }

  /** The state behind a node of `method` whose parent's is `state`. */
  read(state: number, method: number): number {
    const records = this.#records;
    for (let at = state; at !== START; at = records[at * STRIDE + SHORTER]!) {
      const record = at * STRIDE;
      if (records[record + FIRST_METHOD] === method) return records[record + FIRST_NEXT]!;
      if ((records[record + FLAGS]! & MORE) === 0) continue;
      const next = this.#slots[this.#slotOf(at, method) + 2]!;
      if (next !== START) return next;
    }
    return this.#first[method]!;
  }

  /** Says that `state` is the one behind `place`; the shorter paths that end there too learn of it from `spread`. */
  note(state: number, place: number): void {
    this.count[state]!++;
    this.place[state] = place;
  }

  /** Tells shorter paths of all places noted so far. Once, before any `noteAll`. */
  spread(): void {
    for (let at = this.#linked.length - 1; at >= 0; at--) {
      const state = this.#linked[at]!;
      const shorter = this.#records[state * STRIDE + SHORTER]!;
      if (this.count[state] === 0) continue;
      this.count[shorter]! += this.count[state]!;
      this.place[shorter] = this.place[state]!;
    }
  }

  /** As `note`, and tells the shorter paths at once. */
  noteAll(state: number, place: number): void {
    for (let at = state; at !== START; at = this.#records[at * STRIDE + SHORTER]!) this.note(at, place);
  }

  /** Says that places have new names. */
  rename(rows: Int32Array): void {
    const { count, place } = this;
    for (let state = 1; state < this.#length; state++) if (count[state] === 1) place[state] = rows[place[state]!]!;
  }

  #next(state: number, method: number): number {
    if (state === START) return this.#first[method]!;
    const records = this.#records;
    const at = state * STRIDE;
    if (records[at + FIRST_METHOD] === method) return records[at + FIRST_NEXT]!;
    return (records[at + FLAGS]! & MORE) === 0 ? START : this.#slots[this.#slotOf(state, method) + 2]!;
  }

  #addHashed(state: number, method: number, next: number): void {
    if (++this.#hashed * 2 > this.#slots.length / SLOT) {
      const old = this.#slots;
      this.#slots = new Int32Array(old.length * 2);
      for (let at = 0; at < old.length; at += SLOT) {
        if (old[at + 2] !== START) this.#setSlot(old[at]!, old[at + 1]!, old[at + 2]!);
      }
    }
    this.#setSlot(state, method, next);
  }

  #setSlot(state: number, method: number, next: number): void {
    const at = this.#slotOf(state, method);
    this.#slots[at] = state;
    this.#slots[at + 1] = method;
    this.#slots[at + 2] = next;
  }

  /** Where the step from a state by a method stands or belongs. */
  #slotOf(state: number, method: number): number {
    const slots = this.#slots;
    const mask = slots.length / SLOT - 1;
    let slot = hash3(state, method, 0) & mask;
    for (;;) {
      const at = slot * SLOT;
      if (slots[at + 2] === START || (slots[at] === state && slots[at + 1] === method)) return at;
      slot = (slot + 1) & mask;
    }
  }
}
