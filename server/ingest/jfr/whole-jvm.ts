// The facts of a chunk about its JVM as a whole: the processor time that it took, and the pauses of its garbage collections.

import type { ProfileBuilder } from '../../cct/builder.ts';
import type { ChunkHeader } from './chunk-header.ts';
import type { Key } from './cursor.ts';
import { ChunkGcPauses } from './gc-pauses.ts';
import { ChunkProcessorLoad } from './processor-load.ts';
import type { ChunkContext } from './texts.ts';
import type { ChunkWindows } from './windows.ts';

/** The part of a chunk that an import of a shorter copy has added. */
export type Imported = { readonly bytes: number; readonly samples: number; readonly lastTicks: number };

/** The reader of these facts; made before the scan of a chunk. */
export class WholeJvm {
  readonly #header: ChunkHeader;
  readonly #load: ChunkProcessorLoad;
  readonly #pauses: ChunkGcPauses;

  constructor(context: ChunkContext, noted: Map<Key, number[]>, header: ChunkHeader) {
    this.#header = header;
    this.#load = new ChunkProcessorLoad(context, noted);
    this.#pauses = new ChunkGcPauses(context, noted, header.ticksPerSecond);
  }

  /** Takes over the facts of the earlier part of a chunk that grows. */
  goOn(before: WholeJvm): void {
    this.#pauses.goOn(before.#pauses);
  }

  leaveOut({ bytes, lastTicks }: Imported): void {
    this.#pauses.leaveOut(bytes);
    this.#load.leaveOut(lastTicks);
  }

  /** Reads the noted events of a part of a chunk that grows: they are gone when the next part comes. */
  read(): void {
    this.#pauses.read();
  }

  /** Adds the facts of a chunk that grows; `windows` is null where they were added before. */
  settle(builder: ProfileBuilder, windows: ChunkWindows | null): void {
    this.#pauses.fold(builder, windows);
  }

  /** Adds the facts of the whole chunk. */
  fold(target: Parameters<ChunkProcessorLoad['fold']>[0], windows: ChunkWindows, lastTicks: number): void {
    this.#load.fold(target, this.#header, windows, lastTicks);
    this.#pauses.read();
    this.#pauses.fold(target.builder, windows);
  }
}
