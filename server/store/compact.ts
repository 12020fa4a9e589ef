// Compaction: many small snapshots of one execution become few, while others write, read and compact the same store.
//
// A compacted snapshot says which originals it holds, and readers take those as long as they are there (counting.ts has the rule). What
// it replaces is removed when it has been there for the grace time, so that who listed the store before it came has long read or listed
// again, and only after both sides were read back and compared (replaced.ts). A request that is under way for longer than half of the
// grace time is taken to have failed.
import type { Outcome, Problem } from '../base/problem.ts';
import { GrowingMerge } from '../cct/growing-merge.ts';
import type { Profile } from '../cct/profile.ts';
import { limitSingleThreads, withoutSingleThreads } from '../cct/thread-groups.ts';
import { unitedChunks } from '../snapshot/chunks.ts';
import { commonCircumstances } from '../snapshot/circumstances.ts';
import { decodeSources, SnapshotReader } from '../snapshot/decode.ts';
import { namedSections } from '../snapshot/sections.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { mergeSources, type SourceFile } from '../snapshot/source-section.ts';
import { claimedCover, type DescribedEntry, groupsOf, isCompacted, originalsOf } from './claims.ts';
import { coarsenWindows, coarseSpan } from './coarsen.ts';
import { type Counting, decideCounting, executionKey } from './counting.ts';
import { encodeForStore } from './encoded.ts';
import { comparerOf } from './held.ts';
import { type CompactionLevel, DEFAULT_LEVELS, levelAt, oldestLevelFirst } from './levels.ts';
import { provenanceOf } from './load-snapshots.ts';
import { findReplaced, type Replaced } from './replaced.ts';
import { describeEntries } from './select-snapshots.ts';
import type { Store, StoreEntry, StoreFilter } from './store.ts';

/** Longer than two polls of any reader, and than any request. */
const DEFAULT_GRACE_MILLIS = 15 * 60_000;

