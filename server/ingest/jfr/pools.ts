// Walks a chunk's checkpoints and notes where each pool entry stands; nothing is decoded before it is referred to.
import { type Cursor, type Key, sevenBits } from './cursor.ts';
import { FormatError } from './format-error.ts';
import { KeyTable } from './key-table.ts';
import { type Layout, type Layouts, walk } from './layout.ts';
import { skipVarints } from './skip-varints.ts';
import { afterString } from './strings.ts';

/** Stacks are the bulk of a chunk: only stacks that events refer to are noted, by the number the events know them by. */
type WantedStacks = {
  /** Type of the stack pool. */
  readonly type: Key;
  readonly numbers: KeyTable;
  /** Takes the offset of each stack; −1 where no checkpoint holds it. */
  offsets: Int32Array;
  /** Numbers stacks that no event refers to yet as well: in a chunk that grows, later events may. */
  readonly all?: boolean;
};

/** Knows places in the bytes of a chunk, and is told when the bytes there have moved. */
type Movable = { move(first: number, from: number, end: number, delta: number): void };

/** A run of bytes that holds entries of one wanted pool, or stacks (null); `first` is the number of the first entry that it brought. */
export type PoolRange = {
  readonly entries: Movable | null;
  readonly first: number;
  readonly start: number;
  readonly end: number;
};

/** The high bit of each byte of a word: bytes without it end an integer. */
const HIGH_BITS = 0x80808080 | 0;
const FIRST_OFFSETS = 64;
/** Types of pools whose tables are kept for a later chunk: the chunks of one JVM want the same few. */
const MOST_SPARE = 32;

/** Where the entries of one pool stand. Entries are numbered as they come. */
export class PoolEntries {
  readonly #table = new KeyTable();
  #offsets = new Int32Array(FIRST_OFFSETS);

  get length(): number {
    return this.#table.length;
  }

