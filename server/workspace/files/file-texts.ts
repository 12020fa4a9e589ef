// Remembers files that are not open, with what was worked out from their texts, and notices when they change on disk.
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { LRUCache } from 'lru-cache';
import { pathKey } from '../../mapping/source-paths.ts';
import { FILE_BYTES_MAX } from '../../mapping/source-walk.ts';
import type { ProfiledText } from '../code/profiled-text.ts';
import type { KeptMapping } from '../document/kept-mapping.ts';
import { KeptOutline } from '../document/kept-outline.ts';
import { type FileParts, SourceFile } from './source-file.ts';

/** About what an outline and a mapping take for each character of the text. */
const BYTES_A_CHARACTER = 16;
const MOST_BYTES = 64 * 1024 * 1024;
/** Nobody tells of every change: a file is looked at again after this long. */
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

  /** @param mappingOf what maps the text of a file; asked anew for each text. */
  constructor(mappingOf: (path: string) => KeptMapping) {
    this.#mappingOf = mappingOf;
  }

  /** null for what is gone, no plain file, too large or unreadable. */
  get(path: string): SourceFile | null {
    const key = pathKey(path);
    const known = this.#known.get(key);
    const now = performance.now();
    if (known !== undefined && now - known.checkedAt < TRUSTED_MILLIS) return known.file;
    const stamp = stampOf(path);
    if (stamp !== null && known?.stamp === stamp) {
      known.checkedAt = now;
      return known.file;
    }
    this.#known.delete(key);
    if (stamp === null) return null;
    try {
      return this.#keep(path, stamp, readFileSync(path, 'utf8'));
    } catch {
      return null;
    }
  }

  /** Reads what is not remembered without stopping others; `get` is quick afterwards. Never rejects. */
  async fetch(paths: readonly string[]): Promise<void> {
    const missing = paths.filter(path => !this.#known.has(pathKey(path)));
    await Promise.all(
      missing.map(async path => {
        const stamp = stampOf(path);
        if (stamp === null) return;
        const text = await readFile(path, 'utf8').catch(() => null);
        if (text !== null) this.#keep(path, stamp, text);
      }),
    );
  }

  /** What a remembered file is made of, where its profiled text was not found out for these data. */
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

  /** Somebody said that a file changed: it is read again. */
  forget(path: string): void {
    this.#known.delete(pathKey(path));
  }

  /** Texts stay on disk, but what they are compared with may be another: everything is worked out again. */
  forgetAll(): void {
    this.#known.clear();
  }

  #keep(path: string, stamp: string, raw: string): SourceFile {
    // Editors keep the byte order mark to themselves.
    const text = raw.replace(/^\ufeff/, '');
    const uri = pathToFileURL(path).href;
    const parts = { uri, path, text, outline: new KeptOutline(path), mapping: this.#mappingOf(path) };
    const file = new SourceFile(parts, true);
    this.#known.set(pathKey(path), { file, parts, stamp, checkedAt: performance.now(), profiledFor: null });
    return file;
  }
}

function stampOf(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() && found.size <= FILE_BYTES_MAX ? `${found.mtimeMs}:${found.size}` : null;
  } catch {
    return null;
  }
}
