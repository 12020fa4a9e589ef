// The question what the JVMs of both sides tell of the differences between methods.
import { assert } from '../../../base/assert.ts';
import type { Pause } from '../../../base/pause.ts';
import { PARTIAL_METHOD } from '../../../cct/profile.ts';

import { decideGate, FOUR_LOOKS, type Gate, ONE_LOOK } from '../gate.ts';
import type { ComparedData, ComparingQuestion, ComparisonWish } from '../kept-comparison.ts';
import { wholesOf } from '../responsible.ts';
import type { TestedMethod } from '../tested-rows.ts';

/** Fails where a method grew by more than the limit. */
export type Check = {
  /** As a part of everything before. */
  readonly limit: number;
  /** Whether it is the next one of looks that were fixed beforehand; else it is the only one. */
  readonly isPlanned: boolean;
};

type EvidenceWish = ComparisonWish & {
  /** null without a check. */
  readonly check: Check | null;
};

type JudgedMethod = Omit<TestedMethod, 'label'> & {
  /** Shown method row; −1 where the method is not among them. */
  readonly method: number;
  /** Method row of the baseline where no shown method is it; else −1. */
  readonly methodThen: number;
};

export type MethodEvidence = {
  /** JVMs with samples on each side. */
  readonly jvms: readonly [before: number, now: number];
  /** Empty where the JVMs are too few for a test. */
  readonly methods: readonly JudgedMethod[];
  /** Rows are those of `methods`; null without a check, or without a test. */
  readonly gate: Gate | null;
  /** Of a check without a test: methods that grew by more than the limit with all they call, new ones by their own time; the largest growth first. */
  readonly grown: readonly GrownMethod[];
  /** Samples that anchor the scale, of the JVM with the fewest; null where nothing does. */
  readonly anchorSamples: number | null;
};

export const evidence: ComparingQuestion<EvidenceWish, MethodEvidence> = (data, wish, pause, baseline) => {
  assert(baseline !== null, 'two sides are compared with a baseline');
  const { scaling, jvms, methods, methodTest, roundDeviations, anchorSamples } = data.answers.comparison.methods(
    data,
    baseline,
    wish,
    pause,
  );
  const shown = data.profile.methods.length;
  const { check } = wish;
  const isTotal = (at: number) => methods[at]!.of === 'total';
  // Shares grow where others shrink: the verdict knows.
  const mayFail = (at: number) => scaling !== 'share' || methods[at]!.verdict === 'slower';
  return {
    jvms,
    methods: methods.map(({ label, ...method }) => ({
      ...method,
      method: label < shown ? label : -1,
      methodThen: label < shown ? -1 : label - shown,
    })),
    grown: check === null || methods.length > 0 ? [] : grownMethods(data, baseline, wish, check.limit, pause),
    anchorSamples,
    gate:
      check === null || methods.length === 0
        ? null
        : gateOf(
            anchorSamples,
            decideGate(
              methodTest,
              jvms,
              check.limit,
              { isLooked: isTotal, mayFail, roundDeviations },
              check.isPlanned ? FOUR_LOOKS : ONE_LOOK,
            ),
          ),
  };
};

/** A method, which was not tested. Amounts are parts of everything before. */
type GrownMethod = Pick<JudgedMethod, 'method' | 'before' | 'now'>;

function grownMethods(
  data: ComparedData,
  baseline: ComparedData,
  wish: EvidenceWish,
  limit: number,
  pause: Pause,
): GrownMethod[] {
  const { comparison, scale } = data.answers.comparison.of(data, baseline, wish, pause);
  const whole = wholesOf(comparison, scale)[0] || 1;
  const [then, { total, self }] = [baseline.values.total.weight, data.values];
  const before = new Float64Array(total.weight.length);
  for (const [row, became] of wish.became.entries())
    if (became > PARTIAL_METHOD) before[became]! += then[row]! / scale.by[0] / whole;
  // A new method may only wrap code that was there: its self time alone is new.
  const now = (method: number) => (before[method]! > 0 ? total : self).weight[method]! / scale.by[1] / whole;
  return Array.from(before, (amount, method) => ({ method, before: amount, now: now(method) }))
    .filter(({ method, ...each }) => method > PARTIAL_METHOD && each.now - each.before > limit)
    .sort((a, b) => b.now - b.before - (a.now - a.before));
}

/** Fewer samples of anchors a JVM scale amounts too roughly for a check: their own error is one part in forty. */
export const LEAST_ANCHOR_SAMPLES = 1600;

function gateOf(anchorSamples: number | null, gate: Gate): Gate {
  const isRough = anchorSamples !== null && anchorSamples < LEAST_ANCHOR_SAMPLES;
  return isRough ? { ...gate, end: 'undecided' } : gate;
}
