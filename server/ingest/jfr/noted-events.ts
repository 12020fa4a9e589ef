// Rare events that tell about the recording itself: their places are noted during the scan and read when pools are there.
import type { Key } from './cursor.ts';
import { FormatError } from './format-error.ts';
import { type Layout, untilLastMark, walk } from './layout.ts';
import { fieldOf, type JfrType } from './metadata.ts';
import { ENCODING } from './strings.ts';
import { type ChunkContext, type TextReader, textReader } from './texts.ts';

/** How the events of one type are laid out. */
type NotedLayouts = {
  /** As far as the last of the fields. */
  readonly whole: Layout;
  /** As far as the first of them. */
  readonly first: Layout;
  /** How many integers stand before the first, when nothing else does and they are few; else −1. */
  readonly integersBefore: number;
};

/** More integers than these could lead out of the padding behind a chunk. */
const FEW = 4;

function notedLayouts({ layouts }: ChunkContext, type: JfrType | undefined, fields: readonly string[]) {
  if (type === undefined || fields.some(name => fieldOf(type, name) === undefined)) return null;
  const [whole, first] = [layouts.wanted(type, fields), layouts.wanted(type, fields.slice(0, 1))];
  if (whole === null || first === null) return null;
  const before = untilLastMark(first);
  const { integers } = before;
  return {
    whole: untilLastMark(whole),
    first: before,
    integersBefore: integers > 0 && integers <= FEW ? integers : -1,
  };
}

/** The position behind some integers; where they run past the end of the chunk, zeros stand there. */
function afterIntegers(bytes: Uint8Array, start: number, count: number): number {
  let pos = start;
  for (let left = count; left > 0; left--) {
    const last = pos + 8;
    while (pos < last && bytes[pos]! >= 0x80) pos++;
    pos++;
  }
  return pos;
}

/** The events of one type in one chunk, with a few of their fields. */
export class NotedEvents {
  readonly #context: ChunkContext;
  readonly #layouts: NotedLayouts | null;
  readonly #texts: readonly (TextReader | undefined)[];
  /** Shared by all readers of the same events. */
  readonly #offsets: number[];
  readonly #slots: Int32Array;

  /** Asks the scan for the places, through `noted`, when the chunk has the event with all of `fields`. */
  constructor(context: ChunkContext, noted: Map<Key, number[]>, event: string, fields: readonly string[]) {
    this.#context = context;
    this.#slots = new Int32Array(fields.length);
    const type = context.types.event(event);
    this.#layouts = context.layouts.derived(`${event} ${fields}`, () => notedLayouts(context, type, fields));
    this.#texts = fields.map(name => textReader(context, fieldOf(type, name)));
    const known = type === undefined ? undefined : noted.get(type.id);
    this.#offsets = known ?? [];
    if (type !== undefined && this.#layouts !== null) noted.set(type.id, this.#offsets);
  }

  /**
   * Calls `take` for each event. Nothing depends on these events: what cannot be read is left out.
   * @param isWanted tells by the first field alone which events are of interest: of the others nothing more is looked at
   */
  each(take: (event: NotedEvents) => void, isWanted?: (event: NotedEvents) => boolean): void {
    const { cursor } = this.#context;
    if (this.#layouts === null) return;
    const { whole, first, integersBefore } = this.#layouts;
    const { bytes } = cursor;
    for (const offset of this.#offsets) {
      try {
        cursor.pos = offset;
        if (isWanted !== undefined) {
          if (integersBefore < 0) walk(cursor, first, this.#slots);
          else this.#slots[0] = afterIntegers(bytes, offset, integersBefore);
          if (!isWanted(this)) continue;
          cursor.pos = offset;
        }
        walk(cursor, whole, this.#slots);
        take(this);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
      }
    }
  }

  /** Leaves out the events that stand before a place. */
  leaveOut(before: number): void {
    const first = this.#offsets.findIndex(offset => offset >= before);
    this.#offsets.splice(0, first < 0 ? this.#offsets.length : first);
  }

  /** The text of a field of the event at hand; empty where it has none. */
  text(field: number): string {
    return this.#texts[field]?.read(this.#slots[field]!) ?? '';
  }

  /** Whether a text field of the event at hand holds `ascii`, of less than 128 characters; texts in place are not decoded. */
  is(field: number, ascii: string): boolean {
    const { bytes, compressed, end } = this.#context.cursor;
    const at = this.#slots[field]!;
    const inPlace = bytes[at] === ENCODING.utf8 || bytes[at] === ENCODING.latin1 || bytes[at] === ENCODING.utf16;
    if (!compressed || !inPlace || bytes[at + 1]! >= 0x80) return this.text(field) === ascii;
    // In each of these encodings a character has one byte.
    const { length } = ascii;
    if (bytes[at + 1] !== length || at + 2 + length > end) return false;
    for (let i = 0; i < length; i++) if (bytes[at + 2 + i] !== ascii.charCodeAt(i)) return false;
    return true;
  }

  /** Whether a boolean field of the event at hand is set. */
  flag(field: number): boolean {
    return this.#context.cursor.bytes[this.#slots[field]!] !== 0;
  }

  /** An integer field of the event at hand. */
  number(field: number): number {
    this.#context.cursor.pos = this.#slots[field]!;
    return this.#context.cursor.long();
  }

  /** A field of the event at hand that is a float. */
  float(field: number): number {
    return this.#context.cursor.view.getFloat32(this.#slots[field]!);
  }

  /** A field of the event at hand that refers to an entry of a pool. */
  key(field: number): Key {
    this.#context.cursor.pos = this.#slots[field]!;
    return this.#context.cursor.key();
  }
}
