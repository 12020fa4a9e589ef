// The comparison of one look at a Dataset with a look at its baseline stays, so that opening a box compares nothing again.
import type { Pause } from '../../base/pause.ts';
import type { Profile } from '../../cct/profile.ts';
import type { Analysis } from '../../metrics/analysis.ts';
import type { MethodTimes } from '../../metrics/method-times.ts';
import { type KeyedSelection, selectionKey } from '../../model/look.ts';
import { comparedSide } from './compared-side.ts';
import {
  contextEvidence,
  countJvms,
  type MethodsEvidence,
  methodEvidence,
  secondsOf,
  type TestedValue,
  type Ways,
} from './evidence.ts';
import { type Scale, type ScaledSide, type Scaling, scaleOf } from './scaling.ts';
import { TreeComparison } from './tree-comparison.ts';
import type { ComparedSide } from './united-tree.ts';

/** How two looks are compared. */
export type ComparisonWish = {
  /** Per method row of the baseline: the shown row that it has become; −1 where it has become none. */
  readonly became: Int32Array;
  /** `auto`: anchored where enough code is known to be unchanged, else by share. */
  readonly scaling: Scaling | 'auto';
  /** Per shown method row: 1 where its code is that of the baseline. null where that is not known: then methods of both sides anchor. */
  readonly unchanged: Uint8Array | null;
};

/** What a comparison needs of loaded data. */
export type ComparedData = {
  readonly key: string;
  readonly revision: string;
  readonly selection: KeyedSelection;
  readonly profile: Profile;
  readonly analysis: Analysis;
  readonly values: { readonly total: MethodTimes; readonly self: MethodTimes };
  readonly answers: { readonly comparison: KeptComparison };
};

/** A question about two looks: a row of the table of questions. */
export type ComparingQuestion<P, A> = (
  data: ComparedData,
  parameters: P,
  pause: Pause,
  baseline: ComparedData | null,
) => A;

/** What questions about a comparison are answered from. */
type Compared = {
  readonly comparison: TreeComparison;
  readonly scale: Scale;
};

/** What the JVMs of both sides tell of methods, and of contexts where these have been asked for. */
type KeptEvidence = {
  readonly key: string;
  readonly methods: MethodsEvidence;
  contexts?: ReadonlyMap<number, TestedValue>;
};

/** Labels are shown method rows, then the baseline's rows that became none of them. */
export class KeptComparison {
  #kept: { readonly key: string; readonly became: Int32Array; readonly comparison: TreeComparison } | null = null;
  #evidence: (KeptEvidence & { readonly became: Int32Array }) | null = null;

  /** Compares, unless the same two looks were compared last. */
  of(data: ComparedData, baseline: ComparedData, wish: ComparisonWish, pause: Pause): Compared {
    const comparison = this.#comparisonOf(data, baseline, wish, pause);
    const scaling = scalingOf(data, baseline, wish);
    const scale = scaleOf(scaling, ...scaledSides(data, baseline, { ...wish, scaling }));
    return { comparison, scale };
  }

  /** What the JVMs of both sides tell of methods, unless it is known of the same two looks. No tree is compared. */
  methods(data: ComparedData, baseline: ComparedData, wish: ComparisonWish, pause: Pause): MethodsEvidence {
    return this.#evidenceOf(data, baseline, wish, pause).methods;
  }

  /** The same of contexts, by their rows in the comparison. */
  contexts(
    data: ComparedData,
    baseline: ComparedData,
    wish: ComparisonWish,
    pause: Pause,
  ): ReadonlyMap<number, TestedValue> {
    const kept = this.#evidenceOf(data, baseline, wish, pause);
    kept.contexts ??= contextEvidence(
      this.#comparisonOf(data, baseline, wish, pause),
      [baseline.analysis, data.analysis],
      waysOf(data, baseline, wish),
      kept.methods,
      pause,
    );
    return kept.contexts;
  }

