// Knows which of a chunk's thread states means asleep.
import type { Key } from './cursor.ts';
import { FormatError } from './format-error.ts';
import { type Layout, walk } from './layout.ts';
import { fieldOf, type JfrType } from './metadata.ts';
import { type ChunkContext, type TextReader, textReader } from './texts.ts';

const ASLEEP = 'STATE_SLEEPING';

/** The states of one chunk. */
export class ThreadStates {
  readonly #context: ChunkContext;
  readonly #type: JfrType | undefined;
  readonly #layout: Layout | null;
  readonly #name: TextReader | undefined;

  /** Registers the pools it needs. */
  constructor(context: ChunkContext, type: JfrType | undefined) {
    this.#context = context;
    this.#type = type;
    this.#layout = type === undefined ? null : context.layouts.wanted(type, ['name']);
    this.#name = textReader(context, fieldOf(type, 'name'));
    if (type !== undefined) context.pools.want(type.id);
  }

  /** The key of the state; 0 when the chunk has none. */
  asleep(): Key {
    const { cursor, pools } = this.#context;
    if (this.#type === undefined || this.#layout === null || this.#name === undefined) return 0;
    const slot = new Int32Array(1);
    for (const key of pools.entries(this.#type.id)?.keys() ?? []) {
      const offset = pools.offset(this.#type.id, key);
      if (offset < 0) continue;
      try {
        cursor.pos = offset;
        walk(cursor, this.#layout, slot);
        if (this.#name.read(slot[0]!) === ASLEEP) return key;
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
      }
    }
    return 0;
  }
}
