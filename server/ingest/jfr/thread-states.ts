// Knows which keys a chunk gives to the states of threads.
import { FormatError } from './format-error.ts';
import { type Layout, walk } from './layout.ts';
import { fieldOf, type JfrType } from './metadata.ts';
import { type ChunkContext, type TextReader, textReader } from './texts.ts';

/** The states that decide about a sample's metric. `default` is that of samples that only a running thread gives. */
const STATES = { asleep: 'STATE_SLEEPING', default: 'STATE_DEFAULT' } as const;

/** Keys of states; −1 for none. async-profiler's default has the key 0, which no pool holds. */
export type StateKeys = { asleep: number; default: number };

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

  /** The keys of the states. */
  keys(): StateKeys {
    const keys: StateKeys = { asleep: -1, default: 0 };
    const { cursor, pools } = this.#context;
    if (this.#type === undefined || this.#layout === null || this.#name === undefined) return keys;
    const slot = new Int32Array(1);
    for (const key of pools.entries(this.#type.id)?.keys() ?? []) {
      const offset = pools.offset(this.#type.id, key);
      if (offset < 0) continue;
      try {
        cursor.pos = offset;
        walk(cursor, this.#layout, slot);
        const name = this.#name.read(slot[0]!);
        if (name === STATES.asleep) keys.asleep = Number(key);
        else if (name === STATES.default) keys.default = Number(key);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
      }
    }
    return keys;
  }
}
