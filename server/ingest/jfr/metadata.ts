// Reads a chunk's metadata event: the types with their fields, from which every layout is derived.
import type { Cursor, Key } from './cursor.ts';
import { FormatError } from './format-error.ts';
import { readString } from './strings.ts';

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

/** The types of one chunk. Ids mean nothing outside of it. */
export class Types {
  readonly byId = new Map<Key, JfrType>();
  readonly byName = new Map<string, JfrType>();

  add(type: JfrType): void {
    this.byId.set(type.id, type);
    if (!this.byName.has(type.name)) this.byName.set(type.name, type);
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

type Attributes = Map<string, string>;

/** Reads the metadata event that starts at `offset`; raises a FormatError when it is broken. */
export function readMetadata(cursor: Cursor, offset: number): Types {
  cursor.pos = offset;
  const size = cursor.int();
  if (size <= 0 || size > cursor.end - offset) throw new FormatError(`metadata of ${size} bytes is impossible`, offset);
  if (cursor.key() !== 0) throw new FormatError('no metadata event stands here', offset);
  for (let i = 0; i < 3; i++) cursor.key();
  const strings: string[] = [];
  const count = cursor.count('metadata string');
  for (let i = 0; i < count; i++) {
    strings.push(readString(cursor));
    cursor.check('metadata');
  }
  return readElements(cursor, offset + size, strings);
}

/** Walks the element tree with a stack of open elements, keeping classes, fields and the units of fields. */
function readElements(cursor: Cursor, end: number, strings: readonly string[]): Types {
  const collector = new Collector();
  const text = () => {
    const index = cursor.int();
    const found = strings[index];
    if (found === undefined) throw new FormatError(`metadata string ${index} does not exist`, cursor.pos);
    return found;
  };
  const open: number[] = [1];
  while (open.length > 0) {
    if (open[open.length - 1]!-- === 0) {
      open.pop();
      continue;
    }
    const name = text();
    const attributeCount = cursor.count('metadata attribute', 2);
    const attributes: Attributes = new Map();
    for (let i = 0; i < attributeCount; i++) attributes.set(text(), text());
    const children = cursor.count('metadata element', 3);
    cursor.check('metadata', end);
    collector.element(open.length, name, attributes);
    open.push(children);
  }
  return collector.finish();
}

/** Gathers types while elements are met in document order. */
class Collector {
  readonly #types = new Types();
  readonly #pendingUnits: { field: Field; annotation: Key; value: string }[] = [];
  #type: JfrType | null = null;
  #typeDepth = 0;
  #field: Field | null = null;
  #fieldDepth = 0;

  element(depth: number, name: string, attributes: Attributes): void {
    if (name === 'class') {
      this.#type = { id: key(attributes.get('id')), name: attributes.get('name') ?? '', fields: [] };
      this.#typeDepth = depth;
      this.#field = null;
      this.#types.add(this.#type);
    } else if (name === 'field' && this.#type !== null && depth === this.#typeDepth + 1) {
      this.#field = {
        name: attributes.get('name') ?? '',
        type: key(attributes.get('class')),
        array: (attributes.get('dimension') ?? '0') !== '0',
        pooled: attributes.get('constantPool') === 'true',
        unit: '',
      };
      this.#fieldDepth = depth;
      this.#type.fields.push(this.#field);
    } else if (name === 'annotation' && this.#field !== null && depth === this.#fieldDepth + 1) {
      const value = attributes.get('value') ?? attributes.get('value-0');
      if (value !== undefined) {
        this.#pendingUnits.push({ field: this.#field, annotation: key(attributes.get('class')), value });
      }
    }
  }

  /** Annotation types may be declared behind the fields that carry them, so units are settled last. */
  finish(): Types {
    for (const { field, annotation, value } of this.#pendingUnits) {
      const type = this.#types.byId.get(annotation)?.name;
      if (type === 'jdk.jfr.Timespan' || type === 'jdk.jfr.Timestamp') field.unit = value;
    }
    return this.#types;
  }
}

/** A type id as an unsigned key; what is no number becomes −1, which no type has. */
function key(text: string | undefined): Key {
  if (text === undefined || !/^-?\d{1,19}$/.test(text)) return -1;
  const number = Number(text);
  return Number.isSafeInteger(number) && number >= 0 ? number : BigInt.asUintN(64, BigInt(text));
}
