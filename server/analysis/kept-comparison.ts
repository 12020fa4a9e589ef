// The comparison of one look at a Dataset with a look at its baseline stays, so that opening a box compares nothing again.
import type { Pause } from '../base/pause.ts';
import { TreeComparison } from '../cct/compare/tree-comparison.ts';
import type { ComparedSide } from '../cct/compare/united-tree.ts';
import type { Analysis } from '../metrics/analysis.ts';
import { comparedSide } from '../metrics/compared/compared-side.ts';
import { type Scale, type ScaledSide, type Scaling, scaleOf } from '../metrics/compared/scaling.ts';
import type { MethodTimes } from '../metrics/method-times.ts';
import { type Selection, selectionKey } from './selection.ts';

/** How two looks are compared. */
export type ComparisonWish = {
  /** Per method row of the baseline: the shown row that it has become; −1 where it has become none. */
  readonly became: Int32Array;
  readonly scaling: Scaling;
  /** Per shown method row: 1 where its code is that of the baseline. null where that is not known: then methods of both sides anchor. */
  readonly unchanged: Uint8Array | null;
};

/** What a comparison needs of loaded data. */
type Look = {
  readonly key: string;
  readonly revision: string;
  readonly selection: Selection;
  readonly analysis: Analysis;
  readonly values: { readonly self: MethodTimes };
};

/** What questions about a comparison are answered from. */
type Compared = {
  readonly comparison: TreeComparison;
  readonly scale: Scale;
};

/** Labels are shown method rows, then the baseline's rows that became none of them. */
export class KeptComparison {
  #kept: { readonly key: string; readonly became: Int32Array; readonly comparison: TreeComparison } | null = null;

  /** Compares, unless the same two looks were compared last. */
  of(data: Look, baseline: Look, wish: ComparisonWish, pause: Pause): Compared {
    return {
      comparison: this.#comparisonOf(data, baseline, wish, pause),
      scale: scaleOf(wish.scaling, ...scaledSides(data, baseline, wish)),
    };
  }

  #comparisonOf(data: Look, baseline: Look, { became }: ComparisonWish, pause: Pause): TreeComparison {
    const key = JSON.stringify([baseline.key, baseline.revision, selectionKey(baseline.selection)]);
    const kept = this.#kept;
    if (kept?.key === key && Buffer.compare(bytesOf(kept.became), bytesOf(became)) === 0) return kept.comparison;
    const [shown, before] = [data.analysis.profile.methods.length, baseline.analysis.profile.methods.length];
    const labels = Int32Array.from(became, (row, then) => (row >= 0 ? row : shown + then));
    const first: ComparedSide = comparedSide(baseline.analysis, labels);
    const second = comparedSide(
      data.analysis,
      Int32Array.from({ length: shown }, (_, row) => row),
    );
    const comparison = new TreeComparison(first, second, shown + before, pause);
    this.#kept = { key, became, comparison };
    return comparison;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function scaledSides(
  data: Look,
  baseline: Look,
  { became, unchanged, scaling }: ComparisonWish,
): readonly [ScaledSide, ScaledSide] {
  const side = ({ analysis }: Look): Omit<ScaledSide, 'anchors'> => ({
    whole: analysis.whole.weight,
    seconds: secondsOf(analysis),
  });
  const [before, now] = scaling === 'anchored' ? anchorsOf(data, baseline, became, unchanged) : [NONE, NONE];
  return [
    { ...side(baseline), anchors: before },
    { ...side(data), anchors: now },
  ];
}

const NONE = new Float64Array(0);

/** Fewer samples tell nothing of a ratio. */
const LEAST_SAMPLES = 10;

function anchorsOf(
  { values }: Look,
  baseline: Look,
  became: Int32Array,
  unchanged: Uint8Array | null,
): [before: Float64Array, now: Float64Array] {
  const before = new Float64Array(values.self.weight.length);
  const count = new Float64Array(before.length);
  for (const [then, row] of became.entries()) {
    if (row < 0 || unchanged?.[row] === 0) continue;
    before[row]! += baseline.values.self.weight[then]!;
    count[row]! += baseline.values.self.count[then]!;
  }
  const isAnchor = (row: number) => count[row]! >= LEAST_SAMPLES && values.self.count[row]! >= LEAST_SAMPLES;
  const rows = Array.from(before, (_, row) => row).filter(isAnchor);
  return [Float64Array.from(rows, row => before[row]!), Float64Array.from(rows, row => values.self.weight[row]!)];
}

/** Of the windows that are looked at. */
function secondsOf({ profile, selection: { windows } }: Analysis): number {
  let millis = 0;
  for (const [at, { startMillis, endMillis }] of profile.windows.entries())
    if (windows === undefined || windows[at] === 1) millis += endMillis - startMillis;
  return millis / 1000;
}
