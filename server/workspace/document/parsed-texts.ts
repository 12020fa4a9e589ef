// What texts were parsed to, kept in the user's cache: files that are open when an editor starts are mostly those that were open before.
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DefaultDeserializer, DefaultSerializer } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { Packed } from '../../../grammar/packed.ts';

/** So many files are kept, the latest used ones. */
const MOST_FILES = 64;
/** Larger ones are not: writing them would keep an editor waiting. */
const MOST_TEXT = 256 * 1024;
/** No text that is kept is parsed to more. */
const MOST_BYTES = 64 * MOST_TEXT;
const ENDING = '.parsed';
/** A multiple of what columns are aligned to. */
const CHECK_BYTES = 8;

type About = { readonly build: string; readonly file: string; readonly text: string };

/** One text a file, the last one kept. */
export class ParsedTexts {
  readonly #folder: string;
  readonly #build: string;

  /** @param build anything that differs between programs that parse otherwise. */
  constructor(folder: string, build: string) {
    this.#folder = folder;
    this.#build = build;
  }

  /** What this very text was parsed to; null where that was not kept, or is damaged. */
  find(file: string, text: string): Packed | null {
    try {
      const path = this.#path(file);
      // Before a sum of it is made: anything may stand there.
      if (statSync(path).size > MOST_BYTES) return null;
      const bytes = readFileSync(path);
      const body = bytes.subarray(CHECK_BYTES);
      if (bytes.length <= CHECK_BYTES || crc32(body) !== bytes.readUInt32LE()) return null;
      const reader = new DefaultDeserializer(body);
      reader.readHeader();
      const about = reader.readValue() as About;
      if (about.build !== this.#build || about.file !== file || about.text !== text) return null;
      touch(path);
      return reader.readValue() as Packed;
    } catch {
      // Never kept, or gone, or written by another version of the engine.
      return null;
    }
  }

  /** A folder that cannot be written to keeps nothing. */
  keep(file: string, text: string, packed: Packed): void {
    const writer = new DefaultSerializer();
    writer.writeHeader();
    writer.writeValue({ build: this.#build, file, text } satisfies About);
    writer.writeValue(packed);
    const body = writer.releaseBuffer();
    const check = Buffer.alloc(CHECK_BYTES);
    check.writeUInt32LE(crc32(body));
    const path = this.#path(file);
    const fresh = `${path}.${process.pid}`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(fresh, Buffer.concat([check, body]), { mode: 0o600 });
      renameSync(fresh, path);
      this.#tidy();
    } catch {
      // What may be half written is nothing's name, and goes when others come.
    }
  }

  /** Whether the text is one that may be kept. */
  takes(text: string): boolean {
    return text.length <= MOST_TEXT;
  }

  /** Files of one name take turns, which `find` sees. */
  #path(file: string): string {
    return join(this.#folder, `${crc32(file).toString(16).padStart(8, '0')}${ENDING}`);
  }

  /** What a killed process left half written goes as well. */
  #tidy(): void {
    const names = globSync(`*${ENDING}*`, { cwd: this.#folder });
    if (names.length <= MOST_FILES) return;
    const files = names.map(name => {
      const path = join(this.#folder, name);
      return { path, millis: statSync(path).mtimeMs };
    });
    files.sort((a, b) => b.millis - a.millis);
    for (const { path } of files.slice(MOST_FILES)) rmSync(path, { force: true });
  }
}

/** Used last; where the folder may only be read, nothing is tidied by that. */
function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // Another user's, or a disk that cannot be written to.
  }
}
