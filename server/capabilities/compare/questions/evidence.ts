// The question what the JVMs of both sides tell of the differences between methods.
import { assert } from '../../../base/assert.ts';
import type { TestedMethod } from '../evidence.ts';
import { decideGate, type Gate, moreJvms } from '../judge.ts';
import type { ComparingQuestion, ComparisonWish } from '../kept-comparison.ts';

type EvidenceWish = ComparisonWish & {
  /** As a part of everything before: a check fails where a method grew by more. null without a check. */
  readonly limit: number | null;
};

type JudgedMethod = Omit<TestedMethod, 'label'> & {
  /** Shown method row; −1 where the method is not among them. */
  readonly method: number;
  /** Method row of the baseline where no shown method is it; else −1. */
  readonly methodThen: number;
  /** So many more JVMs a side would decide about a difference that the test cannot tell. */
  readonly moreJvms: number;
};

export type MethodEvidence = {
  /** JVMs with samples on each side. */
  readonly jvms: readonly [before: number, now: number];
  /** Empty where the JVMs are too few for a test. */
  readonly methods: readonly JudgedMethod[];
  /** Rows are those of `methods`; null without a check, or without a test. */
  readonly gate: Gate | null;
};

export const evidence: ComparingQuestion<EvidenceWish, MethodEvidence> = (data, wish, pause, baseline) => {
  assert(baseline !== null, 'two sides are compared with a baseline');
  const { jvms, methods, methodTest } = data.answers.comparison.methods(data, baseline, wish, pause);
  const shown = data.profile.methods.length;
  const { limit } = wish;
  return {
    jvms,
    methods: methods.map(({ label, ...method }, at) => ({
      ...method,
      method: label < shown ? label : -1,
      methodThen: label < shown ? -1 : label - shown,
      moreJvms: moreJvms(methodTest, methodTest.rows[at]!, jvms, limit ?? undefined),
    })),
    gate:
      limit === null || methods.length === 0 ? null : decideGate(methodTest, limit, at => methods[at]!.of === 'total'),
  };
};
