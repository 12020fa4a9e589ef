// Analysis of a profile under one selection: dense self and total values of every node, from which all queries are answered.
import type { Profile } from '../cct/profile.ts';
import type { TreeIndex } from '../cct/tree-index.ts';

/** What is looked at: one metric, and optionally a subset of threads, windows and nodes. */
export type Selection = {
  /** Row in `profile.metrics`. */
  readonly metric: number;
  /** One byte a thread row, 1 = selected; all when absent. */
  readonly threads?: Uint8Array;
  /** One byte a window, 1 = selected; all when absent. */
  readonly windows?: Uint8Array;
  /** Outermost nodes of a focus, ascending; samples and stacks are cut to what lies at or below them. All when absent. */
  readonly focus?: Int32Array;
};

/** A sum over samples: their weights in the metric's unit, and how many they were. */
export type Amount = { readonly weight: number; readonly count: number };

/** Dense values of one selection. Columns of weight and count are the same array where the metric's unit is `samples`. */
export type Analysis = {
  readonly profile: Profile;
  readonly index: TreeIndex;
  readonly selection: Selection;
  /** Per node: samples with this node innermost; 0 outside the scope. */
  readonly selfWeight: Float64Array;
  readonly selfCount: Float64Array;
  /** Per node: samples at or below this node; 0 outside the scope. */
  readonly totalWeight: Float64Array;
  readonly totalCount: Float64Array;
  /** Cells of node i in the selection's metric are the rows cellOffsets[i] … cellOffsets[i+1]−1. */
  readonly cellOffsets: Int32Array;
  /** One byte a node: 1 where it counts (inside the focus and no partial stack); null when every node counts. */
  readonly scope: Uint8Array | null;
  /** Σ w(S), the denominator of all shares: what the selection holds, partial stacks left out. */
  readonly whole: Amount;
  /** Selected samples in unmerged partial stacks: part of no share. */
  readonly incomplete: Amount;
  /** incomplete / (whole + incomplete) by weight, 0 when both are 0. */
  readonly incompleteShare: number;
  /** Selected samples that came without any stack; part of `whole`. */
  readonly withoutStack: Amount;
};

/**
 * Computes dense values of `selection` over `profile`. O(nodes + cells of the metric).
 * A metric row outside the table is a bug of the caller and throws.
 */
export function analyse(profile: Profile, index: TreeIndex, selection: Selection): Analysis {
  throw new Error(`not yet: ${profile.metrics.length} ${index.offsets.length} ${selection.metric}`);
}
