// The time types of threads in the time of a set of methods.
import type { Pause } from '../../base/pause.ts';
import type { MethodTable } from '../../cct/profile.ts';
import type { Amount, Analysis } from '../../metrics/analysis.ts';
import { amountByKind } from '../../metrics/other-metrics.ts';
import { isTimeType, TYPED } from '../../model/time-types.ts';

/** A time type, such as `:RUN`, and what of the methods' time it is. */
export type TimeTypeAmount = Amount & { readonly type: string };

/** Most first; empty where nothing recorded it. Frames of time types stand below the methods whose time they are. */
export function timeTypeAmounts(
  analysis: Analysis,
  methods: readonly number[],
  pause: Pause,
): readonly TimeTypeAmount[] {
  const { profile } = analysis;
  const metric = profile.metrics.findIndex(({ id }) => id === TYPED.id);
  if (metric < 0) return [];
  const { types, ofMethod } = timeTypeKinds(profile.methods);
  return [...amountByKind(analysis, metric, methods, ofMethod, pause)]
    .flatMap(([kind, amount]) => (kind > 0 && amount.weight > 0 ? [{ type: types[kind]!, ...amount }] : []))
    .sort((a, b) => b.weight - a.weight);
}

/** The time types that frames of a table are, numbered from 1 on; `ofMethod` has the number of each row, 0 for frames of code. */
export function timeTypeKinds({ strings, className, name, length }: MethodTable): {
  readonly types: readonly string[];
  readonly ofMethod: Uint8Array;
} {
  const types = [''];
  const ofMethod = new Uint8Array(length);
  for (let row = 0; row < length; row++) {
    const own = strings[name[row]!]!;
    if (!isTimeType(strings[className[row]!]!, own)) continue;
    if (!types.includes(own)) types.push(own);
    ofMethod[row] = types.indexOf(own);
  }
  return { types, ofMethod };
}
