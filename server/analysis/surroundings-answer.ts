// The surroundings of a set of methods: the answer to the question for them.

import type { TimeTypeAmount } from '../capabilities/typed/door.ts';
import type { Metric } from '../cct/profile.ts';
import type { Amount } from '../metrics/analysis.ts';
import type { CallSite, LineAndAmount, MethodAndAmount, ThreadAndAmount } from '../metrics/around-method.ts';
import type { ObjectsOfMetric } from '../metrics/objects.ts';
import type { MethodResponseTimes } from '../metrics/response-times.ts';

export type Surroundings = {
  /** Heaviest first, as all lists but that of lines. */
  readonly callers: readonly MethodAndAmount[];
  /** By callee and line. */
  readonly callees: readonly CallSite[];
  /** Callees on any line. */
  readonly calleeMethods: readonly MethodAndAmount[];
  /** In the order of lines; 0 is unknown. */
  readonly lines: readonly LineAndAmount[];
  readonly threads: readonly ThreadAndAmount[];
  readonly threadCount: number;
  /** How many equally weighted samples carry the same sampling error. */
  readonly effectiveSamples: number;
  /** Metrics other than the one that is looked at in which the methods were seen, in the order of the recording. */
  readonly metrics: readonly MetricAmount[];
  /** How long their calls took, in the windows looked at, of all threads and of no focus; null where nothing recorded it. */
  readonly responseTimes: MethodResponseTimes | null;
  /** The time types of threads in the methods' time, most first; empty where none were recorded. */
  readonly timeTypes: readonly TimeTypeAmount[];
  /** Classes of what was allocated, thrown or waited for in the methods, by metric; empty where nothing recorded them. The method of the root
   * stands for everything. */
  readonly objects: readonly ObjectsOfMetric[];
};

/** A set's part of one metric. */
export type MetricAmount = {
  readonly metric: Metric;
  readonly total: Amount;
  readonly whole: Amount;
  /** How many equally weighted samples the whole has. */
  readonly samples: number;
};

/** One of the things that stand around a method. */
export type SurroundingFact = keyof Surroundings;

export type SurroundingsWish = {
  /** Rows of the method table, each list taken as one method. */
  readonly sets: readonly (readonly number[])[];
  readonly facts: readonly SurroundingFact[];
};
