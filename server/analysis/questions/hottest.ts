// The question for the hottest methods.
import { isPlatformClass, isWithin } from '../../mapping/platform-classes.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { type HotMethod, hotMethods } from '../../metrics/method-times.ts';
import type { Question } from './question.ts';

type HottestWish = {
  readonly limit: number;
  readonly by: 'total' | 'self';
  /** Also methods of the Java platform itself; without them the application's own stand out. */
  readonly platform: boolean;
  /** Only methods of this package and those below it; those of the platform are then shown too. */
  readonly within?: string;
};

type Hottest = {
  /** Hottest first; ties in table order. */
  readonly rows: readonly HotMethod[];
  /** All samples that are looked at. */
  readonly whole: Amount;
};

export const hottest: Question<HottestWish, Hottest> = (data, { limit, by, platform, within }) => {
  const { methods } = data.profile;
  const { strings, className } = methods;
  const found: HotMethod[] = [];
  for (const row of hotMethods(data.analysis, methods.length, by, data.values)) {
    if (found.length === limit) break;
    const owner = strings[className[row.method]!]!;
    if (within === undefined ? platform || !isPlatformClass(owner) : isWithin(owner, within)) found.push(row);
  }
  return { rows: found, whole: data.analysis.whole };
};
