// The windows of a JVM that are not in the store yet, on disk: they survive the recorder, and go out once.
import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../base/kept-files.ts';
import { readRegular } from '../base/regular-file.ts';
import type { MethodTotal } from '../ingest/jfr/method-timings.ts';
import type { Execution } from '../model/execution.ts';
import { MOST_FILE_BYTES } from '../snapshot/format.ts';

/** Up to where a JVM's chunks have been read. */
export type ReadPosition = { readonly file: string; readonly startNanos: string; readonly byte: number };

/** The note before the bytes of a spooled snapshot. */
export type SpoolNote = {
  /** Numbers the windows of one JVM. */
  readonly sequence: number;
  readonly execution: Execution;
  /** When the window began, as its snapshot says. */
  readonly startMillis: number;
  /** Everything before it is in this window or in earlier ones; null where nothing was read. */
  readonly position: ReadPosition | null;
  /** The totals of timed methods up to there. */
  readonly totals?: readonly MethodTotal[];
};

/** One file of the spool. `isOpen`: the window goes on from its position. */
export type Spooled = {
  readonly note: SpoolNote;
  readonly isOpen: boolean;
  readonly path: string;
  readonly bytes: number;
};

const NAME = /^(\d{1,12})\.(open|closed)$/;
const DUMPS = '.dumps';
const PREFIX = 4;
/** Most of it are totals: some hundred bytes for each method that the JVM times. */
const MOST_NOTE = 16 << 20;

/** The spool of one JVM. A window is either open or closed: the closed file, once there, is what counts. */
export class Spool {
  readonly folder: string;

  /** Makes the folder; raises what the system says when that fails, and where another has put a link there. */
  constructor(root: string, name: string) {
    this.folder = join(root, name);
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    if (!lstatSync(this.folder).isDirectory()) throw new Error(`${this.folder} is a link`);
  }

  /** Notes what the open window has so far. Outlives this process. */
  saveOpen(note: SpoolNote, snapshot: Uint8Array): void {
    this.#write(`${note.sequence}.open`, note, snapshot, false);
  }

  /** The window has ended: what it came to waits for the store from now on. Outlives the machine. */
  saveClosed(note: SpoolNote, snapshot: Uint8Array): Spooled {
    const path = this.#write(`${note.sequence}.closed`, note, snapshot, true);
    rmSync(join(this.folder, `${note.sequence}.open`), { force: true });
    return { note, isOpen: false, path, bytes: snapshot.length };
  }

  /** One file a window; the closed one where the window has ended. Files that cannot be read are left alone. */
  list(): Spooled[] {
    const found: Spooled[] = [];
    for (const name of readdirSync(this.folder)) {
      const parts = NAME.exec(name);
      if (name.endsWith('.tmp')) rmSync(join(this.folder, name), { force: true });
      if (parts === null) continue;
      const path = join(this.folder, name);
      const read = readSpooled(path);
      if (read !== null)
        found.push({ note: read.note, isOpen: parts[2] === 'open', path, bytes: read.snapshot.length });
    }
    const closed = new Set(found.filter(each => !each.isOpen).map(each => each.note.sequence));
    for (const each of found) {
      if (each.isOpen && closed.has(each.note.sequence)) rmSync(each.path, { force: true });
    }
    return found
      .filter(each => !each.isOpen || !closed.has(each.note.sequence))
      .sort((a, b) => a.note.sequence - b.note.sequence);
  }

  /** Files of windows that are not in the store, unreadable ones too. A note of where reading goes on is no window. */
  left(): readonly { readonly path: string; readonly isReadable: boolean }[] {
    return readdirSync(this.folder, { withFileTypes: true }).flatMap(file => {
      const parts = NAME.exec(file.name);
      if (parts === null || !file.isFile()) return [];
      const path = join(this.folder, file.name);
      const read = readSpooled(path);
      const isNote = parts[2] === 'open' && read !== null && read.snapshot.length === 0;
      return isNote ? [] : [{ path, isReadable: read !== null }];
    });
  }

  /** Where thread dumps of a window are gathered until it ends. They are the window's until it is closed. */
  dumpsOf(sequence: number): string {
    return join(this.folder, `${sequence}${DUMPS}`);
  }

  /** Removes thread dumps of windows that have ended: what they came to is in these windows. */
  removeDumpsBefore(sequence: number): void {
    for (const name of readdirSync(this.folder)) {
      if (name.endsWith(DUMPS) && Number.parseInt(name, 10) < sequence)
        rmSync(join(this.folder, name), { force: true });
    }
  }

  /** Removes one file. */
  remove(spooled: Spooled): void {
    rmSync(spooled.path, { force: true });
  }

  /** Removes the folder when nothing is left in it. */
  removeIfEmpty(): void {
    if (readdirSync(this.folder).length === 0) rmdirSync(this.folder);
  }

  #write(name: string, note: SpoolNote, snapshot: Uint8Array, lasting: boolean): string {
    const path = join(this.folder, name);
    const head = Buffer.from(JSON.stringify(note));
    const prefix = Buffer.alloc(PREFIX);
    prefix.writeUInt32LE(head.length);
    writeWhole(path, [prefix, head, snapshot], { isLasting: lasting, fresh: `${path}.tmp` });
    return path;
  }
}

/** Reads one file; null when it is none of a spool. */
export function readSpooled(path: string): { readonly note: SpoolNote; readonly snapshot: Uint8Array } | null {
  try {
    const bytes = readRegular(path, PREFIX + MOST_NOTE + MOST_FILE_BYTES);
    const length = bytes.readUInt32LE(0);
    if (length > MOST_NOTE || PREFIX + length > bytes.length) return null;
    const note: SpoolNote = JSON.parse(bytes.toString('utf8', PREFIX, PREFIX + length));
    if (!Number.isSafeInteger(note.sequence) || typeof note.startMillis !== 'number') return null;
    return { note, snapshot: bytes.subarray(PREFIX + length) };
  } catch {
    return null;
  }
}
