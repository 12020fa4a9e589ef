// The data that features compute from once a source is loaded: a folded profile, its values under one selection, and where it comes from.

import type { Problem } from '../base/problem.ts';
import type { Metric } from '../cct/profile.ts';
import type { Analysis } from '../metrics/analysis.ts';
import type { CallSiteAmounts, CallSites } from '../metrics/call-sites.ts';
import type { MethodTimes } from '../metrics/method-times.ts';
import type { OwnTimes } from '../metrics/own-times.ts';
import type { Provenance } from '../store/load-snapshots.ts';
import { Answers } from './answers.ts';
import type { FoldedData } from './folded-data.ts';
import type { Selection } from './selection.ts';
import type { Wish } from './wish.ts';

/** Values of every method under the analysis' selection, so that what features ask for most is looked up and not walked for. */
export type MethodValues = {
  readonly total: MethodTimes;
  readonly self: MethodTimes;
  readonly own: OwnTimes;
  /** Per row of `FoldedData.lines`: samples in which the line itself was running. */
  readonly selfLines: MethodTimes;
  /** Calls of one line are grouped as `calleeGroups` says. */
  readonly sites: CallSites;
  readonly siteAmounts: CallSiteAmounts;
  /** How many equally weighted samples have the sampling error of all that is looked at. */
  readonly effectiveWhole: number;
};

/** Names what was looked at: the Dataset, its state, and the Selection. */
type Looked = {
  /** With the program and version that were found. */
  readonly wish: Wish;
  /** Of the Dataset. */
  readonly key: string;
  /** Of the Dataset. */
  readonly revision: string;
  readonly selection: Selection;
  /** Parts of the selection that mean nothing in the Dataset, or were replaced by others; notes aside. */
  readonly selectionProblems: readonly Problem[];
};

/** The data that questions are answered from: shared columns, tables and names. */
export type HeldDataset = Omit<Looked, 'selection' | 'selectionProblems'> & {
  readonly folded: FoldedData;
  readonly provenance: Provenance;
};

/** The result of one Selection of a Dataset: plain values and columns only, so that a worker can send it. */
export type SelectedData = Looked & {
  readonly analysis: Omit<Analysis, 'profile' | 'index'>;
  readonly values: Omit<MethodValues, 'sites'>;
  readonly provenance: Provenance;
};

/** The result of a load: folded data, which several loads may share, and the selected part of them. */
export type TransferableData = { readonly folded: FoldedData; readonly selected: SelectedData };

export type LoadedData = Omit<FoldedData, 'index' | 'sites'> &
  Looked & {
    readonly analysis: Analysis;
    readonly values: MethodValues;
    readonly provenance: Provenance;
    readonly metric: Metric;
    /** The answers about it so far. */
    readonly answers: Answers;
    /** The Dataset that questions about the same data are asked with. */
    readonly dataset: HeldDataset;
  };

/** Puts together what features see. O(1): it runs on the thread that answers the editor. */
export function completeData({ folded, selected }: TransferableData): LoadedData {
  const { index, sites, ...kept } = folded;
  const { profile } = kept;
  const { wish, key, revision, provenance } = selected;
  return {
    ...kept,
    ...selected,
    analysis: { ...selected.analysis, profile, index },
    values: { ...selected.values, sites },
    metric: profile.metrics[selected.analysis.selection.metric]!,
    answers: new Answers(),
    dataset: { wish, key, revision, folded, provenance },
  };
}
