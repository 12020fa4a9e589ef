// Reads a chunk's metadata event: the types with their fields, from which every layout is derived.
import type { Cursor, Key } from './cursor.ts';
import { FormatError } from './format-error.ts';
import { readString, skipString } from './strings.ts';

/** One field of a type, as the metadata declares it. */
export type Field = {
  readonly name: string;
  /** Id of its type. */
  readonly type: Key;
  readonly array: boolean;
  /** Stored as a key into its type's pool, 0 for none. */
  readonly pooled: boolean;
  /** Value of a Timespan or Timestamp annotation: `TICKS`, `NANOSECONDS`, `MILLISECONDS`, …; empty without one. */
  unit: string;
};

/** A type: a primitive (no fields), a structure, or an event. */
export type JfrType = { readonly id: Key; readonly name: string; readonly fields: Field[] };

/** The name that Oracle's JDK 9 and 10 give an event of the JDK; null for events of other writers. */
export function earlierName(event: string): string | null {
  return event.startsWith('jdk.') ? `com.oracle.${event}` : null;
}

/** The types of one chunk. Ids mean nothing outside of it. */
export class Types {
  readonly byId = new Map<Key, JfrType>();
  readonly byName = new Map<string, JfrType>();
  /** Whether the types fill the metadata event; types may be lost where it goes on behind them. */
  isWhole = true;

  add(type: JfrType): void {
    this.byId.set(type.id, type);
    if (!this.byName.has(type.name)) this.byName.set(type.name, type);
  }

  /** The type of an event by its name since JDK 11. */
  event(name: string): JfrType | undefined {
    return this.byName.get(name) ?? this.byName.get(earlierName(name) ?? '');
  }

  /** The type of a field, when the metadata has it. */
  of(field: Field | undefined): JfrType | undefined {
    return field === undefined ? undefined : this.byId.get(field.type);
  }
}

/** A field of a type by name. */
export function fieldOf(type: JfrType | undefined, name: string): Field | undefined {
  return type?.fields.find(field => field.name === name);
}

/** The string table of a metadata event. Most strings are labels and settings that are not used: they are decoded on demand. */
class StringTable {
  readonly #cursor: Cursor;
  readonly #offsets: Int32Array;
  readonly #texts: (string | undefined)[];

  /** Reads the table at the cursor and leaves the cursor behind it. */
  constructor(cursor: Cursor) {
    const count = cursor.count('metadata string');
    this.#cursor = cursor;
    this.#offsets = new Int32Array(count);
    this.#texts = new Array<string | undefined>(count);
    for (let i = 0; i < count; i++) {
      this.#offsets[i] = cursor.pos;
      skipString(cursor);
      cursor.check('metadata');
    }
  }

  get length(): number {
    return this.#offsets.length;
  }

