// Turns declared types into short lists of operations that step over their values and note where wanted fields stand.
import type { Cursor, Key } from './cursor.ts';
import { FormatError } from './format-error.ts';
import type { Field, JfrType, Types } from './metadata.ts';
import { skipVarints } from './skip-varints.ts';
import { afterString } from './strings.ts';

/** Operations, in pairs (operation, argument). */
const BYTES = 0; // argument: how many raw bytes
const VARINTS = 1; // argument: how many integers
const STRING = 2;
const ARRAY = 3; // argument: number of the element layout
const MARK = 4; // argument: slot that takes the position

/** A list of operations; `elements` are the layouts of arrays in it. */
export type Layout = {
  readonly operations: Int32Array;
  readonly elements: readonly Layout[];
  /** Every value has at least so many bytes. */
  readonly minimum: number;
  /** How many LEB128 integers a value is, when it is nothing else; 0 when it is something else. */
  readonly integers: number;
  /** Of a value that is LEB128 integers and raw bytes behind them: how many of each; else 0 of either. Methods and classes are such values. */
  readonly leadingIntegers: number;
  readonly trailingBytes: number;
  /** Of a value that is one byte and an array of structures of LEB128 integers: how many of them each is; else 0. Stacks are such values. */
  readonly integersBehindFlag: number;
  /** Whether a value is one string and nothing else, as symbols are. */
  readonly isString: boolean;
};

// Real types come to a few dozen operations; hostile nested structures could multiply without bound.
const MAX_STEPS = 4000;
const MAX_NESTING = 32;

const FIXED: ReadonlyMap<string, number> = new Map(Object.entries({ boolean: 1, byte: 1, float: 4, double: 8 }));
/** Bytes of the types that are LEB128 in a compressed chunk. */
export const INTEGERS: ReadonlyMap<string, number> = new Map(Object.entries({ char: 2, short: 2, int: 4, long: 8 }));

/** The types of a metadata event, and their layouts, each made once. */
export class Layouts {
  readonly types: Types;
  readonly compressed: boolean;
  readonly #whole = new Map<JfrType, Layout | null>();
  readonly #wanted = new Map<JfrType, Map<string, Layout | null>>();
  readonly #pooled = new Map<Key, Layout | null>();
  readonly #derived = new Map<string, unknown>();

  constructor(types: Types, compressed: boolean) {
    this.types = types;
    this.compressed = compressed;
  }

  /** The layout of a whole value; null when its type cannot be laid out (endless nesting, an unknown type). */
  whole(type: JfrType): Layout | null {
    let layout = this.#whole.get(type);
    if (layout === undefined) {
      layout = this.#write(type, []);
      this.#whole.set(type, layout);
    }
    return layout;
  }

  /** The layout of the entries of a pool, by the id of their type. */
  pooled(typeId: Key): Layout | null {
    let layout = this.#pooled.get(typeId);
    if (layout === undefined) {
      const type = this.types.byId.get(typeId);
      layout = type === undefined ? null : this.whole(type);
      this.#pooled.set(typeId, layout);
    }
    return layout;
  }

  /** As `whole`, noting where the fields named in `wanted` start: slot i takes the position of the i-th, if there is such a field. */
  wanted(type: JfrType, wanted: readonly string[]): Layout | null {
    let layouts = this.#wanted.get(type);
    if (layouts === undefined) {
      layouts = new Map();
      this.#wanted.set(type, layouts);
    }
    const names = wanted.join('\n');
    let layout = layouts.get(names);
    if (layout === undefined) {
      layout = this.#write(type, wanted);
      layouts.set(names, layout);
    }
    return layout;
  }

  /**
   * A value worked out from these types and layouts alone, made once and found again for the next chunk that has them.
   * @param name tells it from other values that are worked out from them
   */
  derived<T>(name: string, make: () => T): T {
    let made = this.#derived.get(name) as T | undefined;
    if (made === undefined) {
      made = make();
      this.#derived.set(name, made);
    }
    return made;
  }

  #write(type: JfrType, wanted: readonly string[]): Layout | null {
    const writer = new LayoutWriter(this.types, this.compressed, { steps: MAX_STEPS });
    return writer.type(type, 0, wanted) ? writer.finish() : null;
  }
}

class LayoutWriter {
  readonly #types: Types;
  readonly #compressed: boolean;
  /** Shared by a layout and those of its arrays. */
  readonly #budget: { steps: number };
  readonly #operations: number[] = [];
  readonly #elements: Layout[] = [];
  #minimum = 0;

  constructor(types: Types, compressed: boolean, budget: { steps: number }) {
    this.#types = types;
    this.#compressed = compressed;
    this.#budget = budget;
  }

