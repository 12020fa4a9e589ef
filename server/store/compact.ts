// Compaction: many small snapshots of one execution become few, while others write, read and compact the same store.
//
// A compacted snapshot lists the originals that it holds, so that readers leave them aside from the moment it is there (see counting.ts).
// What it replaces is removed only when it has been there for the grace time: who listed the store before it came has long read or
// listed again by then. A request that is under way for longer than half of that is taken to have failed.
import type { Outcome, Problem } from '../base/problem.ts';
import { GrowingMerge } from '../cct/growing-merge.ts';
import { decodeSnapshot, decodeSources } from '../snapshot/decode.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { mergeSources, type SourceFile } from '../snapshot/source-section.ts';
import { coarsenWindows } from './coarsen.ts';
import { executionKey, originalsOf, withoutReplaced } from './counting.ts';
import { encodeForStore } from './encoded.ts';
import { provenanceOf } from './load.ts';
import { type DescribedEntry, describeEntries } from './selection.ts';
import type { Store, StoreEntry, StoreFilter } from './store.ts';

/** What becomes of data from some age on. All in milliseconds. */
export type CompactionLevel = {
  readonly olderThanMillis: number;
  /** Snapshots of one such span of the clock (UTC) become one. */
  readonly spanMillis: number;
  /** Windows finer than this are joined; 0 keeps them all. */
  readonly finestMillis: number;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Hours after an hour, days of ten-minute windows after a day. */
export const DEFAULT_LEVELS: readonly CompactionLevel[] = [
  { olderThanMillis: HOUR, spanMillis: HOUR, finestMillis: 0 },
  { olderThanMillis: DAY, spanMillis: DAY, finestMillis: 10 * MINUTE },
];
/** Longer than two polls of any reader, and than any request. */
export const DEFAULT_GRACE_MILLIS = 15 * MINUTE;

export type CompactOptions = {
  readonly filter?: StoreFilter;
  readonly levels?: readonly CompactionLevel[];
  readonly graceMillis?: number;
  /** Change nothing, only say what would be done. */
  readonly dryRun?: boolean;
  /** The time; for tests. */
  readonly now?: () => number;
  readonly onProgress?: (done: number, all: number) => void;
  readonly signal?: AbortSignal;
};

/** What was done, or would be. */
export type Compacted = {
  readonly executions: number;
  /** Snapshots that became others, and those others. */
  readonly merged: number;
  readonly written: number;
  /** Snapshots that others had replaced long enough. */
  readonly removed: number;
  /** Bytes of what was written and removed. */
  readonly writtenBytes: number;
  readonly removedBytes: number;
};

/** From so many cells on, windows that are to be joined are joined before more is read. */
const MOST_CELLS = 4_000_000;
/** What is merged into one has no more bytes together: bounds memory, and lets every snapshot of a folder move into a bucket. */
const MOST_BYTES = 20 << 20;
const MOST_PROBLEMS = 50;

/** Compacts every execution that fits the filter, one after the other. */
export async function compact(store: Store, options: CompactOptions = {}): Promise<Outcome<Compacted>> {
  const { value: entries, problems: listing } = await store.list(options.filter ?? {});
  const executions = new Map(entries.map(({ execution }) => [executionKey(execution), execution]));
  const problems: Problem[] = [...listing];
  let sum: Compacted = { ...NOTHING, executions: executions.size };
  let done = 0;
  for (const execution of executions.values()) {
    if (options.signal?.aborted) break;
    const one = await new Compaction(store, execution, options).run();
    problems.push(...one.problems);
    sum = added(sum, one.value);
    options.onProgress?.(++done, executions.size);
  }
  return { value: sum, problems };
}

const NOTHING: Compacted = { executions: 0, merged: 0, written: 0, removed: 0, writtenBytes: 0, removedBytes: 0 };

function added(a: Compacted, b: Partial<Compacted>): Compacted {
  return {
    executions: a.executions + (b.executions ?? 0),
    merged: a.merged + (b.merged ?? 0),
    written: a.written + (b.written ?? 0),
    removed: a.removed + (b.removed ?? 0),
    writtenBytes: a.writtenBytes + (b.writtenBytes ?? 0),
    removedBytes: a.removedBytes + (b.removedBytes ?? 0),
  };
}

type Batch = { readonly inputs: readonly DescribedEntry[]; readonly finestMillis: number };

/** One look at one execution. */
class Compaction {
  readonly #store: Store;
  readonly #mostBytes: number;
  readonly #execution: StoreEntry['execution'];
  readonly #levels: readonly CompactionLevel[];
  readonly #graceMillis: number;
  readonly #now: () => number;
  readonly #dryRun: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #problems: Problem[] = [];
  #sum: Compacted = NOTHING;

  constructor(store: Store, execution: StoreEntry['execution'], options: CompactOptions) {
    this.#store = store;
    this.#mostBytes = Math.min(store.mostBytes, MOST_BYTES);
    this.#execution = execution;
    this.#levels = options.levels ?? DEFAULT_LEVELS;
    this.#graceMillis = options.graceMillis ?? DEFAULT_GRACE_MILLIS;
    this.#now = options.now ?? Date.now;
    this.#dryRun = options.dryRun === true;
    this.#signal = options.signal;
  }

  async run(): Promise<Outcome<Compacted>> {
    const look = await this.#look();
    const originals = originalsOf(look.described);
    await this.#removeReplaced(look, originals);
    for (const batch of planBatches(look.counting, originals, this.#levels, this.#now(), this.#mostBytes)) {
      if (this.#signal?.aborted) break;
      await this.#mergeBatch(batch, originals);
    }
    return { value: this.#sum, problems: this.#problems };
  }

  async #look(): Promise<{ at: number; described: readonly DescribedEntry[]; counting: readonly DescribedEntry[] }> {
    const at = this.#now();
    const { value: entries, problems } = await this.#store.list(this.#execution);
    // Trouble with the listing has been told of once.
    if (problems.some(({ severity }) => severity === 'error')) return { at, described: [], counting: [] };
    const final = entries.filter(({ liveMillis }) => liveMillis === undefined);
    const described = await describeEntries(this.#store, final);
    const isWhole = described.value.length === final.length;
    if (!isWhole) this.#problems.push(...described.problems);
    // What could not be read may be what counts.
    return { at, described: described.value, counting: isWhole ? withoutReplaced(described.value) : [] };
  }

  /** Whether so little time has passed since a look that what was decided by it still holds. */
  #isRecent(at: number): boolean {
    return this.#now() - at <= this.#graceMillis / 2;
  }

  async #removeReplaced(
    {
      at,
      described,
      counting,
    }: { at: number; described: readonly DescribedEntry[]; counting: readonly DescribedEntry[] },
    originals: ReadonlyMap<string, ReadonlySet<string>>,
  ): Promise<void> {
    const counts = new Set(counting.map(({ entry }) => entry));
    const left = described.filter(({ entry }) => !counts.has(entry));
    if (counting.length === 0 || left.length === 0) return;
    const covered = new Set<string>();
    for (const { entry, reading } of counting) {
      if (reading.header.replaces.length === 0) continue;
      const stored = await this.#store.storedMillis(entry);
      if (stored === null || at - stored < this.#graceMillis) continue;
      for (const each of originals.get(entry.hash)!) covered.add(each);
    }
    for (const { entry } of left) {
      if (![...originals.get(entry.hash)!].every(each => covered.has(each)) || !this.#isRecent(at)) continue;
      if (!this.#dryRun) {
        const { value, problems } = await this.#store.remove(entry);
        this.#problems.push(...problems);
        if (!value) continue;
      }
      this.#sum = added(this.#sum, { removed: 1, removedBytes: entry.bytes });
    }
  }

  /** Writes what the batch becomes, in two halves where that is too large for the store. */
  async #mergeBatch(batch: Batch, originals: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> {
    const at = this.#now();
    const { inputs } = batch;
    if (this.#dryRun) {
      this.#sum = added(this.#sum, { merged: inputs.length, written: 1 });
      return;
    }
    const snapshot = await mergeEntries(this.#store, batch, originals);
    // Somebody else has compacted it in the meantime, or one of them is broken: the next look tells.
    if (snapshot === null || !this.#isRecent(at)) return;
    const encoded = encodeForStore(snapshot, this.#store.location);
    if (encoded.value === null) {
      this.#problems.push(...encoded.problems);
      return;
    }
    if (encoded.value.bytes.length > this.#mostBytes) {
      if (inputs.length < 4) return;
      const middle = inputs.length >> 1;
      await this.#mergeBatch({ ...batch, inputs: inputs.slice(0, middle) }, originals);
      await this.#mergeBatch({ ...batch, inputs: inputs.slice(middle) }, originals);
      return;
    }
    const { value: entry, problems } = await this.#store.put(encoded.value.bytes);
    this.#problems.push(...problems);
    if (entry !== null) this.#sum = added(this.#sum, { merged: inputs.length, written: 1, writtenBytes: entry.bytes });
  }
}

/** What is to become one snapshot each: entries of one level and span, as many as fit into one object. The same for everybody who sees the same. */
export function planBatches(
  counting: readonly DescribedEntry[],
  originals: ReadonlyMap<string, ReadonlySet<string>>,
  levels: readonly CompactionLevel[],
  nowMillis: number,
  mostBytes: number,
): readonly Batch[] {
  const oldestFirst = [...levels].sort((a, b) => b.olderThanMillis - a.olderThanMillis);
  const spans = new Map<string, { readonly finestMillis: number; readonly entries: DescribedEntry[] }>();
  for (const described of counting) {
    const { startMillis } = described.reading.header;
    const level = oldestFirst.find(({ olderThanMillis, spanMillis }) => {
      // The whole span must be that old: else it would be compacted again with every window that comes.
      const spanEnd = (Math.floor(startMillis / spanMillis) + 1) * spanMillis;
      return nowMillis - spanEnd >= olderThanMillis;
    });
    if (level === undefined) continue;
    const key = `${level.spanMillis} ${Math.floor(startMillis / level.spanMillis)}`;
    const span = spans.get(key) ?? { finestMillis: level.finestMillis, entries: [] };
    span.entries.push(described);
    spans.set(key, span);
  }
  return [...spans.values()].flatMap(({ entries, finestMillis }) => {
    const batches: DescribedEntry[][] = [];
    let bytes = 0;
    for (const described of entries) {
      bytes += described.entry.bytes;
      if (batches.length === 0 || bytes > mostBytes) {
        batches.push([]);
        bytes = described.entry.bytes;
      }
      batches.at(-1)!.push(described);
    }
    return batches
      .filter(inputs => inputs.length > 1 || isTooFine(inputs[0]!, finestMillis))
      .filter(inputs => inputs.every(({ entry }) => originals.has(entry.hash)))
      .map(inputs => ({ inputs, finestMillis }));
  });
}

function isTooFine({ reading: { windows } }: DescribedEntry, finestMillis: number): boolean {
  if (finestMillis <= 0) return false;
  return new Set(windows.map(({ startMillis }) => Math.floor(startMillis / finestMillis))).size < windows.length;
}

/** null when one of them cannot be read. One is in memory at a time, and what has been merged. */
async function mergeEntries(
  store: Store,
  { inputs, finestMillis }: Batch,
  originals: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Snapshot | null> {
  let merge = new GrowingMerge();
  let most = MOST_CELLS;
  const sources: (readonly SourceFile[])[] = [];
  for (const { entry } of inputs) {
    const { value: bytes } = await store.readBytes(entry);
    if (bytes === null) return null;
    const { value } = decodeSnapshot(bytes);
    const { value: known } = decodeSources(bytes);
    if (value === null || known === null) return null;
    sources.push(known);
    merge.add(coarsenWindows(value.profile, finestMillis));
    if (finestMillis <= 0 || merge.cellCount < most) continue;
    const joined = coarsenWindows(merge.finish(), finestMillis);
    merge = new GrowingMerge();
    merge.add(joined);
    most = Math.max(MOST_CELLS, 2 * merge.cellCount);
  }
  const profile = coarsenWindows(merge.finish(), finestMillis);
  const { startMillis, endMillis, recorders, debugNonSafepoints } = provenanceOf(inputs);
  const problems = new Map(
    inputs.flatMap(({ reading }) => reading.header.problems).map(problem => [JSON.stringify(problem), problem]),
  );
  const replaces = new Set(inputs.flatMap(({ entry }) => [...originals.get(entry.hash)!]));
  return {
    header: {
      execution: inputs[0]!.entry.execution,
      startMillis,
      endMillis,
      recorder: recorders.join('; '),
      debugNonSafepoints,
      problems: [...problems.values()].slice(0, MOST_PROBLEMS),
      replaces: [...replaces].sort(),
    },
    profile,
    sources: mergeSources(sources),
  };
}
