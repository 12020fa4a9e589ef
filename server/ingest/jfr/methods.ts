// Turns a chunk's method keys into rows of the profile's method table.
import type { MethodTableBuilder } from '../../cct/method-table.ts';
import { METHOD_FLAG } from '../../cct/profile.ts';
import type { Key } from './cursor.ts';
import { FormatError } from './format-error.ts';
import { type Layout, walk } from './layout.ts';
import { fieldOf, type JfrType } from './metadata.ts';
import { type ChunkContext, type TextReader, textReader } from './texts.ts';

/** Name of frames whose method the recording does not hold; they have no class. */
export const NO_METHOD = '[no method]';
const UNKNOWN = '?';

const TYPE = 0;
const NAME = 1;
const DESCRIPTOR = 2;
const MODIFIERS = 3;
const HIDDEN = 4;
/** What a class file may say of a method. */
const ACCESS_FLAGS = 0xffff;
const FLAG_NAMES = ['type', 'name', 'descriptor', 'modifiers', 'hidden'];

/** Rows of methods by their keys in one chunk; each is decoded when it is first asked for. */
export class Methods {
  readonly #context: ChunkContext;
  readonly #table: MethodTableBuilder;
  readonly #className: (name: string) => string;
  readonly #type: JfrType;
  readonly #layout: Layout | null;
  readonly #classType: JfrType | undefined;
  readonly #classLayout: Layout | null;
  readonly #texts: readonly (TextReader | undefined)[];
  readonly #classNameText: TextReader | undefined;
  readonly #hasModifiers: boolean;
  readonly #hasHidden: boolean;
  readonly #rows = new Map<Key, number>();
  readonly #classRows = new Map<Key, number>();
  readonly #slots = new Int32Array(5);

  /** `className` maps a binary name with dots to the one to keep. Registers the pools it needs. */
  constructor(context: ChunkContext, type: JfrType, table: MethodTableBuilder, className: (name: string) => string) {
    const { types, layouts, pools } = context;
    this.#context = context;
    this.#table = table;
    this.#className = className;
    this.#type = type;
    this.#layout = layouts.wanted(type, FLAG_NAMES);
    const classField = fieldOf(type, 'type');
    this.#classType = classField?.pooled ? types.of(classField) : undefined;
    this.#classLayout = this.#classType === undefined ? null : layouts.wanted(this.#classType, ['name']);
    this.#classNameText = textReader(context, fieldOf(this.#classType, 'name'));
    this.#texts = ['', 'name', 'descriptor'].map(name => textReader(context, fieldOf(type, name)));
    this.#hasModifiers = types.of(fieldOf(type, 'modifiers'))?.name === 'int';
    this.#hasHidden = types.of(fieldOf(type, 'hidden'))?.name === 'boolean';
    pools.want(type.id);
    if (this.#classType !== undefined) pools.want(this.#classType.id);
  }

  /** The row of the method with `key` in this chunk. The cursor stays where it is. */
  row(key: Key): number {
    let row = this.#rows.get(key);
    if (row === undefined) {
      const { cursor } = this.#context;
      const pos = cursor.pos;
      row = this.#decode(key);
      cursor.pos = pos;
      this.#rows.set(key, row);
    }
    return row;
  }

  #decode(key: Key): number {
    const { cursor, pools } = this.#context;
    const offset = pools.offset(this.#type.id, key);
    if (offset < 0 || this.#layout === null) return this.#table.method('', NO_METHOD, null, 0);
    try {
      const slots = this.#slots;
      cursor.pos = offset;
      walk(cursor, this.#layout, slots);
      const name = this.#texts[NAME]?.read(slots[NAME]!) ?? UNKNOWN;
      const descriptor = this.#texts[DESCRIPTOR]?.read(slots[DESCRIPTOR]!) ?? null;
      const classRow = this.#classRow(slots[TYPE]!);
      const flags = this.#flags(slots);
      const descriptorRow = descriptor === null ? -1 : this.#table.string(descriptor);
      return this.#table.methodOfRows(classRow, this.#table.string(name), descriptorRow, flags);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      return this.#table.method('', NO_METHOD, null, 0);
    }
  }

  #classRow(pos: number): number {
    const { cursor, pools } = this.#context;
    if (this.#classType === undefined || this.#classLayout === null) return this.#table.string(UNKNOWN);
    cursor.pos = pos;
    const key = cursor.key();
    let row = this.#classRows.get(key);
    if (row !== undefined) return row;
    const offset = pools.offset(this.#classType.id, key);
    let name: string | null | undefined = null;
    if (offset >= 0) {
      const slot = new Int32Array(1);
      cursor.pos = offset;
      walk(cursor, this.#classLayout, slot);
      name = this.#classNameText?.read(slot[0]!);
    }
    row = this.#table.string(name ? this.#className(name.replaceAll('/', '.')) : UNKNOWN);
    this.#classRows.set(key, row);
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
