// Reads the chunk files of one JVM one after the other, from where an earlier recorder ended.
import { basename } from 'node:path';
import type { LiveReader } from '../ingest/jfr/live-reader.ts';
import { type ChunkFile, Repository } from './repository.ts';
import type { ReadPosition } from './spool.ts';

/** A chunk that a later one has followed and that changes no more is taken as it is. */
const PATIENCE_MILLIS = 5000;
/** Position in a chunk of which nothing more is wanted. */
const WHOLE = Number.MAX_SAFE_INTEGER;

/** Feeds a reader: `read` again and again, `close` at the end. */
export class ChunkSequence {
  readonly #repository: Repository;
  readonly #reader: LiveReader;
  readonly #note: (message: string) => void;
  #chunk: ChunkFile | null = null;
  #quietSince = 0;
  /** The chunk that an earlier recorder was reading. */
  #resume: ReadPosition | null;
  #lastPosition: ReadPosition | null = null;
  #bytesRead = 0;

  /**
   * @param folder of the chunk files
   * @param resume where an earlier recorder ended; null without one
   * @param note takes what is lost, for people
   */
  constructor(folder: string, reader: LiveReader, resume: ReadPosition | null, note: (message: string) => void) {
    this.#repository = new Repository(folder);
    this.#reader = reader;
    this.#resume = resume;
    this.#note = note;
  }

  /** How many bytes have been read in all. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** Whether a chunk is not finished yet. */
  get isReading(): boolean {
    return this.#chunk !== null;
  }

  /** Where reading goes on; null while nothing was ever read. */
  get position(): ReadPosition | null {
    const chunk = this.#chunk;
    return chunk === null ? (this.#resume ?? this.#lastPosition) : this.#positionIn(chunk);
  }

  /** Reads about `most` bytes; tells how many there were. What cannot be read raises. */
  read(most: number): number {
    this.#repository.look();
    let bytes = 0;
    for (;;) {
      if (bytes >= most || (this.#chunk === null && !this.#next())) return bytes;
      const before = this.#reader.position;
      const state = this.#reader.read(most - bytes);
      if (this.#reader.position > before) {
        bytes += this.#reader.position - before;
        this.#bytesRead += this.#reader.position - before;
        this.#quietSince = performance.now();
      }
      const isLeft =
        state !== 'finished' && this.#isFollowed() && performance.now() - this.#quietSince > PATIENCE_MILLIS;
      if (state === 'broken' || isLeft) this.#reader.giveUp();
      if (state !== 'finished' && state !== 'broken' && !isLeft) return bytes;
      this.#lastPosition = { ...this.#positionIn(this.#chunk!), byte: WHOLE };
      this.#repository.done(this.#chunk!);
      this.#chunk = null;
    }
  }

  /** When what is there to be read began: a recording that ran before has some of its past in its chunks. */
  earliestMillis(nowMillis: number): number {
    const start = this.#resume === null ? (this.#repository.files()[0]?.startNanos() ?? 0n) : 0n;
    return start === 0n ? nowMillis : Math.min(nowMillis, Number(start / 1_000_000n));
  }

  close(): void {
    this.#repository.close();
  }

  /** Takes the next chunk that has begun; false when there is none. */
  #next(): boolean {
    for (const file of this.#repository.files()) {
      const start = file.startNanos();
      if (start === 0n) return false;
      const resume = this.#resume;
      const known = resume === null ? 0n : BigInt(resume.startNanos);
      if (resume !== null && (start < known || (start === known && resume.byte === WHOLE))) {
        this.#repository.done(file);
        continue;
      }
      const isSame = resume !== null && start === known;
      if (resume !== null && !isSame && resume.byte !== WHOLE)
        this.#note('the JVM has removed what it wrote while no recorder followed it');
      this.#chunk = file;
      this.#resume = null;
      this.#reader.open(file, isSame ? resume.byte : 0);
      this.#quietSince = performance.now();
      return true;
    }
    return false;
  }

  /** Whether another chunk has begun after the one at hand. */
  #isFollowed(): boolean {
    return this.#repository.files().some(file => file !== this.#chunk && file.startNanos() > this.#chunk!.startNanos());
  }

  #positionIn(chunk: ChunkFile): ReadPosition {
    return { file: basename(chunk.name), startNanos: String(chunk.startNanos()), byte: this.#reader.position };
  }
}
