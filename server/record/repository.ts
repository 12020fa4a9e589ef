// Keeps the chunk files of a JVM's repository open and in order, so that they can be read even after the JVM has removed them.
import { closeSync, type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { readWhole } from '../base/regular-file.ts';
import type { ChunkBytes } from '../ingest/jfr/chunk-tail.ts';
import { openPlain } from './plain-file.ts';

/** One chunk file. */
export type ChunkFile = ChunkBytes & {
  readonly name: string;
  /** When the chunk began, in nanoseconds since the epoch; 0 while the JVM has not written that. */
  startNanos(): bigint;
  close(): void;
};

/** More files are left for later: a repository of a JVM that no recorder followed may hold thousands. */
const MOST_OPEN = 64;
const MAGIC = 0x464c5200;
const STARTED_AT = 32;

/**
 * The chunk files in a folder that have not been read yet, from the earliest on. Before JDK 14 a chunk is written as `.part`, beside an
 * empty `.jfr` whose place it takes when it is finished: both are one chunk, called by what their names have in common.
 */
export class Repository {
  readonly folder: string;
  readonly #open = new Map<string, ChunkFile>();
  readonly #done = new Set<string>();
  #watcher: FSWatcher | null = null;

  /** Watches the folder, so that no file comes and goes unseen; without a watcher `look` sees what is there. */
  constructor(folder: string) {
    this.folder = folder;
    try {
      this.#watcher = watch(folder, { persistent: false }, () => this.look());
      this.#watcher.on('error', () => this.#unwatch());
    } catch {
      this.#watcher = null;
    }
    this.look();
  }

  /** Opens files that have come. */
  look(): void {
    let names: string[];
    try {
      names = readdirSync(this.folder).sort();
    } catch {
      return;
    }
    // A later name of the same chunk is the one to be opened, `.part` after `.jfr`.
    const chunks = new Map(names.flatMap(name => (/\.(jfr|part)$/.test(name) ? [[chunkOf(name), name] as const] : [])));
    for (const chunk of this.#done) if (!chunks.has(chunk)) this.#done.delete(chunk);
    for (const [chunk, name] of chunks) {
      if (this.#done.has(chunk) || !this.#isWanted(chunk, name)) continue;
      if (this.#open.size >= MOST_OPEN) break;
      const file = openChunk(this.folder, name);
      if (file !== null) this.#open.set(chunk, file);
    }
  }

  /** Whether the file has yet to be opened. One that was opened just before its `.part` came is empty for ever. */
  #isWanted(chunk: string, name: string): boolean {
    const open = this.#open.get(chunk);
    if (open === undefined) return true;
    if (!name.endsWith('.part') || open.name === name || open.startNanos() > 0n) return false;
    open.close();
    this.#open.delete(chunk);
    return true;
  }

  /** The files by when their chunks began; files whose chunks have not begun come last. */
  files(): ChunkFile[] {
    return [...this.#open.values()]
      .map(file => ({ file, start: file.startNanos() }))
      .sort((a, b) => compareStarts(a.start, b.start) || (a.file.name < b.file.name ? -1 : 1))
      .map(({ file }) => file);
  }

  /** The file has been read, or is not wanted. */
  done(file: ChunkFile): void {
    file.close();
    this.#open.delete(chunkOf(file.name));
    this.#done.add(chunkOf(file.name));
  }

  close(): void {
    this.#unwatch();
    for (const file of this.#open.values()) file.close();
    this.#open.clear();
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }
}

function chunkOf(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}

function compareStarts(a: bigint, b: bigint): number {
  if (a === b) return 0;
  if (a === 0n || b === 0n) return a === 0n ? 1 : -1;
  return a < b ? -1 : 1;
}

/** null for what is no plain file, or is gone already. */
function openChunk(folder: string, name: string): ChunkFile | null {
  let descriptor: number;
  try {
    descriptor = openPlain(join(folder, name), null);
  } catch {
    return null;
  }
  let started = 0n;
  const read = (position: number, target: Uint8Array) => readWhole(descriptor, target, position);
  return {
    name,
    read,
    startNanos() {
      if (started > 0n) return started;
      const header = new Uint8Array(STARTED_AT + 8);
      if (read(0, header) < header.length) return 0n;
      const view = new DataView(header.buffer);
      if (view.getUint32(0) === MAGIC) started = view.getBigUint64(STARTED_AT);
      return started;
    },
    close: () => closeSync(descriptor),
  };
}