type CompactOptions = {
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

/** The result of a compaction, or of a dry run. */
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
/** Snapshots merged into one have no more bytes together: bounds memory, and lets every snapshot of a folder move into a bucket. */
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

/** The snapshots of one execution at a time. */
type Look = Counting & { readonly at: number; readonly described: readonly DescribedEntry[] };

/** Whether an entry counts as if it were not there. */
function isUnsure({ lying, unread }: Look, each: DescribedEntry): boolean {
  return lying.has(each) || unread.has(each);
}

/** Compacts one execution. */
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
    let look = await this.#look();
    const { removed, lying } = await this.#removeReplaced(look);
    if (removed > 0 && !this.#dryRun) look = await this.#look();
    this.#problems.push(...look.problems);
    // Snapshots that wait for their removal are not compacted anew, nor are their replacements before they are gone.
    const sure = look.described.filter(each => !isUnsure(look, each) && !lying.has(each.entry.key));
    const groups = groupsOf(sure).filter(group => !group.some(each => look.disputed.has(each)));
    const cover = new Set(groups.flatMap(claimedCover));
    const inputs = this.#withoutForeign(look.counting.filter(each => cover.has(each)));
    const originals = originalsOf(look.described);
    for (const batch of planBatches(inputs, originals, this.#levels, this.#now(), this.#mostBytes)) {
      if (this.#signal?.aborted) break;
      await this.#mergeBatch(batch, originals);
    }
    return { value: this.#sum, problems: this.#problems };
  }

  /** Without snapshots that this version cannot write anew whole, and says so. */
  #withoutForeign(counting: readonly DescribedEntry[]): readonly DescribedEntry[] {
    for (const { entry, reading } of counting) {
      if (reading.foreign.length === 0) continue;
      const message = `${entry.key} is left as it is: this version of insitu does not know ${namedSections(reading.foreign)}`;
      this.#problems.push({
        severity: 'warning',
        message,
        file: this.#store.location,
        remedy: 'compact with a newer insitu',
      });
    }
    return counting.filter(({ reading }) => reading.foreign.length === 0);
  }

  async #look(): Promise<Look> {
    const at = this.#now();
    const nothing = {
      at,
      described: [],
      counting: [],
      lying: new Set<never>(),
      disputed: new Set<never>(),
      unread: new Set<never>(),
      problems: [],
    };
    const { value: entries, problems } = await this.#store.list(this.#execution);
    // Trouble with the listing has been told of once.
    if (problems.some(({ severity }) => severity === 'error')) return nothing;
    const final = entries.filter(({ liveMillis }) => liveMillis === undefined);
    const described = await describeEntries(this.#store, final);
    // A snapshot that could not be read may be the one that counts.
    if (described.value.length < final.length) return { ...nothing, problems: described.problems };
    const decided = await decideCounting(described.value, comparerOf(this.#store));
    return { at, described: described.value, ...decided };
  }

  /** Whether so little time has passed since a look that what was decided by it still holds. */
  #isRecent(at: number): boolean {
    return this.#now() - at <= this.#graceMillis / 2;
  }

  /** How many were removed, or would be, and the keys of what is not what it says. */
  async #removeReplaced(look: Look): Promise<{ readonly removed: number; readonly lying: ReadonlySet<string> }> {
    const { at, disputed } = look;
    const sure = look.described.filter(each => !isUnsure(look, each));
    const old = new Set<DescribedEntry>();
    for (const each of sure.filter(isCompacted)) {
      const stored = await this.#store.storedMillis(each.entry);
      if (stored !== null && at - stored >= this.#graceMillis) old.add(each);
    }
    const before = this.#sum.removed;
    const lying = new Set<string>();
    for await (const found of findReplaced(this.#store, sure, { old, disputed }, this.#levels, this.#now())) {
      this.#problems.push(...found.problems);
      for (const { entry } of found.lying) lying.add(entry.key);
      await this.#remove(found, at);
    }
    return { removed: this.#sum.removed - before, lying };
  }

  async #remove({ replaced }: Replaced, at: number): Promise<void> {
    for (const { entry } of replaced) {
      if (!this.#isRecent(at) || this.#signal?.aborted) return;
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
    // Another process has compacted it in the meantime, or one of them is broken: the next look tells.
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

/** Entries to merge into one snapshot each: of one level and span, as many as fit into one object. The same entries give the same plan. */
function planBatches(
  counting: readonly DescribedEntry[],
  originals: ReadonlyMap<string, ReadonlySet<string>>,
  levels: readonly CompactionLevel[],
  nowMillis: number,
  mostBytes: number,
): readonly Batch[] {
  const oldestFirst = oldestLevelFirst(levels);
  const spans = new Map<string, { readonly finestMillis: number; readonly entries: DescribedEntry[] }>();
  for (const described of counting) {
    const { startMillis, benchmark, fork } = described.reading.header;
    const level = levelAt(startMillis, oldestFirst, nowMillis);
    if (level === undefined) continue;
    // Forks of a benchmark stay apart: each is a measurement of its own.
    const run = benchmark === undefined ? '' : JSON.stringify([benchmark, fork]);
    const key = `${level.spanMillis} ${Math.floor(startMillis / level.spanMillis)} ${run}`;
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
  return new Set(windows.map(window => coarseSpan(window, finestMillis))).size < windows.length;
}

/** Where time becomes coarser, single threads go too. */
function coarsened(profile: Profile, finestMillis: number): Profile {
  return finestMillis <= 0 ? profile : withoutSingleThreads(coarsenWindows(profile, finestMillis));
}

/** null when one of them cannot be read. One is in memory at a time, and what has been merged. */
async function mergeEntries(
  store: Store,
  { inputs, finestMillis }: Batch,
  originals: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Snapshot | null> {
  const reader = new SnapshotReader();
  let merge = new GrowingMerge();
  let most = MOST_CELLS;
  const sources: (readonly SourceFile[])[] = [];
  for (const { entry } of inputs) {
    const { value: bytes } = await store.readBytes(entry);
    if (bytes === null) return null;
    const { value } = reader.read(bytes);
    const { value: known } = decodeSources(bytes);
    if (value === null || known === null) return null;
    sources.push(known);
    merge.add(coarsened(value.profile, finestMillis));
    if (finestMillis <= 0 || merge.cellCount < most) continue;
    const joined = coarsenWindows(merge.finish(), finestMillis);
    merge = new GrowingMerge();
    merge.add(joined);
    most = Math.max(MOST_CELLS, 2 * merge.cellCount);
  }
  const profile = limitSingleThreads(coarsenWindows(merge.finish(), finestMillis));
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
      ...unitedChunks(inputs.map(({ reading }) => reading.header)),
      ...commonCircumstances(inputs.map(({ reading }) => reading.header)),
      ...(inputs.some(isCompacted) && { madeOf: inputs.map(({ entry }) => entry.hash).sort() }),
    },
    profile,
    sources: mergeSources(sources),
  };
}
