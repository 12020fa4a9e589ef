// The answer `top`: the hottest methods, or the methods whose share moved most against a baseline.

import * as v from 'valibot';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { isPlatformClass } from '../../mapping/platform-classes.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { changeSchema, described, methodSchema, shareSchema, timesSchema } from '../../model/terms.ts';
import { goneOf, leftOutOf, type TopOptions, type TopRow, threadsWithoutOwn, topOf } from '../top.ts';
import { defineDataAnswer, placesFor } from './answer.ts';
import {
  BASELINE,
  changeOf,
  LIMIT,
  LISTED,
  limitOf,
  listOf,
  methodOf,
  OFFSET,
  OWN_SHARE,
  optional,
  originOf,
  type Places,
  shareOf,
  timesOf,
} from './vocabulary.ts';

const ROW = {
  method: methodSchema,
  isPlatform: described(v.boolean(), 'True for methods of the Java platform'),
  total: shareSchema,
  self: shareSchema,
  own: OWN_SHARE,
  change: v.nullable(changeSchema),
  times: described(v.nullable(timesSchema), 'Null where nothing recorded the times of calls'),
};

export const top = defineDataAnswer({
  name: 'top',
  title: 'Hottest methods',
  description:
    'Lists the methods that cost most of the time (or of another metric): by what own code costs with the libraries that it calls, else with everything that it calls, or alone.',
  parameters: {
    ...LIMIT,
    ...OFFSET,
    sort: optional(
      v.picklist(['own', 'total', 'self', 'name', 'change']),
      'Order: own (default; self with platform), total, self, name, or change against the baseline',
    ),
    package: optional(v.string(), 'Only methods of this package and the packages below it'),
    ...LISTED,
    platform: optional(
      v.boolean(),
      'Also methods of the Java platform (java.*, jdk.*, …); sorted by own, also methods without own samples',
    ),
    ...BASELINE,
  },
  result: {
    platform: described(
      v.nullable(shareSchema),
      "Self time of the Java platform's own methods, where they are left out",
    ),
    unknown: described(
      v.nullable(shareSchema),
      'Self time of frames without a class (native code, names that were not understood), where they are left out',
    ),
    withoutOwn: described(
      v.nullable(shareSchema),
      'Sorted by own: samples without a frame of own code. The own shares of all methods, this and fromOutside are all samples',
    ),
    withoutOwnThreads: described(
      v.array(v.string()),
      'Classes of threads of the samples without own code, heaviest first, 3 at most: such as those of the JVM, and idle ones of pools',
    ),
    fromOutside: described(
      v.nullable(shareSchema),
      'Sorted by own: samples whose own code lies above the focus, and called it',
    ),
    ...listOf(ROW),
    vanished: described(
      v.array(v.object(ROW)),
      'Methods among the hottest of the baseline that have no sample now, with their shares then',
    ),
  },
  async answer(data, given, context) {
    const compared = await context.baseline(data, given.baseline ?? null);
    // By names alone, a renamed method would be a new one.
    const baseline = compared?.pairing.state === 'done' ? compared : null;
    const wish: TopOptions = {
      limit: limitOf(given.limit),
      offset: given.offset ?? 0,
      by: orderOf(given),
      platform: given.platform ?? false,
      sortedByChange: given.sort === 'change' && baseline !== null,
      ...(given.package != null && { within: given.package }),
      search: given.search === '' ? null : (given.search ?? null),
      ...(baseline && { baseline }),
    };
    const { rows, total: all } = await topOf(data, wish, context.reach.ask);
    const gone = await goneOf(data, wish, context.reach);
    const outside = await leftOutOf(data, wish, context.reach);
    const share = (amount: Amount | null) => amount && shareOf(data, amount);
    const listed = rows.map(({ method }) => method);
    const places = await placesFor(context, data, listed, given.places);
    return {
      origin: originOf(data, baseline?.data ?? null),
      ...{ platform: share(outside.platform), unknown: share(outside.unknown) },
      ...{ withoutOwn: share(outside.withoutOwn), fromOutside: share(outside.fromOutside) },
      withoutOwnThreads:
        outside.withoutOwn === null
          ? []
          : threadsWithoutOwn(data)
              .slice(0, 3)
              .map(([name]) => name),
      ...{ total: all, leftOut: all - rows.length },
      rows: rows.map(row => rowOf(data, row, places)),
      vanished: gone.map(row => rowOf(baseline!.data, row, new Map())),
    };
  },
});

type Given = { readonly sort?: string | null | undefined; readonly platform?: boolean | null | undefined };

/** Methods of the platform have no own time: who wants them wants self time. A change is one of method times. */
function orderOf({ sort, platform }: Given): TopOptions['by'] {
  if (sort === 'change') return 'total';
  if (sort === 'total' || sort === 'self' || sort === 'name' || sort === 'own') return sort;
  return platform === true ? 'self' : 'own';
}

function rowOf(data: LoadedData, { method: row, total, self, own, change, times }: TopRow, places: Places) {
  const method = methodOf(data, row, places);
  return {
    method,
    isPlatform: isPlatformClass(method.className),
    ...{ total: shareOf(data, total), self: shareOf(data, self), own: shareOf(data, own) },
    change: change === undefined ? null : changeOf(change),
    times: times === undefined ? null : timesOf(times),
  };
}
