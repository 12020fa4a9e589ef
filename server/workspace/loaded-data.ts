// What features compute from once a source is loaded: a folded profile, its values under one selection, and where it comes from.
import type { Metric, Profile } from '../cct/profile.ts';
import { type ClassIndex, indexMethods, type MethodLines } from '../mapping/class-index.ts';
import type { Analysis } from '../metrics/analysis.ts';
import type { Provenance } from '../store/load.ts';

/** What a worker sends: columns and plain tables only, so that it can be transferred between threads. */
export type TransferableData = {
  readonly analysis: Analysis;
  /** Lines seen in each method row of the folded profile. */
  readonly lines: MethodLines;
  readonly provenance: Provenance;
  /** The recordings carried no access flags, so bridges could be folded by name only. */
  readonly foldedByNameOnly: boolean;
};

export type LoadedData = TransferableData & {
  /** The analysis's own profile: transparent methods are folded away. */
  readonly profile: Profile;
  readonly metric: Metric;
  readonly classes: ClassIndex;
};

/** Adds what is cheaper to rebuild than to transfer. */
export function completeData(data: TransferableData): LoadedData {
  const { profile, selection } = data.analysis;
  const metric = profile.metrics[selection.metric]!;
  return { ...data, profile, metric, classes: indexMethods(profile.methods, data.lines) };
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
