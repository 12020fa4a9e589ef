// Reads what a source names, from a store or a file, and merges it; says what is missing where nothing comes of it.
import type { Outcome, Problem } from '../base/problem.ts';
import { type Loaded, loadProfile, type Merged } from '../store/load-snapshots.ts';
import { openStore } from '../store/open-store.ts';
import type { StoreEntry } from '../store/store.ts';
import { chooseProgram } from './choose-program.ts';
import type { VersionChooser } from './choose-version.ts';
import { knownVersions, versionMeant } from './known-versions.ts';
import type { Wish } from './wish.ts';

/** The names that were asked for and are not in the store. */
export type Missing = 'program' | 'version' | 'instances';

/** How far a load is: `done` of `all` snapshots read. */
export type LoadProgress = { readonly done: number; readonly all: number };

/** The outcome of a load, and the names of the source that the store does not hold. */
export type LoadOutcome<T> = Outcome<T | null> & { readonly missing: readonly Missing[] };

/** Reads what the source names and merges it, as far as that is not among what was merged before. */
export async function loadMerged(
  wish: Wish,
  versions: VersionChooser,
  tell: (progress: LoadProgress) => void,
  signal?: AbortSignal,
  before: readonly Merged[] = [],
): Promise<LoadOutcome<Loaded>> {
  const onProgress = (done: number, all: number) => tell({ done, all });
  if (wish.files !== undefined) {
    const { loadFiles } = await import('./load-file.ts');
    return { ...(await loadFiles(wish.files, wish, onProgress)), missing: [] };
  }
  const opened = openStore(wish.store);
  if (opened.value === null) return { value: null, problems: opened.problems, missing: [] };
  const store = opened.value;
  const chosen = await chooseProgram(store, wish);
  const first = [...opened.problems, ...chosen.problems];
  if (chosen.value === null) return { value: null, problems: first, missing: [] };
  const own = wish.version === null ? await versions.forCode(store, wish, chosen.value) : null;
  const version = wish.version ?? own?.value.version ?? null;
  const { instances, within } = wish;
  const request = {
    project: wish.project,
    program: chosen.value,
    ...(version !== null && { version }),
    ...(instances && { instances }),
    ...within,
  };
  const because = own === null ? {} : { versionReason: own.value.reason };
  const loaded = await loadProfile(store, request, onProgress, signal, before);
  const problems = distinct([...first, ...(own?.problems ?? []), ...loaded.problems]);
  if (loaded.value !== null) {
    const { provenance, ...rest } = loaded.value;
    return { value: { ...rest, provenance: { ...provenance, ...because } }, problems, missing: [] };
  }
  const { value: entries } = await store.list({ project: wish.project, program: chosen.value });
  const missing = missingIn(entries, wish);
  const reasons = withReason(problems, wish, chosen.value);
  if (missing[0] !== 'version') return { value: null, problems: reasons, missing };
  const meant = await versionMeant(wish, chosen.value, entries);
  if (meant !== null) return loadMerged({ ...wish, version: meant }, versions, tell, signal, before);
  return { value: null, problems: [...reasons, await knownVersions(wish, chosen.value, entries)], missing };
}

/** The first of what the source names that the store knows nothing of. */
function missingIn(entries: readonly StoreEntry[], { version, instances }: Wish): Missing[] {
  if (entries.length === 0) return ['program'];
  const ofVersion = entries.filter(({ execution }) => version === null || execution.version === version);
  if (ofVersion.length === 0) return ['version'];
  const some = instances === undefined || ofVersion.some(({ execution }) => instances.includes(execution.instance));
  return some ? [] : ['instances'];
}

/** Each look at the store says the same of it. */
function distinct(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()];
}

/** Makes sure that nothing loaded never goes without a reason. */
function withReason(problems: readonly Problem[], wish: Wish, program: string): readonly Problem[] {
  if (problems.some(problem => problem.severity === 'error')) return problems;
  const version = wish.version === null ? '' : ` version ${wish.version}`;
  const message = `no usable snapshot of ${wish.project}/${program}${version}`;
  const remedy = 'insitu executions lists what the store holds; insitu import adds a recording';
  return [...problems, { severity: 'error', message, file: wish.store, remedy }];
}
