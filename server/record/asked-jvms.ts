// Turns of asking JVMs what they record: who is being asked, who waits for a turn, and who is tried again later.
import type { Jvm } from './jvms.ts';

/** One that could not be followed is tried again after so long. */
const RETRY_MILLIS = 30_000;
/** JVMs that are asked at the same time; one that takes longer than this to answer is no longer counted. */
const MOST_ASKED = 8;
const SLOW_MILLIS = 5000;

/** Asks by id: that of a JVM, or of a folder that is followed without its JVM. */
export class AskedJvms {
  readonly #asked = new Map<string, { readonly since: number; readonly work: Promise<void> }>();
  readonly #waiting = new Map<string, Jvm>();
  readonly #retryAt = new Map<string, number>();

  /** Whether it is being asked now. */
  has(id: string): boolean {
    return this.#asked.has(id);
  }

  get size(): number {
    return this.#asked.size;
  }

  /** Whether it could not be followed just now. */
  isPutOff(id: string): boolean {
    return performance.now() < (this.#retryAt.get(id) ?? 0);
  }

  putOff(id: string): void {
    this.#retryAt.set(id, performance.now() + RETRY_MILLIS);
  }

  forgetOldDelays(): void {
    for (const id of this.#retryAt.keys()) if (!this.isPutOff(id)) this.#retryAt.delete(id);
  }

  /** Asks at once. `work` does not reject. */
  ask(id: string, work: () => Promise<void>): void {
    this.#waiting.delete(id);
    this.#asked.set(id, { since: performance.now(), work: work().finally(() => this.#asked.delete(id)) });
  }

  /** Asks the JVM, or lets it wait while too many are asked: the next look offers it again. */
  askInTurn(id: string, jvm: Jvm, work: () => Promise<void>): void {
    const now = performance.now();
    const asked = [...this.#asked.values()].filter(({ since }) => now - since < SLOW_MILLIS);
    if (asked.length < MOST_ASKED) this.ask(id, work);
    else this.#waiting.set(id, jvm);
  }

  /** The JVMs that ended before it was their turn, each once. */
  takeMissed(running: ReadonlySet<string>): Jvm[] {
    const missed = [...this.#waiting].filter(([id]) => !running.has(id));
    for (const [id] of missed) this.#waiting.delete(id);
    return missed.map(([, jvm]) => jvm);
  }

  /** Resolves when all that are being asked have answered. */
  async answered(): Promise<void> {
    await Promise.all([...this.#asked.values()].map(({ work }) => work));
  }
}
