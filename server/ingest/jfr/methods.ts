// Turns a chunk's method keys into rows of the profile's method table.
import type { MethodTableBuilder } from '../../cct/method-table.ts';
import { METHOD_FLAG } from '../../cct/profile.ts';
import { type Key, PADDING, sevenBits } from './cursor.ts';
import { FormatError } from './format-error.ts';
import { type MethodTexts, UNKNOWN } from './known-texts.ts';
import { INTEGERS, type Layout, untilLastMark, walk } from './layout.ts';
import { fieldOf, type JfrType } from './metadata.ts';
import type { PoolEntries } from './pools.ts';
import { type ChunkContext, type TextReader, textReader } from './texts.ts';

/** Name of frames whose method the recording does not hold; they have no class. */
const NO_METHOD = '[no method]';

const TYPE = 0;
const NAME = 1;
const DESCRIPTOR = 2;
const MODIFIERS = 3;
const HIDDEN = 4;
/** The access flags that a class file may have for a method. */
const ACCESS_FLAGS = 0xffff;
const FLAG_NAMES = ['type', 'name', 'descriptor', 'modifiers', 'hidden'];

/** A field that is a byte; less than this it is an integer. */
const A_BYTE = 8;
/** The high bit of each byte of a word: bytes without it end an integer. */
const HIGH_BITS = 0x80808080 | 0;

const classSlot = new Int32Array(1);

/** How methods and their classes are laid out. */
type MethodLayout = {
  readonly whole: Layout | null;
  readonly classType: JfrType | undefined;
  readonly ofClass: Layout | null;
  /** Where the entry is nothing but integers and single bytes: what each field of it is. Null where the general way must be taken. */
  readonly plain: Int8Array | null;
  readonly hasModifiers: boolean;
  readonly hasHidden: boolean;
};

function methodLayout(context: ChunkContext, type: JfrType): MethodLayout {
  const { types, layouts } = context;
  const classField = fieldOf(type, 'type');
  const classType = classField?.pooled ? types.of(classField) : undefined;
  const ofClass = classType === undefined ? null : layouts.wanted(classType, ['name']);
  return {
    whole: layouts.wanted(type, FLAG_NAMES),
    classType,
    ofClass: ofClass === null ? null : untilLastMark(ofClass),
    plain: plainFields(context, type),
    hasModifiers: types.of(fieldOf(type, 'modifiers'))?.name === 'int',
    hasHidden: types.of(fieldOf(type, 'hidden'))?.name === 'boolean',
  };
}

/** Rows of methods by their keys in one chunk; each is decoded when it is first asked for. */
export class Methods {
  readonly #context: ChunkContext;
  readonly #table: MethodTableBuilder;
  readonly #names: MethodTexts;
  readonly #layout: MethodLayout;
  readonly #name: TextReader | undefined;
  readonly #descriptor: TextReader | undefined;
  readonly #classNameText: TextReader | undefined;
  readonly #entries: PoolEntries;
  readonly #classEntries: PoolEntries | null;
  /** Row + 1 of each entry by its number, 0 where it has not been asked for. */
  #rows: Int32Array = new Int32Array(0);
  #classRows: Int32Array = new Int32Array(0);
  /** Where each field of an entry stands, or its value; the last one takes the fields that are not used. */
  readonly #slots = new Int32Array(FLAG_NAMES.length + 1);
  /** How often a method was asked for that no checkpoint so far holds. */
  missing = 0;
  /** Keys of methods of which the chunk does not hold the entry, the name or the class. */
  readonly #nameless = new Set<Key>();
  /** Whether the chunk lacks the entry, the name or the class of the method at hand. */
  #isNameless = false;

  /** Registers the pools it needs. */
  constructor(context: ChunkContext, type: JfrType, table: MethodTableBuilder, names: MethodTexts) {
    const { layouts, pools } = context;
    this.#context = context;
    this.#table = table;
    this.#names = names;
    this.#layout = layouts.derived(`methods ${type.id}`, () => methodLayout(context, type));
    const { classType } = this.#layout;
    this.#classNameText = textReader(context, fieldOf(classType, 'name'));
    this.#name = textReader(context, fieldOf(type, 'name'));
    this.#descriptor = textReader(context, fieldOf(type, 'descriptor'));
    this.#entries = pools.want(type.id);
    this.#classEntries = classType === undefined ? null : pools.want(classType.id);
  }

  /** The row of the method with `key` in this chunk, whose pools have been walked. The cursor stays where it is. */
  row(key: Key): number {
    const number = this.#entries.find(key);
    if (number < 0) {
      if (key !== 0) {
        this.missing++;
        this.#nameless.add(key);
      }
      return this.#noMethod();
    }
    if (number >= this.#rows.length) this.#rows = widened(this.#rows, this.#entries.length);
    const known = this.#rows[number]!;
    if (known > 0) return known - 1;
    const { cursor } = this.#context;
    const pos = cursor.pos;
    this.#isNameless = false;
    const row = this.#decode(this.#entries.offset(number));
    if (this.#isNameless) this.#nameless.add(key);
    cursor.pos = pos;
    this.#rows[number] = row + 1;
    return row;
  }

  /** How many methods were asked for of which the chunk does not hold all names. */
  get nameless(): number {
    return this.#nameless.size;
  }

  /** Whether a method is among the methods that have come, or none is meant. */
  has(key: Key): boolean {
    return key === 0 || this.#entries.find(key) >= 0;
  }

  #noMethod(): number {
    return this.#table.methodOfRows(this.#names.rowOf(''), this.#names.rowOf(NO_METHOD), -1, 0);
  }

  #decode(offset: number): number {
    const { cursor } = this.#context;
    const { whole, plain } = this.#layout;
    if (whole === null) return this.#noMethod();
    try {
      if (plain !== null && this.#readPlain(plain, offset)) return this.#rowOfPlain();
      const slots = this.#slots;
      cursor.pos = offset;
      walk(cursor, whole, slots);
      const name = this.#name?.row(slots[NAME]!, this.#names.plain) ?? -1;
      const descriptor = this.#descriptor?.row(slots[DESCRIPTOR]!, this.#names.plain) ?? -1;
      cursor.pos = slots[TYPE]!;
      const classRow = this.#classEntries === null ? this.#names.rowOf(UNKNOWN) : this.#classRow(cursor.key());
      return this.#methodOf(classRow, name, descriptor, this.#flags(slots));
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      this.#isNameless = true;
      return this.#noMethod();
    }
  }

  #methodOf(classRow: number, name: number, descriptor: number, flags: number): number {
    this.#isNameless ||= name < 0;
    const nameRow = name < 0 ? this.#names.rowOf(UNKNOWN) : this.#names.row(name);
    return this.#table.methodOfRows(classRow, nameRow, descriptor < 0 ? -1 : this.#names.row(descriptor), flags);
  }

