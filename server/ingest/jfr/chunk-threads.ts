// Turns a chunk's thread keys into rows of the profile's thread table.
import type { ThreadTableBuilder } from '../../cct/thread-table.ts';
import type { Key } from './cursor.ts';
import { FormatError } from './format-error.ts';
import type { KeyTable } from './key-table.ts';
import { type Layout, walk } from './layout.ts';
import { fieldOf, type JfrType } from './metadata.ts';
import { type ChunkContext, type TextReader, textReader } from './texts.ts';

/** Name of samples that came without a thread, and of threads without any name. */
export const NO_THREAD = '-';

/** In place of the row of a thread that no checkpoint so far holds. */
const NOT_COME = -1;

const OS_NAME = 0;
const JAVA_NAME = 1;
const GROUP = 2;
const VIRTUAL = 3;

/** How threads and their groups are laid out. */
type ThreadLayout = {
  readonly whole: Layout;
  readonly groupType: JfrType | undefined;
  readonly ofGroup: Layout | null;
  readonly hasVirtual: boolean;
};

function threadLayout({ types, layouts }: ChunkContext, type: JfrType): ThreadLayout | null {
  const group = fieldOf(type, 'group');
  const groupType = group?.pooled ? types.of(group) : undefined;
  const whole = layouts.wanted(type, ['osName', 'javaName', 'group', 'virtual']);
  if (whole === null) return null;
  const ofGroup = groupType === undefined ? null : layouts.wanted(groupType, ['name']);
  return { whole, groupType, ofGroup, hasVirtual: types.of(fieldOf(type, 'virtual'))?.name === 'boolean' };
}

/** Rows of threads by their keys in one chunk. */
export class Threads {
  readonly #context: ChunkContext;
  readonly #table: ThreadTableBuilder;
  readonly #names: 'raw' | 'normalised';
  readonly #type: JfrType | undefined;
  readonly #layout: ThreadLayout | null;
  readonly #osName: TextReader | undefined;
  readonly #javaName: TextReader | undefined;
  readonly #groupName: TextReader | undefined;
  /** Names of groups that were asked for: there are few, of many threads each. */
  readonly #groups = new Map<Key, string>();
  /** Row of each numbered thread. */
  #rows: Int32Array = new Int32Array(0);
  readonly #slots = new Int32Array(4);

  /** Registers the pools it needs. */
  constructor(
    context: ChunkContext,
    type: JfrType | undefined,
    table: ThreadTableBuilder,
    names: 'raw' | 'normalised',
  ) {
    const { layouts, pools } = context;
    this.#context = context;
    this.#table = table;
    this.#names = names;
    this.#type = type;
    this.#layout = type === undefined ? null : layouts.derived(`threads ${type.id}`, () => threadLayout(context, type));
    this.#osName = textReader(context, fieldOf(type, 'osName'));
    this.#javaName = textReader(context, fieldOf(type, 'javaName'));
    const groupType = this.#layout?.groupType;
    this.#groupName = textReader(context, fieldOf(groupType, 'name'));
    if (type !== undefined) pools.want(type.id);
    if (groupType !== undefined) pools.want(groupType.id);
  }

  /** The row of samples without a thread. */
  none(): number {
    return this.#table.thread('', NO_THREAD, false);
  }

  /** Whether a thread is among those that have come. */
  has(key: Key): boolean {
    return this.#type !== undefined && this.#context.pools.offset(this.#type.id, key) >= 0;
  }

  /** Rows of numbered threads, by their numbers. Those that have come are not decoded again from part to part of a chunk that grows. */
  rows(numbers: KeyTable): Int32Array {
    const before = this.#rows;
    if (before.length === numbers.length && !before.includes(NOT_COME)) return before;
    const rows = new Int32Array(numbers.length).fill(NOT_COME);
    rows.set(before.subarray(0, rows.length));
    for (const [number, key] of numbers.keys().entries())
      if (rows[number] === NOT_COME && this.has(key)) rows[number] = this.row(key);
    this.#rows = rows;
    return rows.includes(NOT_COME) ? rows.map(row => (row === NOT_COME ? this.none() : row)) : rows;
  }

  /** The row of the thread with `key` in this chunk. */
  row(key: Key): number {
    const { cursor, pools } = this.#context;
    const offset = this.#type === undefined ? -1 : pools.offset(this.#type.id, key);
    if (offset < 0 || this.#layout === null) return this.none();
    try {
      const slots = this.#slots;
      cursor.pos = offset;
      walk(cursor, this.#layout.whole, slots);
      const virtual = this.#layout.hasVirtual && cursor.bytes[slots[VIRTUAL]!] !== 0;
      const javaName = this.#javaName?.read(slots[JAVA_NAME]!) || '';
      // All unnamed virtual threads are one row, whatever carrier the system saw.
      if (virtual && javaName === '' && this.#names === 'normalised') return this.#table.thread('', '', true);
      const name = javaName || this.#osName?.read(slots[OS_NAME]!) || NO_THREAD;
      return this.#table.thread(this.#group(slots[GROUP]!), name, virtual);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      return this.none();
    }
  }

  #group(pos: number): string {
    const { cursor, pools } = this.#context;
    const { groupType, ofGroup } = this.#layout!;
    if (groupType === undefined || ofGroup === null) return '';
    cursor.pos = pos;
    const key = cursor.key();
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const offset = pools.offset(groupType.id, key);
    if (offset < 0) return '';
    const slot = new Int32Array(1);
    cursor.pos = offset;
    walk(cursor, ofGroup, slot);
    const name = this.#groupName?.read(slot[0]!) ?? '';
    // Of a chunk that grows the name may come later.
    if (name !== '') this.#groups.set(key, name);
    return name;
  }
}
