// Rare events that tell about the recording itself: their places are noted during the scan and read when pools are there.
import type { Key } from './cursor.ts';
import { FormatError } from './format-error.ts';
import { type Layout, untilLastMark, walk } from './layout.ts';
import { fieldOf } from './metadata.ts';
import { ENCODING } from './strings.ts';
import { type ChunkContext, type TextReader, textReader } from './texts.ts';

/** The events of one type in one chunk, with a few of their fields. */
export class NotedEvents {
  readonly #context: ChunkContext;
  readonly #layout: Layout | null;
  /** As far as the first of the fields. */
  readonly #firstLayout: Layout | null;
  readonly #texts: readonly (TextReader | undefined)[];
  readonly #offsets: number[] = [];
  readonly #slots: Int32Array;

  /** Asks the scan for the places, through `noted`, when the chunk has the event with all of `fields`. */
  constructor(context: ChunkContext, noted: Map<Key, number[]>, event: string, fields: readonly string[]) {
    this.#context = context;
    this.#slots = new Int32Array(fields.length);
    const type = context.types.byName.get(event);
    const complete = type !== undefined && fields.every(name => fieldOf(type, name) !== undefined);
    const layout = complete ? context.layouts.wanted(type, fields) : null;
    this.#layout = layout === null ? null : untilLastMark(layout);
    const first = complete ? context.layouts.wanted(type, fields.slice(0, 1)) : null;
    this.#firstLayout = first === null ? null : untilLastMark(first);
    this.#texts = fields.map(name => textReader(context, fieldOf(type, name)));
    if (complete && this.#layout !== null) noted.set(type.id, this.#offsets);
  }

  /**
   * Calls `take` for each event. Nothing depends on these events: what cannot be read is left out.
   * @param isWanted tells by the first field alone which events are of interest: of the others nothing more is looked at
   */
  each(take: (event: NotedEvents) => void, isWanted?: (event: NotedEvents) => boolean): void {
    const { cursor } = this.#context;
    const [first, layout] = [this.#firstLayout, this.#layout];
    if (first === null || layout === null) return;
    for (const offset of this.#offsets) {
      try {
        cursor.pos = offset;
        if (isWanted !== undefined) {
          walk(cursor, first, this.#slots);
          if (!isWanted(this)) continue;
          cursor.pos = offset;
        }
        walk(cursor, layout, this.#slots);
        take(this);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
      }
    }
  }

  /** The text of a field of the event at hand; empty where it has none. */
  text(field: number): string {
    return this.#texts[field]?.read(this.#slots[field]!) ?? '';
  }

  /** Whether a text field of the event at hand holds `ascii`; most can be told apart without decoding them. */
  is(field: number, ascii: string): boolean {
    const { bytes, compressed } = this.#context.cursor;
    const at = this.#slots[field]!;
    const inPlace = bytes[at] === ENCODING.utf8 || bytes[at] === ENCODING.latin1 || bytes[at] === ENCODING.utf16;
    if (compressed && inPlace && bytes[at + 1]! < 0x80 && bytes[at + 1] !== ascii.length) return false;
    return this.text(field) === ascii;
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

  /** A field of the event at hand that refers to an entry of a pool. */
  key(field: number): Key {
    this.#context.cursor.pos = this.#slots[field]!;
    return this.#context.cursor.key();
  }
}
