// Reads the snapshots of a selection and merges them into one profile that remembers where it comes from.
import { present } from '../base/present.ts';
import { NOTHING_RECORDED, type Outcome, type Problem, withoutNotes } from '../base/problem.ts';
import { jvmsOf } from '../cct/jvms.ts';
import { withJvm } from '../cct/map-windows.ts';
import { mergeProfiles } from '../cct/merge.ts';
import type { Profile } from '../cct/profile.ts';
import type { Execution } from '../model/execution.ts';
import { SnapshotReader } from '../snapshot/decode.ts';
import { areGone, type DescribedEntry, type LoadRequest, MOST_LOOKS, selectEntries } from './select-snapshots.ts';
import type { Store, StoreEntry } from './store.ts';

/** The snapshots and recordings behind a loaded profile, for people to judge it. */
export type Provenance = Pick<Execution, 'project' | 'program'> & {
  /** Distinct executions, sorted. */
  readonly executions: readonly Execution[];
  readonly entries: readonly StoreEntry[];
  /** The instance of each JVM by its identity, where it has another name than that; several with "or" between them. */
  readonly instances?: ReadonlyMap<string, string>;
  /** The entries that say what the sources were like. */
  readonly sourceEntries: readonly StoreEntry[];
  readonly startMillis: number;
  readonly endMillis: number;
  readonly recorders: readonly string[];
  /** false as soon as one recording ran without DebugNonSafepoints: lines are approximate then; null when none tells. */
  readonly debugNonSafepoints: boolean | null;
  /** Flaws of the recordings themselves (cut off, unfinished, lost); absent without flaws, or with notes alone. */
  readonly recordingProblems?: readonly Problem[];
  /** Problems that kept snapshots of the selection from being read, in part or as a whole; absent where there were none but notes. */
  readonly readingProblems?: readonly Problem[];
  /** Instances of each benchmark; absent where no snapshot is of one. */
  readonly benchmarks?: ReadonlyMap<string, readonly string[]>;
  /** Every snapshot is one of a benchmark; absent where some come from production. */
  readonly isBenchmark?: true;
  /** Why these versions where the user named none: `version 1.4 is the commit checked out`; absent where the user named one. */
  readonly versionReason?: string;
};

/** More problems of recordings than these are not handed on. */
const MAX_RECORDING_PROBLEMS = 50;

export type Loaded = {
  readonly profile: Profile;
  readonly provenance: Provenance;
  readonly used: readonly DescribedEntry[];
  /** The same without provisional snapshots, to merge the next state of those onto; absent where there are none, or nothing else. */
  readonly base?: Pick<Merged, 'profile' | 'used'>;
};

/** The snapshots that were merged before, so that they need not be read again. */
export type Merged = {
  readonly profile: Profile;
  readonly used: readonly DescribedEntry[];
  /** Whether others may be merged onto the profile; else it only stands for exactly these entries. */
  readonly isExtendable: boolean;
};

/** Snapshots read before they are merged into one: bounds the memory that many small ones take. */
const MERGED_AT_ONCE = 16;

/**
 * null with problems when nothing fits or nothing could be read; broken snapshots are reported and left out. Only what none of
 * `before` has is read: where one of them has exactly what is selected, its very profile comes back.
 */
export async function loadProfile(
  store: Store,
  request: LoadRequest,
  onProgress?: (read: number, all: number) => void,
  signal?: AbortSignal,
  before: readonly Merged[] = [],
): Promise<Outcome<Loaded | null>> {
  const { versions: _versions, instances: _instances, from: _from, to: _to, ...filter } = request;
  const broken = new Set<string>();
  const told: Problem[] = [];
  let selected = await selectEntries(store, request);
  for (let looks = MOST_LOOKS; ; looks--) {
    const problems: Problem[] = [...told, ...selected.problems];
    if (selected.value.length === 0) {
      if (!problems.some(problem => problem.severity === 'error')) problems.push(nothingFits(store, request));
      return { value: null, problems };
    }
    const reading = new Reading(store, onProgress, selected.value.length, problems, signal);
    const value = await reading.load(selected.value, before);
    const wanted = selected.value.map(({ entry }) => entry);
    const isWhole = reading.isCancelled || reading.used.length === wanted.length;
    if (isWhole || looks === 1) return { value, problems };
    // Snapshots that were compacted meanwhile have replacements: the store is listed again. Others may hold the samples of a broken one.
    const isGone = await areGone(store, filter, wanted, reading.used);
    const read = new Set(reading.used.map(({ entry }) => entry.key));
    if (!isGone) for (const { key } of wanted) if (!read.has(key)) broken.add(key);
    const again = await selectEntries(store, request, broken);
    const isSame = again.value.length === read.size && again.value.every(({ entry }) => read.has(entry.key));
    if (!isGone && isSame) return { value, problems };
    if (!isGone) told.push(...problems.slice(told.length + selected.problems.length));
    selected = again;
  }
}

