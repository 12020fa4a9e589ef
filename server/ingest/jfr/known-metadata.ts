// Reads metadata events and keeps what the latest of them came to: chunks and files of one JVM carry the same one again and again.
import { Buffer } from 'node:buffer';
import type { Cursor } from './cursor.ts';
import { Layouts } from './layout.ts';
import { enterMetadata, readTypes } from './metadata.ts';

/** Kinds of recorders whose metadata is kept in memory. */
const MAX_KEPT = 4;
/** Real metadata has a hundred kilobytes; of much more none is kept. */
const MAX_KEPT_BYTES = 1 << 20;

export class KnownMetadata {
  /** Metadata events without their times, and the layouts of the types in them, the latest first. */
  readonly #kept: { readonly content: Uint8Array; readonly layouts: Layouts }[] = [];

  /**
   * The types in the metadata event that starts at `offset`, and their layouts; raises a FormatError when it is broken. Only equal
   * bytes count as the same.
   */
  read(cursor: Cursor, offset: number): Layouts {
    const end = enterMetadata(cursor, offset);
    const content = cursor.bytes.subarray(cursor.pos, end);
    const { compressed } = cursor;
    const at = this.#kept.findIndex(
      each => each.layouts.compressed === compressed && Buffer.compare(content, each.content) === 0,
    );
    const found = at < 0 ? null : this.#kept.splice(at, 1)[0]!;
    const layouts = found?.layouts ?? new Layouts(readTypes(cursor, end), compressed);
    // Copied in a way that copies Buffers too, whose `slice` is the same memory: the next content is written over it.
    if (content.length <= MAX_KEPT_BYTES) this.#kept.unshift(found ?? { content: new Uint8Array(content), layouts });
    this.#kept.length = Math.min(this.#kept.length, MAX_KEPT);
    return layouts;
  }
}
