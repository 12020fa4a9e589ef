// The comparison of one look at a Dataset with a look at its baseline stays, so that opening a box compares nothing again.
import { assert } from '../../base/assert.ts';
import type { Pause } from '../../base/pause.ts';
import type { Profile } from '../../cct/profile.ts';
import type { Analysis } from '../../metrics/analysis.ts';
import type { MethodTimes } from '../../metrics/method-times.ts';
import { type KeyedSelection, selectionKey } from '../../model/look.ts';
import { type AnchoredPart, Anchors, CodeState } from './anchors.ts';
import { comparedSide } from './compared-side.ts';
import type { ContextTests } from './context-tests.ts';
import {
  countJvms,
  labelsOf,
  type MethodsEvidence,
  methodEvidence,
  nanosOfSample,
  partsOf,
  secondsOf,
  type Ways,
} from './evidence.ts';
import { type Scale, type ScaledSide, type Scaling, scaleOf } from './scaling.ts';
import { TreeComparison } from './tree-comparison.ts';
import type { ComparedSide } from './united-tree.ts';

/** How two looks are compared. */
export type ComparisonWish = {
  /** Per method row of the baseline: the shown row that it has become; −1 where it has become none. */
  readonly became: Int32Array;
  /** `auto`: anchored where enough code is known to be unchanged, and agrees, else by share. */
  readonly scaling: Scaling | 'auto';
  /** Units of work that each JVM of both sides did: absolute amounts are compared per unit. null for the same work. */
  readonly work: readonly [before: number, now: number] | null;
  /** Per shown method row its `CodeState`. null where no code is known: then methods of both sides anchor. */
  readonly code: Uint8Array | null;
};

/** The part of loaded data that a comparison needs. */
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

/** The data that questions about a comparison are answered from. */
type Compared = {
  readonly comparison: TreeComparison;
  readonly scale: Scale;
  /** Why it is this scale; empty where it was asked for. */
  readonly why: string;
};

/** How amounts of both sides are made comparable. */
type Decided = Pick<Compared, 'scale' | 'why'> & { readonly ways: Ways };

/** The evidence of the JVMs of both sides about methods, and about contexts where these have been asked for. */
type KeptEvidence = Decided & {
  readonly key: string;
  readonly became: Int32Array;
  methods?: MethodsEvidence;
  contexts?: ContextTests | null;
};

/** Labels are shown method rows, then the baseline's rows that became none of them. */
export class KeptComparison {
  #kept: { readonly key: string; readonly became: Int32Array; readonly comparison: TreeComparison } | null = null;
  /** Evidence of the last two ways to compare, the latest first: a page shows shares, and begins at a finding of anchored amounts. */
  #evidence: readonly KeptEvidence[] = [];

  /** Compares, unless the same two looks were compared last. */
  of(data: ComparedData, baseline: ComparedData, wish: ComparisonWish, pause: Pause): Compared {
    const { scale, why } = this.#scaled(data, baseline, wish, pause);
    const comparison = this.#comparisonOf(data, baseline, wish, pause);
    return { comparison, scale, why: isWithoutCode(wish) ? 'no commits tell which code is unchanged' : why };
  }

  /** The evidence of the JVMs of both sides about methods, kept for the same two looks. No tree is compared but for anchors. */
  methods(data: ComparedData, baseline: ComparedData, wish: ComparisonWish, pause: Pause): MethodsEvidence {
    const kept = this.#scaled(data, baseline, wish, pause);
    kept.methods ??= methodEvidence([baseline.analysis, data.analysis], kept.ways, pause);
    return kept.methods;
  }

