// Turns a chunk's method keys into rows of the profile's method table.
import type { MethodTableBuilder } from '../../cct/method-table.ts';
import { METHOD_FLAG } from '../../cct/profile.ts';
import type { Key } from './cursor.ts';
import { FormatError } from './format-error.ts';
import { type MethodTexts, UNKNOWN } from './known-texts.ts';
import { type Layout, walk } from './layout.ts';
import { fieldOf, type JfrType } from './metadata.ts';
import type { PoolEntries } from './pools.ts';
import { type ChunkContext, type TextReader, textReader } from './texts.ts';

/** Name of frames whose method the recording does not hold; they have no class. */
export const NO_METHOD = '[no method]';

const TYPE = 0;
const NAME = 1;
const DESCRIPTOR = 2;
const MODIFIERS = 3;
const HIDDEN = 4;
/** What a class file may say of a method. */
const ACCESS_FLAGS = 0xffff;
const FLAG_NAMES = ['type', 'name', 'descriptor', 'modifiers', 'hidden'];

const classSlot = new Int32Array(1);

/** Rows of methods by their keys in one chunk; each is decoded when it is first asked for. */
export class Methods {
  readonly #context: ChunkContext;
  readonly #table: MethodTableBuilder;
  readonly #names: MethodTexts;
  readonly #layout: Layout | null;
  readonly #classType: JfrType | undefined;
  readonly #classLayout: Layout | null;
  readonly #texts: readonly (TextReader | undefined)[];
  readonly #classNameText: TextReader | undefined;
  readonly #hasModifiers: boolean;
  readonly #hasHidden: boolean;
  readonly #entries: PoolEntries;
  readonly #classEntries: PoolEntries | null;
  /** Row + 1 of each entry by its number, 0 where it has not been asked for. */
  #rows: Int32Array = new Int32Array(0);
  #classRows: Int32Array = new Int32Array(0);
  readonly #slots = new Int32Array(5);
  /** How often a method was asked for that no checkpoint so far holds. */
  missing = 0;

  /** Registers the pools it needs. */
  constructor(context: ChunkContext, type: JfrType, table: MethodTableBuilder, names: MethodTexts) {
    const { types, layouts, pools } = context;
    this.#context = context;
    this.#table = table;
    this.#names = names;
    this.#layout = layouts.wanted(type, FLAG_NAMES);
    const classField = fieldOf(type, 'type');
    this.#classType = classField?.pooled ? types.of(classField) : undefined;
    this.#classLayout = this.#classType === undefined ? null : layouts.wanted(this.#classType, ['name']);
    this.#classNameText = textReader(context, fieldOf(this.#classType, 'name'));
    this.#texts = ['', 'name', 'descriptor'].map(name => textReader(context, fieldOf(type, name)));
    this.#hasModifiers = types.of(fieldOf(type, 'modifiers'))?.name === 'int';
    this.#hasHidden = types.of(fieldOf(type, 'hidden'))?.name === 'boolean';
    this.#entries = pools.want(type.id);
    this.#classEntries = this.#classType === undefined ? null : pools.want(this.#classType.id);
  }

  /** The row of the method with `key` in this chunk, whose pools have been walked. The cursor stays where it is. */
  row(key: Key): number {
    const number = this.#entries.find(key);
    if (number < 0) {
      if (key !== 0) this.missing++;
      return this.#noMethod();
    }
    if (number >= this.#rows.length) this.#rows = widened(this.#rows, this.#entries.length);
    const known = this.#rows[number]!;
    if (known > 0) return known - 1;
    const { cursor } = this.#context;
    const pos = cursor.pos;
    const row = this.#decode(this.#entries.offset(number));
    cursor.pos = pos;
    this.#rows[number] = row + 1;
    return row;
  }

  /** Whether a method is among those that have come, or none is meant. */
  has(key: Key): boolean {
    return key === 0 || this.#entries.find(key) >= 0;
  }

  #noMethod(): number {
    return this.#table.methodOfRows(this.#names.rowOf(''), this.#names.rowOf(NO_METHOD), -1, 0);
  }

  #decode(offset: number): number {
    const { cursor } = this.#context;
    if (this.#layout === null) return this.#noMethod();
    try {
      const slots = this.#slots;
      cursor.pos = offset;
      walk(cursor, this.#layout, slots);
      const name = this.#texts[NAME]?.row(slots[NAME]!, this.#names.plain) ?? -1;
      const descriptor = this.#texts[DESCRIPTOR]?.row(slots[DESCRIPTOR]!, this.#names.plain) ?? -1;
      const classRow = this.#classRow(slots[TYPE]!);
      const flags = this.#flags(slots);
      const nameRow = name < 0 ? this.#names.rowOf(UNKNOWN) : this.#names.row(name);
      return this.#table.methodOfRows(classRow, nameRow, descriptor < 0 ? -1 : this.#names.row(descriptor), flags);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      return this.#noMethod();
    }
  }

  #classRow(pos: number): number {
    const { cursor } = this.#context;
    const entries = this.#classEntries;
    if (entries === null || this.#classLayout === null) return this.#names.rowOf(UNKNOWN);
    cursor.pos = pos;
    const number = entries.find(cursor.key());
    if (number < 0) return this.#names.rowOf(UNKNOWN);
    if (number >= this.#classRows.length) this.#classRows = widened(this.#classRows, entries.length);
    const known = this.#classRows[number]!;
    if (known > 0) return known - 1;
    cursor.pos = entries.offset(number);
    walk(cursor, this.#classLayout, classSlot);
    const name = this.#classNameText?.row(classSlot[0]!, this.#names.classes) ?? -1;
    const row = name < 0 ? this.#names.rowOf(UNKNOWN) : this.#names.row(name);
    this.#classRows[number] = row + 1;
    return row;
  }

  #flags(slots: Int32Array): number {
    const { cursor } = this.#context;
    let flags = 0;
    if (this.#hasModifiers) {
      cursor.pos = slots[MODIFIERS]!;
      flags = (cursor.int() & ACCESS_FLAGS) | METHOD_FLAG.known;
    }
    if (this.#hasHidden && cursor.bytes[slots[HIDDEN]!] !== 0) flags |= METHOD_FLAG.hidden;
    return flags;
  }
}

/** The column with room for `length` entries: in a chunk that grows, more come later. */
function widened(column: Int32Array, length: number): Int32Array {
  const wider = new Int32Array(length);
  wider.set(column);
  return wider;
}