  /** Reads an entry of integers and bytes into the slots; false when one of them is longer than usual. */
  #readPlain(plain: Int8Array, offset: number): boolean {
    const { bytes, view, end } = this.#context.cursor;
    const values = this.#slots;
    let pos = offset | 0;
    for (let i = 0; i < plain.length; i++) {
      const field = plain[i]!;
      if (field >= A_BYTE) {
        values[field - A_BYTE] = bytes[pos]!;
        pos = (pos + 1) | 0;
        continue;
      }
      const word = view.getInt32(pos, true);
      let ends = ~word & HIGH_BITS;
      if (ends === 0) return false;
      ends &= -ends;
      values[field] = sevenBits(word & (ends - 1));
      pos = (pos + ((32 - Math.clz32(ends)) >>> 3)) | 0;
    }
    if (pos > end) throw new FormatError('a method runs past its end', pos);
    return true;
  }

  /** The row of the entry whose fields stand in the slots. */
  #rowOfPlain(): number {
    const values = this.#slots;
    const { plain } = this.#names;
    const name = this.#name?.rowOfKey(values[NAME]!, plain) ?? -1;
    const descriptor = this.#descriptor?.rowOfKey(values[DESCRIPTOR]!, plain) ?? -1;
    const { hasModifiers, hasHidden } = this.#layout;
    let flags = hasModifiers ? (values[MODIFIERS]! & ACCESS_FLAGS) | METHOD_FLAG.known : 0;
    if (hasHidden && values[HIDDEN] !== 0) flags |= METHOD_FLAG.hidden;
    return this.#methodOf(this.#classRow(values[TYPE]!), name, descriptor, flags);
  }

  #classRow(key: Key): number {
    const { cursor } = this.#context;
    const entries = this.#classEntries;
    const { ofClass } = this.#layout;
    if (entries === null || ofClass === null) return this.#names.rowOf(UNKNOWN);
    const number = entries.find(key);
    if (number < 0) {
      // Functions of native code have no class.
      this.#isNameless ||= key !== 0;
      return this.#names.rowOf(UNKNOWN);
    }
    if (number >= this.#classRows.length) this.#classRows = widened(this.#classRows, entries.length);
    const known = this.#classRows[number]!;
    if (known > 0) return known - 1;
    cursor.pos = entries.offset(number);
    walk(cursor, ofClass, classSlot);
    const name = this.#classNameText?.row(classSlot[0]!, this.#names.classes) ?? -1;
    this.#isNameless ||= name < 0;
    const row = name < 0 ? this.#names.rowOf(UNKNOWN) : this.#names.row(name);
    // Each method of a class without a name is asked anew.
    if (name >= 0) this.#classRows[number] = row + 1;
    return row;
  }

  #flags(slots: Int32Array): number {
    const { cursor } = this.#context;
    const { hasModifiers, hasHidden } = this.#layout;
    let flags = 0;
    if (hasModifiers) {
      cursor.pos = slots[MODIFIERS]!;
      flags = (cursor.int() & ACCESS_FLAGS) | METHOD_FLAG.known;
    }
    if (hasHidden && cursor.bytes[slots[HIDDEN]!] !== 0) flags |= METHOD_FLAG.hidden;
    return flags;
  }
}

/** So many fields stay within the padding behind a chunk, wherever an entry begins: JVMs have five. */
const MOST_PLAIN = PADDING / 4;

/**
 * Of methods whose entries are nothing but integers and single bytes: the slot of each field, A_BYTE more for a byte. Null for
 * others, and where a field that is wanted is something else than usual.
 */
function plainFields({ types, cursor }: ChunkContext, type: JfrType): Int8Array | null {
  if (!cursor.compressed || type.fields.length > MOST_PLAIN) return null;
  const slots = new Int8Array(type.fields.length);
  for (const [i, field] of type.fields.entries()) {
    const named = FLAG_NAMES.indexOf(field.name);
    const slot = named < 0 ? FLAG_NAMES.length : named;
    const name = types.of(field)?.name ?? '';
    const isByte = !field.pooled && (name === 'boolean' || name === 'byte');
    const isInteger = field.pooled || INTEGERS.has(name);
    if (field.array || (slot === HIDDEN ? !isByte : !isInteger && !isByte)) return null;
    slots[i] = slot + (isByte ? A_BYTE : 0);
  }
  return slots;
}

/** The column with room for `length` entries: in a chunk that grows, more come later. */
function widened(column: Int32Array, length: number): Int32Array {
  const wider = new Int32Array(length);
  wider.set(column);
  return wider;
}
