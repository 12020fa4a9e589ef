// What features compute from once a source is loaded: a folded profile, its values under one selection, and where it comes from.
import type { Metric, Profile } from '../cct/profile.ts';
import { type ClassColumns, type ClassIndex, classIndex, type MethodLines } from '../mapping/class-index.ts';
import type { Analysis } from '../metrics/analysis.ts';
import type { CallSiteAmounts, CallSites } from '../metrics/call-sites.ts';
import type { MethodTimes } from '../metrics/method-times.ts';
import type { Provenance } from '../store/load.ts';
import type { Part } from './part.ts';

/** Values of every method under the analysis' selection, so that what features ask for most is looked up and not walked for. */
export type MethodValues = {
  readonly total: MethodTimes;
  readonly self: MethodTimes;
  /** Calls of one line are grouped as `calleeGroups` says. */
  readonly sites: CallSites;
  readonly siteAmounts: CallSiteAmounts;
};

/** What a worker sends: columns and plain tables only, so that it can be transferred between threads. */
export type TransferableData = {
  readonly analysis: Analysis;
  /** Lines seen in each method row of the folded profile. */
  readonly lines: MethodLines;
  /** Methods by class. */
  readonly classColumns: ClassColumns;
  readonly values: MethodValues;
  readonly provenance: Provenance;
  /** The recordings carried no access flags, so bridges could be folded by name only. */
  readonly foldedByNameOnly: boolean;
  /** What of the provenance's data is looked at. */
  readonly part: Part;
};

export type LoadedData = TransferableData & {
  /** The analysis's own profile: transparent methods are folded away. */
  readonly profile: Profile;
  readonly metric: Metric;
  readonly classes: ClassIndex;
};

/** Puts together what features see. O(1): it runs on the thread that answers the editor. */
export function completeData(data: TransferableData): LoadedData {
  const { profile, selection } = data.analysis;
  const metric = profile.metrics[selection.metric]!;
  return { ...data, profile, metric, classes: classIndex(profile.methods, data.lines, data.classColumns) };
}

/** All buffers of `data` that can move to another thread without a copy; shared memory needs no transfer. */
export function transferList(data: TransferableData): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const pending: unknown[] = [data];
  const seen = new Set<unknown>();
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) buffers.add(value.buffer);
    } else if (!isTableOfStrings(value)) pending.push(...Object.values(value));
  }
  return [...buffers];
}

/** Long lists of plain strings hold no buffer; walking them would cost more than everything else. */
function isTableOfStrings(value: object): boolean {
  return Array.isArray(value) && typeof value[0] === 'string';
}
