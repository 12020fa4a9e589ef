// Remembers files that are not open, with what was worked out from their texts, and notices when they change on disk.
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { LRUCache } from 'lru-cache';
import { readRegular, readRegularLater } from '../../base/regular-file.ts';
import type { ProfiledText } from '../../mapping/recorded/profiled-text.ts';
import { pathKey } from '../../mapping/source-paths.ts';
import { textOfBytes } from '../../mapping/source-text/java-text.ts';
import { FILE_BYTES_MAX } from '../../mapping/source-walk.ts';
import type { KeptMapping } from '../document/kept-mapping.ts';
import { KeptOutline } from '../document/kept-outline.ts';
import { type FileParts, SourceFile } from './source-file.ts';

/** About what an outline and a mapping take for each character of the text. */
const BYTES_A_CHARACTER = 16;
const MOST_BYTES = 64 * 1024 * 1024;
/** Not every change is reported: a file is looked at again after this long. */
const TRUSTED_MILLIS = 1_000;

type Known = {
  readonly file: SourceFile;
  readonly parts: FileOnDisk;
  readonly stamp: string;
  checkedAt: number;
  /** Names the data that its profiled text was found out for; null where it never was. */
  readonly profiledFor: string | null;
};

/** A file that is a file of this machine. */
export type FileOnDisk = FileParts & { readonly path: string };

export class FileTexts {
  readonly #mappingOf: (path: string) => KeptMapping;
  readonly #known = new LRUCache<string, Known>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ file }) => 1_000 + BYTES_A_CHARACTER * file.text.length,
  });

  readonly #isOutside: (path: string) => boolean;

  /**
   * @param mappingOf what maps the text of a file; asked anew for each text.
   * @param isOutside whether a path leads to where nothing is read.
   */
  constructor(mappingOf: (path: string) => KeptMapping, isOutside: (path: string) => boolean) {
    this.#mappingOf = mappingOf;
    this.#isOutside = isOutside;
  }

  /** null for what is gone, outside, no plain file, too large or unreadable. */
  get(path: string): SourceFile | null {
    const key = pathKey(path);
    const known = this.#known.get(key);
    const now = performance.now();
    if (known !== undefined && now - known.checkedAt < TRUSTED_MILLIS) return known.file;
    const stamp = this.#stampOf(path);
    if (stamp !== null && known?.stamp === stamp) {
      known.checkedAt = now;
      return known.file;
    }
    this.#known.delete(key);
    if (stamp === null) return null;
    try {
      return this.#keep(path, stamp, readRegular(path, FILE_BYTES_MAX));
    } catch {
      return null;
    }
  }

  /** Reads what is not remembered without stopping others; `get` is quick afterwards. Never rejects. */
  async fetch(paths: readonly string[]): Promise<void> {
    const missing = paths.filter(path => !this.#known.has(pathKey(path)));
    await Promise.all(
      missing.map(async path => {
        const stamp = this.#stampOf(path);
        if (stamp === null) return;
        const bytes = await readRegularLater(path, FILE_BYTES_MAX).catch(() => null);
        if (bytes !== null) this.#keep(path, stamp, bytes);
      }),
    );
  }

  /** The parts of a remembered file, where its profiled text was not found out for these data. */
  unprofiled(path: string, data: string): FileOnDisk | null {
    const known = this.#known.peek(pathKey(path));
    return known === undefined || known.profiledFor === data ? null : known.parts;
  }

  /** Takes over the profiled text of a file, unless it has changed since it was asked for. */
  know(asked: FileOnDisk, profiled: ProfiledText, data: string): void {
    const key = pathKey(asked.path);
    const known = this.#known.peek(key);
    if (known?.parts !== asked) return;
    const parts = { ...asked, mapping: asked.mapping.knowing(profiled) };
    this.#known.set(key, { ...known, parts, file: new SourceFile(parts, true), profiledFor: data });
  }

  /** A change of the file was reported: it is read again. */
  forget(path: string): void {
    this.#known.delete(pathKey(path));
  }

  /** Texts stay on disk, but what they are compared with may be another: everything is worked out again. */
  forgetAll(): void {
    this.#known.clear();
  }

  #keep(path: string, stamp: string, bytes: Buffer): SourceFile {
    const text = textOfBytes(path, bytes);
    const uri = pathToFileURL(path).href;
    const parts = { uri, path, text, outline: new KeptOutline(path), mapping: this.#mappingOf(path) };
    const file = new SourceFile(parts, true);
    this.#known.set(pathKey(path), { file, parts, stamp, checkedAt: performance.now(), profiledFor: null });
    return file;
  }

  #stampOf(path: string): string | null {
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found?.isFile() || found.size > FILE_BYTES_MAX || this.#isOutside(path)) return null;
      return `${found.mtimeMs}:${found.size}`;
    } catch {
      return null;
    }
  }
}
