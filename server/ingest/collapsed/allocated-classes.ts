// Tells whether the last frames of a file are allocated classes, as async-profiler writes them for its event `alloc`.
import { MARK } from '../frame-grammar.ts';

/** `java.lang.String`, `byte[]`, `com.acme.Shop$1[][]`. */
const CLASS = /^(?:[^\s./;()[\]:]+\.)*[\p{Lu}_$][^\s./;()[\]:]*(?:\[\])*$|^[^\s/;():]+\[\]$/u;
/** Names that memory is planned for. */
const MAX_NAMES = 100_000;

/**
 * `_[i]` is an object in a new buffer or an inlined method, `_[k]` an object outside of buffers or a function of the kernel.
 * Such names are classes where every stack ends in one of them and none of these names is a method elsewhere in the file.
 */
export class AllocatedClasses {
  readonly #last = new Set<string>();
  readonly #above = new Set<string>();
  #possible = true;

  /** Notes a stack; false as soon as the last frames cannot be classes. */
  note(frames: readonly string[]): boolean {
    const last = frames.at(-1) ?? '';
    const mark = MARK.exec(last)?.[1];
    const name = last.slice(0, -4);
    this.#possible &&= (mark === 'i' || mark === 'k') && CLASS.test(name) && this.#last.size < MAX_NAMES;
    if (!this.#possible) return false;
    this.#last.add(name);
    for (let i = 0; i < frames.length - 1 && this.#above.size < MAX_NAMES; i++)
      this.#above.add(frames[i]!.replace(MARK, ''));
    return true;
  }

  get found(): boolean {
    if (!this.#possible || this.#last.size === 0) return false;
    for (const name of this.#last) if (this.#above.has(name)) return false;
    // Functions of the kernel and of C have neither packages nor arrays.
    return [...this.#last].some(name => name.includes('.') || name.endsWith('[]'));
  }
}