  /** The same of contexts; null where the JVMs are too few. */
  contexts(data: ComparedData, baseline: ComparedData, wish: ComparisonWish, pause: Pause): ContextTests | null {
    const kept = this.#scaled(data, baseline, wish, pause);
    const methods = this.methods(data, baseline, wish, pause);
    kept.contexts ??= methods.byContext(this.#comparisonOf(data, baseline, wish, pause), pause);
    return kept.contexts;
  }

  #scaled(data: ComparedData, baseline: ComparedData, wish: ComparisonWish, pause: Pause): KeptEvidence {
    const { became, work, code } = wish;
    const scaling = isWithoutCode(wish) ? 'share' : wish.scaling;
    const key = `${keyOf(baseline)} ${scaling} ${work} ${code === null ? '' : bytesOf(code).toString('base64')}`;
    const [latest, before] = this.#evidence;
    const isKept = (kept: KeptEvidence) =>
      kept.key === key && Buffer.compare(bytesOf(kept.became), bytesOf(became)) === 0;
    if (latest !== undefined && isKept(latest)) return latest;
    const found =
      before !== undefined && isKept(before)
        ? before
        : { key, became, ...this.#decide(data, baseline, { ...wish, scaling }, pause) };
    // The columns of all contexts take much memory.
    if (latest !== undefined) latest.contexts = null;
    this.#evidence = [found, ...(latest === undefined ? [] : [latest])];
    return found;
  }

  #decide(data: ComparedData, baseline: ComparedData, wish: ComparisonWish, pause: Pause): Decided {
    const { became, scaling, work, code } = wish;
    const looks = [baseline.analysis, data.analysis] as const;
    const anchorsOf = (known: Uint8Array) =>
      new Anchors(this.#comparisonOf(data, baseline, wish, pause), labelsOf(looks, became), known, looks, pause);
    if (scaling === 'absolute') {
      const isTimed = looks.every(look => nanosOfSample(look) !== null);
      const unitOf = ({ analysis, side }: AnchoredPart) =>
        ((isTimed && nanosOfSample(analysis)) || 1) / (work?.[side] ?? 1);
      const growth = code === null ? null : anchorsOf(code).growthOfUnchanged(partsOf(looks), unitOf);
      const { unit } = data.profile.metrics[data.analysis.selection.metric]!;
      const remarks = [
        ...(isTimed
          ? ['by the processor time that each JVM took']
          : unit === 'samples'
            ? ['by samples: a busy machine changes how many the same work has']
            : []),
        ...(growth === null ? [] : [`unchanged code too became ${timesText(growth)}: machine, JVM or data`]),
      ];
      return decided(data, baseline, { ...wish, scaling, isTimed }, remarks.join('; '));
    }
    if (scaling !== 'auto' && (code === null || scaling !== 'anchored'))
      return decided(data, baseline, { ...wish, scaling, isTimed: false }, '');
    assert(code !== null, 'unchanged code is looked for where code is known');
    const found = anchorsOf(code).measure(partsOf(looks));
    if ('refusal' in found)
      return decided(data, baseline, { ...wish, scaling: 'share', isTimed: false }, found.refusal);
    const [whole, now] = looks.map(look => look.whole.weight) as [number, number];
    return {
      scale: { scaling: 'anchored', by: [whole, now / found.whole] },
      why: `${found.parts} parts of unchanged code, ${Math.round(100 * found.share)} % of everything, agree`,
      ways: { became, common: () => NO_ROWS, scaling: 'anchored', work: null, isTimed: false, anchoring: found },
    };
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

/** Without commits no code anchors the scale: shares are compared. */
function isWithoutCode({ scaling, code }: ComparisonWish): boolean {
  return scaling === 'auto' && code === null;
}

function keyOf({ key, revision, selection }: ComparedData): string {
  return JSON.stringify([key, revision, selectionKey(selection)]);
}

/** `1.20 × slower`. */
function timesText(growth: number): string {
  return growth > 1 ? `${growth.toFixed(2)} × slower` : `${(1 / growth).toFixed(2)} × faster`;
}

type ScaledWish = ComparisonWish & { readonly scaling: Scaling; readonly isTimed: boolean };

/** Any scale but one that contexts anchor. */
function decided(data: ComparedData, baseline: ComparedData, wish: ScaledWish, why: string): Decided {
  let rows: readonly number[] | null = null;
  const common = (): readonly number[] => {
    rows ??= commonRows(data, baseline, wish);
    return rows;
  };
  const scale = scaleOf(wish.scaling, ...scaledSides(data, baseline, wish, common));
  const { scaling } = scale;
  return {
    scale,
    why,
    ways: { became: wish.became, scaling, common, work: wish.work, isTimed: wish.isTimed, anchoring: null },
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function scaledSides(
  data: ComparedData,
  baseline: ComparedData,
  { became, scaling, work, isTimed }: ScaledWish,
  common: () => readonly number[],
): readonly [ScaledSide, ScaledSide] {
  const side = ({ analysis }: ComparedData, at: 0 | 1): Omit<ScaledSide, 'anchors'> => ({
    whole: analysis.whole.weight,
    seconds: secondsOf(analysis),
    work: countJvms(analysis) * (work?.[at] ?? 1),
    worth: (isTimed && nanosOfSample(analysis)) || 1,
  });
  const bare = (at: 0 | 1): ScaledSide => ({ ...side(at === 0 ? baseline : data, at), anchors: new Float64Array(0) });
  if (scaling !== 'anchored') return [bare(0), bare(1)];
  const rows = common();
  const before = summedBy(became, baseline.values.self.weight, data.values.self.weight.length);
  return [
    { ...side(baseline, 0), anchors: Float64Array.from(rows, row => before[row]!) },
    { ...side(data, 1), anchors: Float64Array.from(rows, row => data.values.self.weight[row]!) },
  ];
}

const NO_ROWS: readonly number[] = [];

/** Fewer samples tell nothing of a ratio. */
const LEAST_SAMPLES = 10;

/** Shown rows of methods that both sides have in common: with enough samples, and with unchanged code as far as that is known. */
function commonRows(
  { values }: ComparedData,
  baseline: ComparedData,
  { became, code }: Pick<ComparisonWish, 'became' | 'code'>,
): number[] {
  const count = summedBy(became, baseline.values.self.count, values.self.count.length);
  const isCommon = (row: number) =>
    (code === null || code[row] === CodeState.same) &&
    count[row]! >= LEAST_SAMPLES &&
    values.self.count[row]! >= LEAST_SAMPLES;
  return Array.from(count, (_, row) => row).filter(isCommon);
}

/** Values of the baseline's methods, by the shown methods that they became. */
function summedBy(became: Int32Array, values: Float64Array, shown: number): Float64Array {
  const sums = new Float64Array(shown);
  for (const [then, row] of became.entries()) if (row >= 0) sums[row]! += values[then]!;
  return sums;
}
