// Takes thread dumps of a JVM now and then, kept on disk until the window ends.
import { appendFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Profile } from '../cct/profile.ts';
import { ingestFile } from '../ingest/read.ts';
import { diagnose } from './attach.ts';
import type { Jvm } from './jvms.ts';

/** More of a window's dumps are not kept. */
const MOST_BYTES = 64 << 20;

/** The dumps of one JVM. */
export class ThreadDumps {
  readonly #jvm: Jvm;
  readonly #everyMillis: number;
  readonly #file: string;
  #nextAt = 0;
  #asking: Promise<void> | null = null;

  constructor(jvm: Jvm, everyMillis: number, folder: string) {
    this.#jvm = jvm;
    this.#everyMillis = everyMillis;
    this.#file = join(folder, 'dumps.txt');
  }

  /** Asks for a dump when it is time; it comes later. */
  take(): void {
    if (this.#asking !== null || performance.now() < this.#nextAt) return;
    this.#nextAt = performance.now() + this.#everyMillis;
    this.#asking = this.#ask().finally(() => {
      this.#asking = null;
    });
  }

  async #ask(): Promise<void> {
    const { value } = await diagnose(this.#jvm, 'Thread.print');
    if (value !== null && this.#size() + value.length < MOST_BYTES)
      appendFileSync(this.#file, `${value}\n`, { mode: 0o600 });
  }

  /** What the dumps since the last time come to; null for none. */
  async profile(): Promise<Profile | null> {
    await this.#asking;
    if (this.#size() === 0) return null;
    const { profile } = await ingestFile(this.#file, { names: 'normalised' });
    rmSync(this.#file, { force: true });
    return profile;
  }

  #size(): number {
    try {
      return statSync(this.#file).size;
    } catch {
      return 0;
    }
  }
}
