// All tuning of V8 and of the C library's allocator, each with the benchmark row that it moves: nothing of the kind stands elsewhere.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/*
 * A mechanism stays while a row moves by it, or while a process crashes without it; its comment gives the row before → after. No process
 * or thread has another priority than the system gives it.
 *
 * Launchers have a part of their own, which has to run before any bundle and in the syntax of old Node.js versions:
 * - `cli/bin/insitu.cjs`, `cli/bin/insitu-lsp.cjs`: compiled code is kept between runs. First hint after the start, 20 k nodes:
 *   394 → 361 ms.
 * - `cli/bin/begin-anew.cjs`: a recorder runs with limits of the allocator that stand still, and compiles on its main thread. Resident
 *   beside one busy JVM 84 → 76 MiB, in the soak 105 → 91 MiB.
 */

/**
 * In the sources Node takes the types out of each thread's files, by WebAssembly. V8 replaces that module's calls to JavaScript by faster ones
 * when they are hot, and dies when several threads do so at once (`Check failed: jit_page.has_value()`, in TierUpWasmToJSWrapper). Bundles hold no
 * WebAssembly: no row moves.
 */
export function keepWrappers(): void {
  setFlagsFromString('--wasm-wrapper-tiering-budget=2000000000');
}

/**
 * Keeps the memory for new objects as small as it begins: V8 doubles it, from 2 MiB up to 128 MiB, each time as much has outlived a collection
 * as it holds, however long that took, and gives it back only to processes that do next to nothing. To be called before there are other
 * threads. Moves the recorder's soak: 152 → 91 MiB at most, slope 28 → 1 %; of the live soak, the server in minute 7: 315 → 223 MiB. Costs 10 ms
 * where one message has 40,000 changes, whose objects outlive more collections, and 3 ms where 400 lenses follow a keystroke.
 */
export function keepYoungSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** The growth that is allowed beyond the memory that the last collection left: so many bytes, or this part of it. */
const LEAST_GROWTH = 4 << 20;
const GROWTH_SHARE = 0.25;
/** Collections take no more than this part of a processor. */
const WORK_SHARE = 1 / 300;
/** A collection never holds the main thread up for longer. */
const LONGEST_TURN_MILLIS = 50;
/** Time without a request for a collection after one that took too long. */
const LEFT_MILLIS = 600_000;

/** The measures of this process's own memory; other ones for tests. */
type Memory = {
  /** Bytes of columns, held or not. */
  readonly held: () => number;
  readonly collect: () => void;
  readonly now: () => number;
  /** Milliseconds of processor time: a busy machine makes collections longer, and no more costly. */
  readonly work: () => number;
};

/**
 * Lets the threads of this process ask for collections. To be called before there are other threads: flags belong to the whole process, and
 * other threads would be reading them.
 */
export function allowCollections(): void {
  setFlagsFromString('--expose-gc');
}

/** The memory of this thread. Where collections were not allowed, none is asked for. */
function ownMemory(): Memory {
  const collect: unknown = runInNewContext('globalThis.gc');
  return {
    held: () => process.memoryUsage().arrayBuffers,
    collect: typeof collect === 'function' ? () => void collect() : () => {},
    now: () => performance.now(),
    work() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
  };
}

/**
 * The one place that asks for full collections, in a recorder and in the threads of a server: V8 waits, in each thread, until there are 64 MiB
 * of columns that are not held any more, and columns that threads share it does not count at all. The columns held at the same time decide how
 * much memory a process takes. Moves the recorder's soak: 117 → 91 MiB at most; beside one busy JVM 80 → 76 MiB.
 */
export class Tidying {
  readonly #memory: Memory;
  /** The bytes that the last collection left; null right after one, which ends in other threads. */
  #left: number | null = null;
  /** Bytes of shared columns that were let go of since. */
  #shared = 0;
  #notBefore = 0;
  readonly #longestMillis: number;

  /** @param longestMillis where a collection takes longer, as with many objects alive, the next ones are left to the engine, which goes in steps */
  constructor(memory: Memory = ownMemory(), longestMillis = Number.POSITIVE_INFINITY) {
    this.#memory = memory;
    this.#longestMillis = longestMillis;
  }

  /** Collections of the main thread, which an editor waits for. */
  static ofMainThread(): Tidying {
    return new Tidying(ownMemory(), LONGEST_TURN_MILLIS);
  }

  /**
   * To be called every second or so, or whenever columns were let go of.
   * @param shared bytes of columns from another thread that this one has let go of: only the thread that made them counts them as held
   */
  look(shared = 0): void {
    const { held, collect, now, work } = this.#memory;
    this.#shared += shared;
    const own = held();
    this.#left = Math.min(this.#left ?? own, own);
    const grown = own - this.#left + this.#shared;
    if (grown < Math.max(LEAST_GROWTH, GROWTH_SHARE * this.#left) || now() < this.#notBefore) return;
    const [before, began] = [work(), now()];
    collect();
    // Other threads and other processes work meanwhile.
    const millis = Math.min(work() - before, now() - began);
    this.#notBefore = now() + (millis > this.#longestMillis ? LEFT_MILLIS : millis / WORK_SHARE);
    this.#left = null;
    this.#shared = 0;
  }
}
