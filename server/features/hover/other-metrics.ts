// What a declaration has in every metric that was recorded, worked out in steps and remembered as long as the data live.

import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Metric } from '../../cct/profile.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { resultOf, type Steps } from '../../metrics/around-method.ts';
import { amountOfMetricSteps, wholeOfMetricSteps } from '../../metrics/other-metrics.ts';

/** A declaration's part of one metric. */
export type MetricAmount = {
  readonly metric: Metric;
  readonly total: Amount;
  readonly whole: Amount;
  /** How many equally weighted samples the whole has. */
  readonly samples: number;
};

type Whole = Amount & { readonly samples: number };
type Known = { readonly wholes: Map<number, Whole>; readonly bySet: Map<string, readonly MetricAmount[]> };

/** Small, so that those of all methods are kept. */
const knownOfData = new WeakMap<LoadedData, Known>();

function knownOf(data: LoadedData): Known {
  const known = knownOfData.get(data) ?? { wholes: new Map(), bySet: new Map() };
  knownOfData.set(data, known);
  return known;
}

/** Metrics other than the one of the hints in which the declaration's methods were seen, in the order of the recording. */
export function otherMetrics(data: LoadedData, entry: MappedDeclaration): readonly MetricAmount[] {
  return resultOf(otherMetricSteps(data, entry));
}

/** The same in small steps. Of a block, whose lines are those of a few samples only, nothing is said. */
export function* otherMetricSteps(
  data: LoadedData,
  { methods, onlyLines }: MappedDeclaration,
): Steps<readonly MetricAmount[]> {
  const { analysis, profile } = data;
  if (onlyLines !== undefined) return [];
  const { wholes, bySet } = knownOf(data);
  const known = bySet.get(methods.join());
  if (known !== undefined) return known;
  const found: MetricAmount[] = [];
  for (const [row, metric] of profile.metrics.entries()) {
    if (row === analysis.selection.metric) continue;
    const whole = wholes.get(row) ?? (yield* wholeOfMetricSteps(analysis, row));
    wholes.set(row, whole);
    const total = yield* amountOfMetricSteps(analysis, row, methods);
    if (total.count > 0) found.push({ metric, total, whole, samples: whole.samples });
  }
  bySet.set(methods.join(), found);
  return found;
}