  #evidenceOf(data: ComparedData, baseline: ComparedData, wish: ComparisonWish, pause: Pause): KeptEvidence {
    const { became, scaling, unchanged } = wish;
    const key = `${keyOf(baseline)} ${scaling} ${unchanged === null ? '' : bytesOf(unchanged).toString('base64')}`;
    const kept = this.#evidence;
    if (kept?.key === key && Buffer.compare(bytesOf(kept.became), bytesOf(became)) === 0) return kept;
    const methods = methodEvidence([baseline.analysis, data.analysis], waysOf(data, baseline, wish), pause);
    const found = { key, became, methods };
    this.#evidence = found;
    return found;
  }

  #comparisonOf(data: ComparedData, baseline: ComparedData, { became }: ComparisonWish, pause: Pause): TreeComparison {
    const key = keyOf(baseline);
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

function keyOf({ key, revision, selection }: ComparedData): string {
  return JSON.stringify([key, revision, selectionKey(selection)]);
}

function waysOf(data: ComparedData, baseline: ComparedData, wish: ComparisonWish): Ways {
  const wished = scalingOf(data, baseline, wish);
  const { scaling } = scaleOf(wished, ...scaledSides(data, baseline, { ...wish, scaling: wished }));
  const isAnchored = scaling === 'anchored' || scaling === 'share';
  return { became: wish.became, scaling, anchors: isAnchored ? anchorRows(data, baseline, wish) : NO_ROWS };
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function scaledSides(
  data: ComparedData,
  baseline: ComparedData,
  { became, unchanged, scaling }: ComparisonWish & { readonly scaling: Scaling },
): readonly [ScaledSide, ScaledSide] {
  const side = ({ analysis }: ComparedData): Omit<ScaledSide, 'anchors'> => ({
    whole: analysis.whole.weight,
    seconds: secondsOf(analysis),
    jvms: countJvms(analysis),
  });
  const rows = scaling === 'anchored' ? anchorRows(data, baseline, { became, unchanged }) : NO_ROWS;
  const before = summedBy(became, baseline.values.self.weight, data.values.self.weight.length);
  return [
    { ...side(baseline), anchors: Float64Array.from(rows, row => before[row]!) },
    { ...side(data), anchors: Float64Array.from(rows, row => data.values.self.weight[row]!) },
  ];
}

/** Unchanged code that has less of either side is no measure of the rest. */
const LEAST_ANCHORED = 0.3;

function scalingOf(data: ComparedData, baseline: ComparedData, wish: ComparisonWish): Scaling {
  if (wish.scaling !== 'auto') return wish.scaling;
  if (wish.unchanged === null) return 'share';
  const [before, now] = scaledSides(data, baseline, { ...wish, scaling: 'anchored' });
  const isEnough = ({ anchors, whole }: ScaledSide) =>
    anchors.reduce((sum, each) => sum + each, 0) >= LEAST_ANCHORED * whole;
  return isEnough(before) && isEnough(now) ? 'anchored' : 'share';
}

const NO_ROWS: readonly number[] = [];

/** Fewer samples tell nothing of a ratio. */
const LEAST_SAMPLES = 10;

/** Shown rows of methods that anchor: of both sides, with enough samples, and with unchanged code as far as that is known. */
function anchorRows(
  { values }: ComparedData,
  baseline: ComparedData,
  { became, unchanged }: Pick<ComparisonWish, 'became' | 'unchanged'>,
): number[] {
  const count = summedBy(became, baseline.values.self.count, values.self.count.length);
  const isAnchor = (row: number) =>
    unchanged?.[row] !== 0 && count[row]! >= LEAST_SAMPLES && values.self.count[row]! >= LEAST_SAMPLES;
  return Array.from(count, (_, row) => row).filter(isAnchor);
}

/** Values of the baseline's methods, by the shown methods that they became. */
function summedBy(became: Int32Array, values: Float64Array, shown: number): Float64Array {
  const sums = new Float64Array(shown);
  for (const [then, row] of became.entries()) if (row >= 0) sums[row]! += values[then]!;
  return sums;
}
