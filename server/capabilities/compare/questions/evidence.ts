// The question what the JVMs of both sides tell of the differences between methods.
import { assert } from '../../../base/assert.ts';
import type { TestedMethod } from '../evidence.ts';
import { decideGate, FOUR_LOOKS, type Gate, ONE_LOOK } from '../gate.ts';
import type { ComparingQuestion, ComparisonWish } from '../kept-comparison.ts';

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
  /** Samples that anchor the scale, of the JVM with the fewest; null where nothing does. */
  readonly anchorSamples: number | null;
};

export const evidence: ComparingQuestion<EvidenceWish, MethodEvidence> = (data, wish, pause, baseline) => {
  assert(baseline !== null, 'two sides are compared with a baseline');
  const { jvms, methods, methodTest, anchorSamples } = data.answers.comparison.methods(data, baseline, wish, pause);
  const shown = data.profile.methods.length;
  const { check } = wish;
  const isTotal = (at: number) => methods[at]!.of === 'total';
  return {
    jvms,
    methods: methods.map(({ label, ...method }) => ({
      ...method,
      method: label < shown ? label : -1,
      methodThen: label < shown ? -1 : label - shown,
    })),
    anchorSamples,
    gate:
      check === null || methods.length === 0
        ? null
        : gateOf(
            anchorSamples,
            decideGate(methodTest, jvms, check.limit, isTotal, check.isPlanned ? FOUR_LOOKS : ONE_LOOK),
          ),
  };
};

/** Fewer samples of anchors a JVM scale amounts too roughly for a check: their own error is one part in forty. */
export const LEAST_ANCHOR_SAMPLES = 1600;

function gateOf(anchorSamples: number | null, gate: Gate): Gate {
  const isRough = anchorSamples !== null && anchorSamples < LEAST_ANCHOR_SAMPLES;
  return isRough ? { ...gate, end: 'undecided' } : gate;
}