  /** The text at an index; the cursor stays where it is. */
  at(index: number): string {
    let text = this.#texts[index];
    if (text === undefined) {
      const offset = this.#offsets[index];
      if (offset === undefined) throw new FormatError(`metadata string ${index} does not exist`, this.#cursor.pos);
      const pos = this.#cursor.pos;
      this.#cursor.pos = offset;
      text = readString(this.#cursor);
      this.#cursor.pos = pos;
      this.#texts[index] = text;
    }
    return text;
  }
}

/** Attribute keys that matter; an attribute's slot is its place here. Value annotations come under either of the last two. */
const KEYS: readonly string[] = ['id', 'name', 'class', 'dimension', 'constantPool', 'value', 'value-0'];
const ID = 0;
const NAME = 1;
const CLASS = 2;
const DIMENSION = 3;
const POOL = 4;
const VALUE = 5;
const VALUE_0 = 6;
const OTHER = 7;

/** The attributes of the element at hand. */
class Attributes {
  readonly #strings: StringTable;
  /** Slot + 1 of each string of the table as a key; 0 where it has not been asked for. */
  readonly #slotOfString: Uint8Array;
  /** String index of the value in each slot, −1 for none; the last slot takes all other attributes. */
  readonly #values = new Int32Array(OTHER + 1);

  constructor(strings: StringTable) {
    this.#strings = strings;
    this.#slotOfString = new Uint8Array(strings.length);
  }

  /** Reads an element's attributes; of several with one key the last counts. */
  read(cursor: Cursor): void {
    const count = cursor.count('metadata attribute', 2);
    this.#values.fill(-1);
    for (let i = 0; i < count; i++) {
      const key = cursor.int();
      const slot = this.#slotOfString[key] || this.#classify(key);
      this.#values[slot - 1] = cursor.int();
    }
  }

  #classify(key: number): number {
    const place = KEYS.indexOf(this.#strings.at(key));
    const slot = (place < 0 ? OTHER : place) + 1;
    this.#slotOfString[key] = slot;
    return slot;
  }

  /** The value of an attribute; undefined without it. */
  get(slot: number): string | undefined {
    const index = this.#values[slot]!;
    return index < 0 ? undefined : this.#strings.at(index);
  }

  /** String index of the value of an attribute; −1 without it. */
  index(slot: number): number {
    return this.#values[slot]!;
  }
}

/**
 * Moves the cursor behind the times of the metadata event that starts at `offset`, which change from chunk to chunk; raises a
 * FormatError where none stands there. Returns where the event ends.
 */
export function enterMetadata(cursor: Cursor, offset: number): number {
  cursor.pos = offset;
  const size = cursor.int();
  if (size <= 0 || size > cursor.end - offset) throw new FormatError(`metadata of ${size} bytes is impossible`, offset);
  if (cursor.key() !== 0) throw new FormatError('no metadata event stands here', offset);
  // Its time and its number.
  for (let i = 0; i < 3; i++) cursor.key();
  return offset + size;
}

/** The types in the rest of a metadata event; raises a FormatError when it is broken. */
export function readTypes(cursor: Cursor, end: number): Types {
  return readElements(cursor, end, new StringTable(cursor));
}

/** Walks the element tree with a stack of open elements, keeping classes, fields and the units of fields. */
function readElements(cursor: Cursor, end: number, strings: StringTable): Types {
  const collector = new Collector(strings);
  const attributes = new Attributes(strings);
  const open: number[] = [1];
  while (open.length > 0) {
    if (open[open.length - 1]!-- === 0) {
      open.pop();
      continue;
    }
    const name = strings.at(cursor.int());
    attributes.read(cursor);
    const children = cursor.count('metadata element', 3);
    cursor.check('metadata', end);
    collector.element(open.length, name, attributes);
    open.push(children);
  }
  return collector.finish(cursor.pos === end);
}

/** Types of annotations whose value is a unit. */
const UNITS: ReadonlySet<string> = new Set(['jdk.jfr.Timespan', 'jdk.jfr.Timestamp']);

/** Gathers types while elements are met in document order. */
class Collector {
  readonly #strings: StringTable;
  readonly #types = new Types();
  /** Annotations of fields by string indices: most are labels, whose texts are not needed. */
  readonly #annotated: Field[] = [];
  readonly #annotations: number[] = [];
  readonly #values: number[] = [];
  #type: JfrType | null = null;
  #typeDepth = 0;
  #field: Field | null = null;
  #fieldDepth = 0;

  constructor(strings: StringTable) {
    this.#strings = strings;
  }

  element(depth: number, name: string, attributes: Attributes): void {
    if (name === 'class') {
      this.#type = { id: key(attributes.get(ID)), name: attributes.get(NAME) ?? '', fields: [] };
      this.#typeDepth = depth;
      this.#field = null;
      this.#types.add(this.#type);
    } else if (name === 'field' && this.#type !== null && depth === this.#typeDepth + 1) {
      this.#field = {
        name: attributes.get(NAME) ?? '',
        type: key(attributes.get(CLASS)),
        array: (attributes.get(DIMENSION) ?? '0') !== '0',
        pooled: attributes.get(POOL) === 'true',
        unit: '',
      };
      this.#fieldDepth = depth;
      this.#type.fields.push(this.#field);
    } else if (name === 'annotation' && this.#field !== null && depth === this.#fieldDepth + 1) {
      const value = attributes.index(VALUE) < 0 ? attributes.index(VALUE_0) : attributes.index(VALUE);
      const annotation = attributes.index(CLASS);
      if (value < 0 || annotation < 0) return;
      this.#annotated.push(this.#field);
      this.#annotations.push(annotation);
      this.#values.push(value);
    }
  }

  /**
   * Annotation types may be declared behind the fields that carry them, so units are settled last.
   * @param isWhole whether the elements fill the event
   */
  finish(isWhole: boolean): Types {
    this.#types.isWhole = isWhole;
    const areUnits = new Map<number, boolean>();
    // No iterator: it would make an array for each of thousands, in code that is not compiled yet.
    for (let i = 0; i < this.#annotations.length; i++) {
      const annotation = this.#annotations[i]!;
      let isUnit = areUnits.get(annotation);
      if (isUnit === undefined) {
        isUnit = UNITS.has(this.#types.byId.get(key(this.#strings.at(annotation)))?.name ?? '');
        areUnits.set(annotation, isUnit);
      }
      if (isUnit) this.#annotated[i]!.unit = this.#strings.at(this.#values[i]!);
    }
    return this.#types;
  }
}

/** A type id as an unsigned key; a text that is no number becomes −1, which no type has. */
function key(text: string | undefined): Key {
  const number = Number(text);
  // Nearly every id is a small number; the check in full is for the others.
  if (number < 2 ** 31 && number > 0 && Number.isInteger(number)) return number;
  if (text === undefined || !/^-?\d{1,19}$/.test(text)) return -1;
  return Number.isSafeInteger(number) && number >= 0 ? number : BigInt.asUintN(64, BigInt(text));
}
