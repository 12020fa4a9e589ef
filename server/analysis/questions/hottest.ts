// The question for the hottest methods.
import { isPlatformOrUnknown, isWithin } from '../../mapping/platform-classes.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { type HotMethod, hotMethods } from '../../metrics/method-times.ts';
import type { Question } from './question.ts';

type HottestWish = {
  readonly limit: number;
  readonly by: 'total' | 'self';
  /** Also methods of the Java platform itself; without them the application's own stand out. */
  readonly platform: boolean;
  /** Only methods of this package and the packages below it; platform methods are then shown too. */
  readonly within?: string;
};

type Hottest = {
  /** Hottest first; ties in table order. */
  readonly rows: readonly HotMethod[];
  /** All samples that are looked at. */
  readonly whole: Amount;
  /** The self time of the platform's methods that were left out. */
  readonly leftOut: Amount;
  /** The same of frames without a class: native code, and names that a reader did not understand. */
  readonly unknown: Amount;
};

export const hottest: Question<HottestWish, Hottest> = (data, { limit, by, platform, within }) => {
  const { methods } = data.profile;
  const { strings, className } = methods;
  const found: HotMethod[] = [];
  const leftOut = { weight: 0, count: 0 };
  const unknown = { weight: 0, count: 0 };
  for (const row of hotMethods(data.analysis, methods.length, by, data.values)) {
    const owner = strings[className[row.method]!]!;
    const isListed = within === undefined ? platform || !isPlatformOrUnknown(owner) : isWithin(owner, within);
    if (isListed && found.length < limit) found.push(row);
    if (isListed || within !== undefined) continue;
    const sum = owner === '' ? unknown : leftOut;
    sum.weight += row.self.weight;
    sum.count += row.self.count;
  }
  return { rows: found, whole: data.analysis.whole, leftOut, unknown };
};