/** Snapshots that are read one after another and merged onto what was read before. */
class Reading {
  used: DescribedEntry[] = [];
  isCancelled = false;
  #profiles: Profile[] = [];
  #done = 0;
  readonly #store: Store;
  readonly #reader = new SnapshotReader();
  readonly #onProgress: ((read: number, all: number) => void) | undefined;
  readonly #all: number;
  readonly #problems: Problem[];
  readonly #signal: AbortSignal | undefined;

  constructor(
    store: Store,
    onProgress: ((read: number, all: number) => void) | undefined,
    all: number,
    problems: Problem[],
    signal: AbortSignal | undefined,
  ) {
    this.#store = store;
    this.#onProgress = onProgress;
    this.#all = all;
    this.#problems = problems;
    this.#signal = signal;
  }

  /** null when nothing could be read, or it was cancelled. */
  async load(selected: readonly DescribedEntry[], before: readonly Merged[]): Promise<Loaded | null> {
    const kept = selected.filter(({ entry }) => entry.liveMillis === undefined);
    const live = selected.filter(({ entry }) => entry.liveMillis !== undefined);
    const exact = live.length === 0 ? undefined : before.find(({ used }) => isExactly(used, selected));
    // Onto what only stands for exactly its entries nothing can be merged.
    const usable = live.length === 0 ? before : before.filter(({ isExtendable }) => isExtendable);
    const known = exact ?? largestWithin(usable, kept);
    if (known !== undefined) {
      this.used = [...known.used];
      this.#profiles = [known.profile];
      this.#done = this.used.length;
    }
    await this.#add(kept);
    const base = live.length > 0 && exact === undefined && this.used.length > 0 ? this.#merged() : undefined;
    await this.#add(live);
    if (this.isCancelled || this.used.length === 0) return null;
    const { profile, used } = this.#merged();
    return { profile, provenance: provenanceOf(used), used, ...(base && { base }) };
  }

  /** Reads the snapshots that are not known yet. */
  async #add(selected: readonly DescribedEntry[]): Promise<void> {
    const has = new Set(this.used.map(({ entry }) => entry.hash));
    for (const described of selected) {
      if (has.has(described.entry.hash) || this.isCancelled) continue;
      if (this.#signal?.aborted) {
        this.#problems.push({ severity: 'error', message: 'loading was cancelled', file: this.#store.location });
        this.isCancelled = true;
        return;
      }
      const snapshot = await this.#store.read(described.entry, this.#reader);
      this.#tell(snapshot.problems);
      if (snapshot.value !== null) {
        this.#profiles.push(withJvm(snapshot.value.profile, described.entry.execution.instance));
        this.used.push(described);
        if (this.#profiles.length === MERGED_AT_ONCE) this.#merged();
      }
      this.#onProgress?.(++this.#done, this.#all);
    }
  }

  /** Notes are told once, not for each of a thousand snapshots of one recorder. */
  #tell(problems: readonly Problem[]): void {
    for (const problem of problems) {
      const isKnown = this.#problems.some(each => each.severity === 'info' && each.message === problem.message);
      if (problem.severity !== 'info' || !isKnown) this.#problems.push(problem);
    }
  }

  /** All that has been read, at least one snapshot, as one profile. */
  #merged(): { readonly profile: Profile; readonly used: readonly DescribedEntry[] } {
    const profile = mergeProfiles(this.#profiles);
    this.#profiles = [profile];
    return { profile, used: [...this.used] };
  }
}

