// Frees columns that nobody holds any more before they are many: the engine waits until there are 64 MiB of them.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Now, and not when it is first needed: flags belong to the whole process, and other threads would be reading them.
if (isMainThread) setFlagsFromString('--expose-gc');

/** What may come on top of what was left by the collection before: so much, or this part of it. */
const LEAST_GROWTH = 4 << 20;
const GROWTH_SHARE = 0.25;
/** Collections take no more than this part of a processor. */
const WORK_SHARE = 1 / 300;

/** What a process of one's own can be asked; other ones for tests. */
export type Memory = {
  /** Bytes of columns, held or not. */
  readonly held: () => number;
  readonly collect: () => void;
  readonly now: () => number;
  /** Milliseconds of processor time: a busy machine makes collections longer, and no more costly. */
  readonly work: () => number;
};

let collect: (() => void) | null = null;

const ownMemory: Memory = {
  held: () => process.memoryUsage().arrayBuffers,
  collect() {
    collect ??= runInNewContext('gc') as () => void;
    collect();
  },
  now: () => performance.now(),
  work() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * What is held at the same time decides how much memory a process takes. Where the allocator has no limits that stand still, as
 * `begin-anew.cjs` gives it, little ever goes back to the system: one late collection in an hour, and it is larger from then on.
 */
export class Tidying {
  readonly #memory: Memory;
  /** What was left; null right after a collection, which ends in other threads. */
  #left: number | null = null;
  #notBefore = 0;

  constructor(memory: Memory = ownMemory) {
    this.#memory = memory;
  }

  /** To be called every second or so. */
  look(): void {
    const { held, collect, now, work } = this.#memory;
    const bytes = held();
    this.#left = Math.min(this.#left ?? bytes, bytes);
    if (bytes - this.#left < Math.max(LEAST_GROWTH, GROWTH_SHARE * this.#left) || now() < this.#notBefore) return;
    const before = work();
    collect();
    this.#notBefore = now() + (work() - before) / WORK_SHARE;
    this.#left = null;
  }
}