  clear(): void {
    this.#table.clear();
    if (this.#offsets.length > this.#table.capacity) this.#offsets = new Int32Array(FIRST_OFFSETS);
  }

  /** Notes where the entry with `key` stands; the latest call counts. */
  set(key: Key, offset: number): void {
    const number = this.#table.add(key);
    if (number === this.#offsets.length) {
      const larger = new Int32Array(number * 2);
      larger.set(this.#offsets);
      this.#offsets = larger;
    }
    this.#offsets[number] = offset;
  }

  /** Says that what stood at `from` and behind it has moved by `delta` bytes; entries below number `first` have not. */
  move(first: number, from: number, end: number, delta: number): void {
    for (let number = first; number < this.#table.length; number++) {
      const offset = this.#offsets[number]!;
      if (offset >= from && offset < end) this.#offsets[number] = offset + delta;
    }
  }

  /** The number of the entry with `key`; −1 for references to entries that no checkpoint holds, as those to key 0 are. */
  find(key: Key): number {
    return key === 0 ? -1 : this.#table.find(key);
  }

  /** The number of an entry of an enumeration, whose first constant has key 0; −1 where no checkpoint holds it. */
  findConstant(key: Key): number {
    return this.#table.find(key);
  }

  /** Where an entry stands, by its number. */
  offset(number: number): number {
    return this.#offsets[number]!;
  }

  keys(): Key[] {
    return this.#table.keys();
  }
}

/** Offsets of pool entries by type and key, of one chunk after the other. */
export class Pools {
  readonly #entries = new Map<Key, PoolEntries>();
  /** By type as well: what types are called seldom changes, and a pool of few entries needs no table of one that had many. */
  readonly #spare = new Map<Key, PoolEntries>();

  /** Forgets everything: type ids and keys mean nothing outside of their chunk. */
  clear(): void {
    if (this.#spare.size > MOST_SPARE) this.#spare.clear();
    for (const [type, entries] of this.#entries) {
      entries.clear();
      this.#spare.set(type, entries);
    }
    this.#entries.clear();
  }

  /** The entries of a type; entries of types that are not asked for are not noted. */
  want(type: Key): PoolEntries {
    let entries = this.#entries.get(type);
    if (entries === undefined) {
      entries = this.#spare.get(type) ?? new PoolEntries();
      this.#entries.set(type, entries);
    }
    return entries;
  }

  /** The entries of a type, when it is wanted. */
  entries(type: Key): PoolEntries | undefined {
    return this.#entries.get(type);
  }

  /** Where the entry with `key` stands; −1 for key 0 and for references to entries that no checkpoint holds. */
  offset(type: Key, key: Key): number {
    const entries = this.#entries.get(type);
    const number = entries?.find(key) ?? -1;
    return number < 0 ? -1 : entries!.offset(number);
  }
}

/** The inputs of a walk over checkpoints, and the receivers of its reports. */
export type PoolWalk = {
  readonly cursor: Cursor;
  readonly layouts: Layouts;
  readonly pools: Pools;
  readonly stacks: WantedStacks | null;
  /** Takes where the entries of wanted pools stand, for a chunk that grows: an entry that is known already stays as it is. */
  readonly ranges?: PoolRange[];
  readonly report: (message: string, offset: number) => void;
};

const NO_SLOTS = new Int32Array(0);

/**
 * Walks the chain of checkpoints backwards from the one at `offset`. Of duplicate keys the one in the earliest checkpoint
 * counts, and within a checkpoint the last, as in the JDK's own reader. A broken link ends the chain and is reported.
 */
export function walkChain(walkState: PoolWalk, offset: number): void {
  const cursor = walkState.cursor;
  // A link may only lead towards the start, so that every chain ends.
  for (let at = offset; at > 0; ) {
    let delta: number;
    try {
      delta = readCheckpoint(walkState, at);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      walkState.report(`a checkpoint is broken: ${error.message}`, error.offset);
      return;
    }
    if (delta === 0) return;
    if (delta > 0 || at + delta < 68) {
      walkState.report(`a checkpoint refers to a place ${delta} bytes away, where none can be`, at);
      return;
    }
    // The engine keeps a number that was read as 64 bits as a double: as one, the cursor's position would make all that reads slower.
    at = (at + delta) | 0;
    cursor.pos = at;
  }
}

/** Walks checkpoints at known places in the order of writing, as they come in a chunk that grows. */
export function walkForward(walkState: PoolWalk, offsets: readonly number[]): void {
  walkListed(walkState, offsets.toReversed());
}

/** Walks checkpoints at known places, latest first: for chunks whose chain was never written or was cut off. */
export function walkListed(walkState: PoolWalk, offsets: readonly number[]): void {
  for (const offset of offsets.toReversed()) {
    try {
      readCheckpoint(walkState, offset);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      walkState.report(`a checkpoint is broken: ${error.message}`, error.offset);
    }
  }
}

/** Reads one checkpoint and returns the distance to the one before it, 0 when it is the first. */
function readCheckpoint(state: PoolWalk, offset: number): number {
  const cursor = state.cursor;
  cursor.pos = offset;
  const size = cursor.int();
  if (size <= 0 || size > cursor.end - offset) throw new FormatError(`a size of ${size} bytes is impossible`, offset);
  if (cursor.key() !== 1) throw new FormatError('no checkpoint stands here', offset);
  cursor.key();
  cursor.key();
  const delta = cursor.long();
  cursor.byte();
  const end = offset + size;
  const pools = cursor.count('pool', 2);
  for (let i = 0; i < pools; i++) {
    const at = cursor.pos;
    try {
      readPool(state, end);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      // Pools carry no length: behind a broken one, the rest of this checkpoint cannot be found.
      state.report(`a pool is broken, the rest of its checkpoint is lost: ${error.message}`, Math.max(at, offset));
      return delta;
    }
  }
  return delta;
}

function readPool(state: PoolWalk, end: number): void {
  const { cursor, stacks, ranges } = state;
  const at = cursor.pos;
  const typeId = cursor.key();
  const count = cursor.count('pool entry');
  cursor.check('checkpoint', end);
  if (count === 0) return;
  const layout = state.layouts.pooled(typeId);
  if (layout === null) throw new FormatError(`its type ${typeId} has no usable declaration`, at);
  const start = cursor.pos;
  if (stacks !== null && stacks.type === typeId) {
    noteStacks(cursor, layout, count, stacks, end);
    ranges?.push({ entries: null, first: 0, start, end: cursor.pos });
  } else {
    const entries = state.pools.entries(typeId);
    const first = entries?.length ?? 0;
    noteEntries(cursor, layout, count, entries ?? null, ranges === undefined ? 0 : first, end);
    if (entries !== undefined && entries.length > first) ranges?.push({ entries, first, start, end: cursor.pos });
  }
  cursor.check('pool', end);
}

/**
 * Steps over the entries of a pool and notes where they are, if they are wanted.
 * @param fixed how many of the entries that are noted already stay as they are
 * @param end that of the checkpoint: the bytes behind it are no entries, and would take the place of real ones
 */
function noteEntries(
  cursor: Cursor,
  layout: Layout,
  count: number,
  entries: PoolEntries | null,
  fixed: number,
  end: number,
): void {
  const { isString, leadingIntegers, trailingBytes } = layout;
  const { view, compressed } = cursor;
  let pos = cursor.pos | 0;
  for (let i = 0; i < count; i++) {
    const start = pos;
    const word = view.getInt32(pos, true);
    const ends = ~word & HIGH_BITS;
    let key: Key;
    if (compressed && ends !== 0) {
      const last = ends & -ends;
      key = sevenBits(word & (last - 1));
      pos = (pos + ((32 - Math.clz32(last)) >>> 3)) | 0;
    } else {
      cursor.pos = pos;
      key = cursor.key();
      pos = cursor.pos | 0;
    }
    const at = pos;
    if (isString) {
      pos = afterString(cursor, pos) | 0;
    } else if (leadingIntegers > 0) {
      const next = skipVarints(view, pos, end, leadingIntegers);
      pos = next < 0 ? end + 1 : (next + trailingBytes) | 0;
    } else {
      cursor.pos = pos;
      walk(cursor, layout, NO_SLOTS);
      pos = cursor.pos | 0;
    }
    if (pos > end) throw new FormatError('a value runs past its end', start);
    if (entries !== null && (fixed === 0 || !isOlder(entries.find(key), fixed))) entries.set(key, at);
  }
  cursor.pos = pos;
}

/** Whether an entry is there and was before the one numbered `first`. */
function isOlder(number: number, first: number): boolean {
  return number >= 0 && number < first;
}

/**
 * Steps over the stacks of a pool and notes where the wanted ones are.
 * @param end that of the checkpoint
 */
function noteStacks(cursor: Cursor, layout: Layout, count: number, wanted: WantedStacks, end: number): void {
  const { numbers, all } = wanted;
  const { view } = cursor;
  const integers = layout.integersBehindFlag;
  for (let i = 0; i < count; i++) {
    const key = cursor.key();
    const at = cursor.pos;
    if (integers === 0) {
      walk(cursor, layout, NO_SLOTS);
    } else {
      cursor.pos++;
      const frames = cursor.count('frame', integers);
      const next = skipVarints(view, cursor.pos, end, frames * integers);
      cursor.pos = next < 0 ? end + 1 : next;
    }
    if (cursor.pos > end) throw new FormatError('a stack runs past its end', at);
    const number = all === true && key !== 0 ? numbers.add(key) : numbers.find(key);
    if (number >= wanted.offsets.length) wanted.offsets = withRoom(wanted.offsets, number);
    if (number >= 0) wanted.offsets[number] = at;
  }
}

/** The offsets with room for one at `number`. */
function withRoom(offsets: Int32Array, number: number): Int32Array {
  const larger = new Int32Array(Math.max(64, 2 * (number + 1))).fill(-1);
  larger.set(offsets);
  return larger;
}