  /** Adds a value of `type`; false when it cannot be laid out. Depth is bounded, so this may call itself. */
  type(type: JfrType, depth: number, wanted: readonly string[]): boolean {
    if (depth > MAX_NESTING || this.#budget.steps-- <= 0) return false;
    const fixed = FIXED.get(type.name);
    const integer = INTEGERS.get(type.name);
    if (fixed !== undefined) this.#add(BYTES, fixed, fixed);
    else if (integer !== undefined) this.#integers(integer);
    else if (type.name === 'java.lang.String') this.#add(STRING, 0, 1);
    else {
      for (const field of type.fields) {
        const slot = wanted.indexOf(field.name);
        if (slot >= 0) this.#add(MARK, slot, 0);
        if (!this.#field(field, depth)) return false;
      }
    }
    return true;
  }

  #field(field: Field, depth: number): boolean {
    const type = this.#types.byId.get(field.type);
    if (!field.array) {
      if (field.pooled) this.#integers(8);
      else return type !== undefined && this.type(type, depth + 1, []);
      return true;
    }
    const element = new LayoutWriter(this.#types, this.#compressed, this.#budget);
    if (field.pooled) element.#integers(8);
    else if (type === undefined || !element.type(type, depth + 1, [])) return false;
    this.#elements.push(element.finish());
    this.#add(ARRAY, this.#elements.length - 1, this.#compressed ? 1 : 4);
    return true;
  }

  #integers(width: number): void {
    if (this.#compressed) this.#add(VARINTS, 1, 1);
    else this.#add(BYTES, width, width);
  }

  #add(operation: number, argument: number, minimum: number): void {
    this.#minimum += minimum;
    const last = this.#operations.length - 2;
    if ((operation === BYTES || operation === VARINTS) && last >= 0 && this.#operations[last] === operation) {
      this.#operations[last + 1]! += argument;
    } else {
      this.#operations.push(operation, argument);
    }
  }

  finish(): Layout {
    const operations = Int32Array.from(this.#operations);
    const elements = this.#elements;
    const [first = BYTES, one = 0, second = BYTES, two = 0] = operations;
    const arePlain = first === VARINTS && second === BYTES && operations.length <= 4;
    const isFlagged = first === BYTES && one === 1 && second === ARRAY && operations.length === 4;
    return {
      operations,
      elements,
      minimum: this.#minimum,
      integers: onlyVarints(operations),
      leadingIntegers: arePlain ? one : 0,
      trailingBytes: arePlain ? two : 0,
      integersBehindFlag: isFlagged ? elements[0]!.integers : 0,
      isString: first === STRING && operations.length === 2,
    };
  }
}

/**
 * Moves the cursor over one value and notes wanted positions in `slots`. Ends at or before `cursor.end`, else a FormatError.
 * Layouts nest at most MAX_NESTING deep, so this may call itself.
 */
export function walk(cursor: Cursor, layout: Layout, slots: Int32Array): void {
  const operations = layout.operations;
  const { bytes, end } = cursor;
  let pos = cursor.pos | 0;
  let last = 0;
  for (let i = 0; i < operations.length; i += 2) {
    const argument = operations[i + 1]!;
    switch (operations[i]) {
      case BYTES:
        pos = (pos + argument) | 0;
        break;
      case VARINTS:
        if (argument > 1) {
          pos = skipVarints(cursor.view, pos, end, argument) | 0;
          if (pos < 0) throw new FormatError('integers run past their end', cursor.pos);
          break;
        }
        last = (pos + 8) | 0;
        while (pos < last && bytes[pos]! >= 0x80) pos = (pos + 1) | 0;
        pos = (pos + 1) | 0;
        break;
      case STRING:
        pos = afterString(cursor, pos) | 0;
        break;
      case ARRAY:
        cursor.pos = pos;
        skipArray(cursor, layout.elements[argument]!, slots);
        pos = cursor.pos | 0;
        break;
      default:
        slots[argument] = pos;
    }
    if (pos > end) throw new FormatError('a value runs past its end', pos);
  }
  cursor.pos = pos;
}

/** The layout up to the last field that is noted: for readers that do not go on to the next value. */
export function untilLastMark(layout: Layout): Layout {
  let end = layout.operations.length;
  while (end > 0 && layout.operations[end - 2] !== MARK) end -= 2;
  const operations = layout.operations.subarray(0, end);
  return { ...layout, operations, integers: onlyVarints(operations) };
}

function onlyVarints(operations: Int32Array): number {
  let count = 0;
  for (let i = 0; i < operations.length; i += 2) {
    if (operations[i] === VARINTS) count += operations[i + 1]!;
    else if (operations[i] !== MARK) return 0;
  }
  return count;
}

function skipArray(cursor: Cursor, element: Layout, slots: Int32Array): void {
  const count = cursor.count('array', element.minimum);
  if (element.integers > 0) {
    varints(cursor, count * element.integers);
    return;
  }
  if (element.operations.length === 0) return;
  for (let i = 0; i < count; i++) walk(cursor, element, slots);
}

function varints(cursor: Cursor, count: number): void {
  const end = skipVarints(cursor.view, cursor.pos, cursor.end, count);
  if (end < 0) throw new FormatError('integers run past their end', cursor.pos);
  cursor.pos = end;
}
