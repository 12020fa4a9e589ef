// The open documents at one moment, in the order in which they were opened; a change makes others and costs little, however many there are.

/** Changes that are kept beside the others before all are put together. */
const MOST_RECENT = 64;

export class OpenDocumentsNow<T extends object> {
  readonly #base: ReadonlyMap<string, T>;
  /** The documents that have changed since; null for a closed one. */
  readonly #recent: ReadonlyMap<string, T | null>;

  constructor(base: ReadonlyMap<string, T> = new Map(), recent: ReadonlyMap<string, T | null> = new Map()) {
    this.#base = base;
    this.#recent = recent;
  }

  /** @param key see `documentKey`. */
  get(key: string): T | undefined {
    const recent = this.#recent.get(key);
    return recent === undefined ? this.#base.get(key) : (recent ?? undefined);
  }

  *values(): Generator<T, void, void> {
    for (const [key, document] of this.#base) {
      const now = this.#recent.get(key);
      if (now !== null) yield now ?? document;
    }
    for (const [key, document] of this.#recent) if (document !== null && !this.#base.has(key)) yield document;
  }

  with(key: string, document: T | null): OpenDocumentsNow<T> {
    const recent = new Map(this.#recent).set(key, document);
    if (recent.size <= MOST_RECENT) return new OpenDocumentsNow(this.#base, recent);
    const base = new Map(this.#base);
    for (const [each, now] of recent)
      if (now === null) base.delete(each);
      else base.set(each, now);
    return new OpenDocumentsNow(base);
  }
}
