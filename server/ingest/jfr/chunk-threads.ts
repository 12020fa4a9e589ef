// Turns a chunk's thread keys into rows of the profile's thread table.
import { threadGroupName } from '../../cct/thread-groups.ts';
import type { ThreadTableBuilder } from '../../cct/thread-table.ts';
import type { Key } from './cursor.ts';
import { FormatError } from './format-error.ts';
import type { KeyTable } from './key-table.ts';
import { type Layout, walk } from './layout.ts';
import { fieldOf, type JfrType } from './metadata.ts';
import type { NamedThread } from './scheduled-time.ts';
import { type ChunkContext, type TextReader, textReader } from './texts.ts';

/** Name of samples that came without a thread, and of threads without any name. */
export const NO_THREAD = '-';

/** In place of the row of a thread that no checkpoint so far holds. */
const NOT_COME = -1;

const OS_NAME = 0;
const JAVA_NAME = 1;
const GROUP = 2;
const VIRTUAL = 3;
const OS_ID = 4;

/** How threads and their groups are laid out. */
type ThreadLayout = {
  readonly whole: Layout;
  readonly groupType: JfrType | undefined;
  readonly ofGroup: Layout | null;
  readonly hasVirtual: boolean;
  readonly hasOsId: boolean;
};

function threadLayout({ types, layouts }: ChunkContext, type: JfrType): ThreadLayout | null {
  const group = fieldOf(type, 'group');
  const groupType = group?.pooled ? types.of(group) : undefined;
  const whole = layouts.wanted(type, ['osName', 'javaName', 'group', 'virtual', 'osThreadId']);
  if (whole === null) return null;
  const ofGroup = groupType === undefined ? null : layouts.wanted(groupType, ['name']);
  const isOf = (field: string, name: string) => types.of(fieldOf(type, field))?.name === name;
  return { whole, groupType, ofGroup, hasVirtual: isOf('virtual', 'boolean'), hasOsId: isOf('osThreadId', 'long') };
}

/** Rows of threads by their keys in one chunk. */
export class Threads {
  readonly #context: ChunkContext;
  readonly #table: ThreadTableBuilder;
  readonly #names: 'raw' | 'normalised';
  /** Takes threads of the operating system as they are named. */
  readonly #osThreads: Map<number, NamedThread> | null;
  readonly #type: JfrType | undefined;
  readonly #layout: ThreadLayout | null;
  readonly #osName: TextReader | undefined;
  readonly #javaName: TextReader | undefined;
  readonly #groupName: TextReader | undefined;
  /** Names of groups that were asked for: there are few, of many threads each. */
  readonly #groups = new Map<Key, string>();
  /** Row of each numbered thread. */
  #rows: Int32Array = new Int32Array(0);
  readonly #slots = new Int32Array(5);

  /** Registers the pools it needs. */
  constructor(
    context: ChunkContext,
    type: JfrType | undefined,
    table: ThreadTableBuilder,
    names: 'raw' | 'normalised',
    osThreads: Map<number, NamedThread> | null,
  ) {
    const { layouts, pools } = context;
    this.#osThreads = osThreads;
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

  /** How many threads of samples no checkpoint so far describes. */
  nameless = 0;

  /** The row of samples without a thread. */
  none(): number {
    return this.#table.thread('', NO_THREAD, false);
  }

  /** Whether a thread is among the threads that have come. */
  has(key: Key): boolean {
    return this.#type !== undefined && this.#context.pools.offset(this.#type.id, key) >= 0;
  }

  /** Rows of numbered threads, by their numbers. Threads that have come are not decoded again from part to part of a chunk that grows. */
  rows(numbers: KeyTable): Int32Array {
    const before = this.#rows;
    if (before.length === numbers.length && !before.includes(NOT_COME)) return before;
    const rows = new Int32Array(numbers.length).fill(NOT_COME);
    rows.set(before.subarray(0, rows.length));
    for (const [number, key] of numbers.keys().entries())
      if (rows[number] === NOT_COME && this.has(key)) rows[number] = this.row(key);
    this.#rows = rows;
    this.nameless = rows.reduce((sum, row) => sum + Number(row === NOT_COME), 0);
    return rows.includes(NOT_COME) ? rows.map(row => (row === NOT_COME ? this.none() : row)) : rows;
  }

  /** The row of the thread with `key` in this chunk. */
  row(key: Key): number {
    const thread = this.#described(key);
    if (thread === null) return this.none();
    const [group, name, virtual, osThread] = thread;
    const row = this.#table.thread(group, name, virtual);
    if (osThread > 0 && !virtual) this.#osThreads?.set(osThread, { row, className: threadGroupName(name) });
    return row;
  }

  /** Name of the threads that a thread is one of: `worker-#`; null for a thread that the chunk does not describe. */
  className(key: Key): string | null {
    const thread = this.#described(key);
    return thread === null ? null : threadGroupName(thread[1]);
  }

  /** Group, name, whether it is virtual, and its number in the operating system or 0; null where the chunk does not tell. */
  #described(key: Key): readonly [group: string, name: string, virtual: boolean, osThread: number] | null {
    const { cursor, pools } = this.#context;
    const offset = this.#type === undefined ? -1 : pools.offset(this.#type.id, key);
    if (offset < 0 || this.#layout === null) return null;
    try {
      const slots = this.#slots;
      cursor.pos = offset;
      walk(cursor, this.#layout.whole, slots);
      const virtual = this.#layout.hasVirtual && cursor.bytes[slots[VIRTUAL]!] !== 0;
      const javaName = this.#javaName?.read(slots[JAVA_NAME]!) || '';
      // All unnamed virtual threads are one row, whatever carrier the system saw.
      if (virtual && javaName === '' && this.#names === 'normalised') return ['', '', true, 0];
      const name = javaName || this.#osName?.read(slots[OS_NAME]!) || NO_THREAD;
      return [this.#group(slots[GROUP]!), name, virtual, this.#osId()];
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      return null;
    }
  }

  #osId(): number {
    if (this.#osThreads === null || this.#layout?.hasOsId !== true) return 0;
    const { cursor } = this.#context;
    cursor.pos = this.#slots[OS_ID]!;
    return Number(cursor.key());
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
