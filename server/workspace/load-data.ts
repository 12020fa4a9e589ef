// Reads what a source names, merges it, folds generated methods away and works out the values: all in one go, in any thread.
import type { Outcome, Problem } from '../base/problem.ts';
import { collapse } from '../cct/collapse.ts';
import { graftPartialStacks } from '../cct/partial.ts';
import type { Profile } from '../cct/profile.ts';
import { indexTree } from '../cct/tree-index.ts';
import { classColumns, observedLines } from '../mapping/class-index.ts';
import { foldsByNameOnly, transparentMethods } from '../mapping/fold.ts';
import { type Analysis, analyse } from '../metrics/analysis.ts';
import { callSiteAmounts, indexCallSites } from '../metrics/call-sites.ts';
import { methodTimes, selfTimes } from '../metrics/method-times.ts';
import { loadProfile, type Provenance } from '../store/load.ts';
import { openStore } from '../store/open-store.ts';
import { calleeGroups } from './callee-groups.ts';
import { chooseProgram } from './choose-program.ts';
import { versionForCode } from './choose-version.ts';
import type { MethodValues, TransferableData } from './loaded-data.ts';
import { type Part, selectPart } from './part.ts';
import type { Source } from './source.ts';

/** How far a load is: `done` of `all` snapshots read. */
export type LoadProgress = { readonly done: number; readonly all: number };

/** null with problems that say what is missing, where, and what to do. Never throws for what stands in a store. */
export async function loadData(
  source: Source,
  onProgress: (progress: LoadProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<Outcome<TransferableData | null>> {
  const opened = openStore(source.store);
  if (opened.value === null) return { value: null, problems: opened.problems };
  const store = opened.value;
  const chosen = await chooseProgram(store, source);
  if (chosen.value === null) return { value: null, problems: [...opened.problems, ...chosen.problems] };
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
  const problems = [...opened.problems, ...chosen.problems, ...(own?.problems ?? []), ...loaded.problems];
  if (loaded.value === null) return { value: null, problems: withReason(problems, source, chosen.value) };
  const { profile, provenance } = loaded.value;
  return prepareData(profile, provenance, source.metric, problems, source.part);
}

/** Folds a merged profile, grafts its partial stacks and analyses it. Also the way to show a recording that was never put into a store. */
export function prepareData(
  merged: Profile,
  provenance: Provenance,
  metricId: string | null,
  problems: readonly Problem[] = [],
  part: Part = {},
): Outcome<TransferableData | null> {
  const chosen = chooseMetric(merged, metricId);
  if (chosen.value === null) return { value: null, problems: [...problems, ...chosen.problems] };
  const { profile } = graftPartialStacks(collapse(merged, transparentMethods(merged.methods)));
  const selected = selectPart(profile, chosen.value, part);
  const all = [...problems, ...chosen.problems, ...selected.problems];
  if (selected.value === null) return { value: null, problems: all };
  const analysis = analyse(profile, indexTree(profile), selected.value);
  const lines = observedLines(profile.tree, profile.cells, profile.methods.length);
  const foldedByNameOnly = foldsByNameOnly(profile.methods);
  return {
    value: {
      analysis,
      lines,
      classColumns: classColumns(profile.methods),
      values: methodValues(analysis),
      provenance,
      foldedByNameOnly,
      part,
    },
    problems: all,
  };
}

/** A few passes over the tree give what asking method by method would take far longer for. */
function methodValues(analysis: Analysis): MethodValues {
  const { profile } = analysis;
  const sites = indexCallSites(profile, calleeGroups(profile.methods));
  return {
    total: methodTimes(analysis),
    self: selfTimes(analysis),
    sites,
    siteAmounts: callSiteAmounts(analysis, sites),
  };
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