function isExactly(used: readonly DescribedEntry[], selected: readonly DescribedEntry[]): boolean {
  const hashes = new Set(selected.map(({ entry }) => entry.hash));
  return used.length === hashes.size && used.every(({ entry }) => hashes.has(entry.hash));
}

/** The one that has most of the selected entries and no others. */
function largestWithin(before: readonly Merged[], selected: readonly DescribedEntry[]): Merged | undefined {
  const hashes = new Set(selected.map(({ entry }) => entry.hash));
  const fitting = before.filter(
    ({ used, isExtendable }) =>
      (isExtendable || used.length === hashes.size) && used.every(({ entry }) => hashes.has(entry.hash)),
  );
  return fitting.sort((a, b) => b.used.length - a.used.length)[0];
}

function nothingFits(store: Store, request: LoadRequest): Problem {
  const { project, program, version, instances, from, to } = request;
  const instance = request.instance ?? instances?.join(' or ');
  const wanted = Object.entries({ project, program, version, instance })
    .filter(([, text]) => text !== undefined)
    .map(([field, text]) => `${field} ${text}`);
  const timed = (from ?? to) !== undefined;
  const what = `${wanted.length === 0 ? '' : ` of ${wanted.join(', ')}`}${timed ? ' in that time' : ''}`;
  const isAnything = version === undefined && instance === undefined && !timed;
  return {
    severity: 'error',
    message: `the store has no snapshot${what}`,
    file: store.location,
    remedy: 'see what it has with insitu executions, or import a recording with insitu import',
    inEditor: isAnything
      ? NOTHING_RECORDED
      : {
          message: `there are no recordings${what}`,
          remedy: 'insitu.selectExecution lists what there is, insitu.importRecording imports a recording',
        },
  };
}

function instancesOf(used: readonly DescribedEntry[]): ReadonlyMap<string, string> {
  const names = new Map<string, Set<string>>();
  for (const { entry, reading } of used) {
    const { instance } = entry.execution;
    for (const jvm of jvmsOf(reading.windows)) names.set(jvm, (names.get(jvm) ?? new Set()).add(instance));
  }
  return new Map([...names].map(([jvm, all]) => [jvm, [...all].sort().join(' or ')]));
}

function benchmarksOf(used: readonly DescribedEntry[]): Provenance['benchmarks'] {
  const found = new Map<string, Set<string>>();
  for (const { entry, reading } of used) {
    const { benchmark } = reading.header;
    if (benchmark === undefined) continue;
    found.set(benchmark, (found.get(benchmark) ?? new Set()).add(entry.execution.instance));
  }
  return found.size === 0 ? undefined : new Map([...found].map(([name, instances]) => [name, [...instances].sort()]));
}

/** The provenance of a profile that was merged from these entries, at least one. */
export function provenanceOf(used: readonly DescribedEntry[]): Provenance {
  const { project, program } = used[0]!.entry.execution;
  const executions = new Map(used.map(({ entry }) => [JSON.stringify(entry.execution), entry.execution]));
  const headers = used.map(each => each.reading.header);
  const flags = headers.map(header => header.debugNonSafepoints);
  const flaws = headers.flatMap(({ problems }) => withoutNotes(problems));
  return {
    project,
    program,
    executions: [...executions.values()],
    entries: used.map(each => each.entry),
    instances: instancesOf(used),
    sourceEntries: used.filter(each => each.reading.hasSources).map(each => each.entry),
    startMillis: headers.reduce((least, header) => Math.min(least, header.startMillis), Number.POSITIVE_INFINITY),
    endMillis: headers.reduce((most, header) => Math.max(most, header.endMillis), Number.NEGATIVE_INFINITY),
    recorders: [...new Set(headers.map(header => header.recorder))].sort(),
    debugNonSafepoints: flags.includes(false) ? false : flags.includes(true) ? true : null,
    ...present({ benchmarks: benchmarksOf(used) }),
    ...(headers.every(({ benchmark }) => benchmark !== undefined) ? { isBenchmark: true as const } : {}),
    ...(flaws.length > 0 ? { recordingProblems: flaws.slice(0, MAX_RECORDING_PROBLEMS) } : {}),
  };
}
