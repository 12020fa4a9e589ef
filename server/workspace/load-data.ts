// Reads what a source names, merges it, folds generated methods away and works out the values: all in one go, in any thread.
import type { Outcome, Problem } from '../base/problem.ts';
import type { Profile } from '../cct/profile.ts';
import { analyse } from '../metrics/analysis.ts';
import { callSiteAmounts } from '../metrics/call-sites.ts';
import { methodTimes, selfTimes } from '../metrics/method-times.ts';
import { type Loaded, loadProfile, type Provenance } from '../store/load.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import type { Missing } from './choice.ts';
import { chooseProgram } from './choose-program.ts';
import { versionForCode } from './choose-version.ts';
import { type FoldedData, foldData } from './folded-data.ts';
import type { TransferableData } from './loaded-data.ts';
import { type Part, selectPart } from './part.ts';
import type { Source } from './source.ts';

/** How far a load is: `done` of `all` snapshots read. */
export type LoadProgress = { readonly done: number; readonly all: number };

/** What came of a load, and what the source names that the store does not hold. */
export type LoadOutcome<T> = Outcome<T | null> & { readonly missing: readonly Missing[] };

/** null with problems that say what is missing, where, and what to do. Never throws for what stands in a store. */
export async function loadData(
  source: Source,
  onProgress: (progress: LoadProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<LoadOutcome<TransferableData>> {
  const { value, problems, missing } = await loadMerged(source, onProgress, signal);
  if (value === null) return { value: null, problems, missing };
  const { profile, provenance } = value;
  return { ...prepareData(profile, provenance, source.metric, problems, source.part), missing };
}

/** Reads what the source names and merges it. */
async function loadMerged(
  source: Source,
  onProgress: (progress: LoadProgress) => void,
  signal?: AbortSignal,
): Promise<LoadOutcome<Loaded>> {
  if (source.file !== undefined) {
    const { loadFile } = await import('./load-file.ts');
    return { ...(await loadFile(source.file, source, (done, all) => onProgress({ done, all }))), missing: [] };
  }
  const opened = openStore(source.store);
  if (opened.value === null) return { value: null, problems: opened.problems, missing: [] };
  const store = opened.value;
  const chosen = await chooseProgram(store, source);
  const before = [...opened.problems, ...chosen.problems];
  if (chosen.value === null) return { value: null, problems: before, missing: [] };
  const own = source.version === null ? await versionForCode(store, source, chosen.value) : null;
  const version = source.version ?? own?.value ?? null;
  const { instances, fromMillis, toMillis } = source.part ?? {};
  const request = {
    project: source.project,
    program: chosen.value,
    ...(version !== null && { version }),
    ...(instances && { instances }),
    ...(fromMillis !== undefined && { fromMillis }),
    ...(toMillis !== undefined && { toMillis }),
  };
  const loaded = await loadProfile(store, request, (done, all) => onProgress({ done, all }), signal);
  const problems = [...before, ...(own?.problems ?? []), ...loaded.problems];
  if (loaded.value !== null) return { value: loaded.value, problems, missing: [] };
  const missing = await missingIn(store, source, chosen.value);
  return { value: null, problems: withReason(problems, source, chosen.value), missing };
}

/** The first of what the source names that the store knows nothing of. */
async function missingIn(store: Store, { project, version, part }: Source, program: string): Promise<Missing[]> {
  const { value: entries } = await store.list({ project, program });
  if (entries.length === 0) return ['program'];
  const ofVersion = entries.filter(({ execution }) => version === null || execution.version === version);
  if (ofVersion.length === 0) return ['version'];
  const instances = part?.instances;
  const some = instances === undefined || ofVersion.some(({ execution }) => instances.includes(execution.instance));
  return some ? [] : ['instances'];
}

/** Folds a merged profile, grafts its partial stacks and analyses it. Also the way to show a recording that was never put into a store. */
export function prepareData(
  merged: Profile,
  provenance: Provenance,
  metricId: string | null,
  problems: readonly Problem[] = [],
  part: Part = {},
): Outcome<TransferableData | null> {
  return analyseData(foldData(merged), provenance, metricId, problems, part);
}

/** Works out the values of what is looked at. A few passes over the tree give what asking method by method would take far longer for. */
export function analyseData(
  folded: FoldedData,
  provenance: Provenance,
  metricId: string | null,
  problems: readonly Problem[] = [],
  part: Part = {},
): Outcome<TransferableData | null> {
  const { profile, index, sites, lines, classColumns, foldedByNameOnly } = folded;
  const chosen = chooseMetric(profile, metricId);
  if (chosen.value === null) return { value: null, problems: [...problems, ...chosen.problems] };
  const selected = selectPart(profile, chosen.value, part);
  const all = [...problems, ...chosen.problems, ...selected.problems];
  if (selected.value === null) return { value: null, problems: all };
  const analysis = analyse(profile, index, selected.value);
  const siteAmounts = callSiteAmounts(analysis, sites);
  const values = { total: methodTimes(analysis), self: selfTimes(analysis), sites, siteAmounts };
  return { value: { analysis, lines, classColumns, values, provenance, foldedByNameOnly, part }, problems: all };
}

/** Row of the wanted metric; of `cpu-time`, else `cpu`, else the first, when none is wanted or the wanted one is missing. */
function chooseMetric(profile: Profile, wanted: string | null): Outcome<number | null> {
  const present = profile.metrics.map(metric => metric.id);
  const row = [wanted, 'cpu-time', 'cpu', present[0]].map(id => present.indexOf(id ?? '')).find(at => at >= 0);
  if (row === undefined) {
    const message = 'the snapshots hold no samples of any metric';
    return { value: null, problems: [{ severity: 'error', message, remedy: 'record again under load' }] };
  }
  if (wanted === null || present[row] === wanted) return { value: row, problems: [] };
  const message = `metric "${wanted}" was not recorded; "${present[row]}" is shown instead`;
  return { value: row, problems: [{ severity: 'warning', message, remedy: `recorded: ${present.join(', ')}` }] };
}

/** Makes sure that nothing loaded never goes without a reason. */
function withReason(problems: readonly Problem[], source: Source, program: string): readonly Problem[] {
  if (problems.some(problem => problem.severity === 'error')) return problems;
  const version = source.version === null ? '' : ` version ${source.version}`;
  const message = `no usable snapshot of ${source.project}/${program}${version}`;
  const remedy = 'insitu executions lists what the store holds; insitu import adds a recording';
  return [...problems, { severity: 'error', message, file: source.store, remedy }];
}
