// Writes recorded chunks into a folder again and again, as a JVM would have: growing, one after the other.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { memorySource } from '../../../server/ingest/byte-source.ts';
import { listChunks } from '../../../server/ingest/jfr/chunk-header.ts';
import { growing, writeShown } from '../../support/recordings/growing-chunk.ts';

const RECORDINGS = join(import.meta.dirname, '../../../samples/recordings');

/** The chunks of the sample recordings. */
export function sampleChunks(): Uint8Array[] {
  return readdirSync(RECORDINGS)
    .filter(name => name.endsWith('.jfr'))
    .flatMap(name => {
      const bytes = readFileSync(join(RECORDINGS, name));
      const { chunks } = listChunks(memorySource(name, bytes));
      return chunks.map(({ position, available }) => Uint8Array.from(bytes.subarray(position, position + available)));
    });
}

/** One repository; each `step` flushes a part of a chunk. Files are removed some chunks later. */
export class Replay {
  readonly #folder: string;
  readonly #chunks: readonly Uint8Array[];
  readonly #stepBytes: number;
  #number = 0;
  #chunk: Uint8Array;
  #shown: ReturnType<typeof growing>;

  constructor(folder: string, chunks: readonly Uint8Array[], stepBytes: number) {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
    this.#chunks = chunks;
    this.#stepBytes = stepBytes;
    this.#chunk = this.#started();
    this.#shown = growing(this.#chunk);
  }

  /** Chunks that are finished. */
  get finished(): number {
    return this.#number;
  }

  step(): void {
    this.#shown.grow(this.#stepBytes);
    const bytes = writeShown(join(this.#folder, `${this.#number}.jfr`), this.#shown, this.#chunk.length);
    if (bytes[64] !== 0) return;
    this.#number++;
    rmSync(join(this.#folder, `${this.#number - 4}.jfr`), { force: true });
    this.#chunk = this.#started();
    this.#shown = growing(this.#chunk);
  }

  /** The next chunk, begun now. */
  #started(): Uint8Array {
    const chunk = Uint8Array.from(this.#chunks[this.#number % this.#chunks.length]!);
    new DataView(chunk.buffer).setBigUint64(32, BigInt(Date.now()) * 1_000_000n);
    return chunk;
  }
}
