// Works out the values of a Dataset under one Selection.

import { type Outcome, type Problem, withoutNotes } from '../base/problem.ts';
import { listedMetrics, listedRows } from '../cct/listed-metrics.ts';
import type { Profile } from '../cct/profile.ts';
import { SECOND_COLUMN, twoColumnsText } from '../ingest/collapsed/two-columns.ts';
import { type Analysis, analyse } from '../metrics/analysis.ts';
import { callSiteAmounts } from '../metrics/call-sites.ts';
import { methodTimes, selfTimes } from '../metrics/method-times.ts';
import { ownTimes } from '../metrics/own-times.ts';
import { effectiveWhole } from '../metrics/queries.ts';
import { selfLineAmounts } from '../metrics/self-lines.ts';
import { TYPED, TYPED_FROM } from '../model/time-types.ts';
import { type Dataset, Datasets, type LoadProgress, provenanceWithin } from './datasets.ts';
import type { FoldedData } from './folded-data.ts';
import type { MethodValues, TransferableData } from './loaded-data.ts';
import { type Selection, selectRows } from './selection.ts';
import type { Wish } from './wish.ts';

/** Reads what one wish names and looks at it. null with problems that say what is missing, where, and what to do. */
export async function loadData(
  wish: Wish,
  selection: Selection,
  onProgress: (progress: LoadProgress) => void = () => {},
): Promise<Outcome<TransferableData | null>> {
  const { value, problems } = await new Datasets().load(wish, onProgress);
  return value === null ? { value, problems } : selectData(value, selection);
}

/** Works out the values of what is looked at. A few passes over the tree give what asking method by method would take far longer for. */
export function selectData(dataset: Dataset, selection: Selection): Outcome<TransferableData | null> {
  const { folded, wish, key, revision } = dataset;
  const { value: analysis, problems: looked } = analyseData(folded, selection);
  const problems = [...withColumns(dataset.problems, folded.profile), ...looked];
  if (analysis === null) return { value: null, problems };
  const { profile: _profile, index: _index, ...own } = analysis;
  const { sites: _sites, ...values } = valuesOf(folded, analysis);
  const provenance = provenanceWithin(dataset, selection);
  const named = { wish, key, revision, selection, selectionProblems: withoutNotes(looked) };
  return { value: { folded, selected: { ...named, analysis: own, values, provenance } }, problems };
}

/** Sums up what is looked at, node by node. */
export function analyseData({ profile, index }: FoldedData, selection: Selection): Outcome<Analysis | null> {
  const chosen = chooseMetric(profile, selection.metric ?? null);
  if (chosen.value === null) return { value: null, problems: chosen.problems };
  const selected = selectRows(profile, index, chosen.value, selection);
  const all = [...chosen.problems, ...selected.problems];
  return { value: selected.value === null ? null : analyse(profile, index, selected.value), problems: all };
}

/** Values of every method. */
export function valuesOf({ sites, lines, own }: FoldedData, analysis: Analysis): MethodValues {
  return {
    total: methodTimes(analysis),
    self: selfTimes(analysis),
    own: ownTimes(analysis, own.isOwn),
    selfLines: selfLineAmounts(analysis, lines),
    sites,
    siteAmounts: callSiteAmounts(analysis, sites),
    effectiveWhole: effectiveWhole(analysis),
  };
}

/** Row of the wanted metric; of `cpu-time`, else `cpu`, else the first, when none is wanted or the wanted one is missing. */
export function metricRow(profile: Profile, wanted: string | null): number | null {
  const rows = listedRows(profile);
  const rowOf = (id: string | null) => rows.find(row => profile.metrics[row]!.id === id);
  return rowOf(wanted) ?? rowOf('cpu-time') ?? rowOf('cpu') ?? rows[0] ?? null;
}

/** A look with the name of its metric, also where the given look names none. */
export function withMetric({ profile }: FoldedData, selection: Selection): Selection {
  const row = selection.metric === undefined ? metricRow(profile, null) : null;
  return row === null ? selection : { ...selection, metric: profile.metrics[row]!.id };
}

/** The problems, with a note on a metric that is one of two numbers of each stack, wherever the profile comes from. */
function withColumns(problems: readonly Problem[], { metrics }: Profile): readonly Problem[] {
  const message = twoColumnsText(metrics);
  if (message === null || problems.some(problem => problem.message === message)) return problems;
  return [...problems, { severity: 'info', message, remedy: `--metric ${SECOND_COLUMN} shows the second` }];
}

function chooseMetric(profile: Profile, wanted: string | null): Outcome<number | null> {
  const present = profile.metrics.map(metric => metric.id);
  const row = metricRow(profile, wanted);
  if (row === null) {
    const message = 'the data hold no samples of any metric';
    return {
      value: null,
      problems: [{ severity: 'error', message, remedy: 'insitu import names the events that a recording has' }],
    };
  }
  if (wanted === null || present[row] === wanted) return { value: row, problems: [] };
  const listed = listedMetrics(profile).map(({ id }) => id);
  const message = `metric "${wanted}" was not recorded; "${present[row]}" is shown instead`;
  const from = wanted === TYPED.id ? `${TYPED_FROM}; ` : '';
  return { value: row, problems: [{ severity: 'warning', message, remedy: `${from}recorded: ${listed.join(', ')}` }] };
}
