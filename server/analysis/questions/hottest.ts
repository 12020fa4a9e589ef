// The question for the hottest methods.
import type { Amount } from '../../metrics/analysis.ts';
import { type HotMethod, hotMethods } from '../../metrics/method-times.ts';
import type { Question } from './question.ts';

type HottestWish = {
  readonly limit: number;
  readonly by: 'total' | 'self';
  /** Also methods of the Java platform itself; without them the application's own stand out. */
  readonly platform: boolean;
};

type Hottest = {
  /** Hottest first; ties in table order. */
  readonly rows: readonly HotMethod[];
  /** All samples that are looked at. */
  readonly whole: Amount;
};

export const hottest: Question<HottestWish, Hottest> = (data, { limit, by, platform }) => {
  const { methods } = data.profile;
  const { strings, className } = methods;
  const found: HotMethod[] = [];
  for (const row of hotMethods(data.analysis, methods.length, by, data.values)) {
    if (found.length === limit) break;
    if (platform || !isPlatformClass(strings[className[row.method]!]!)) found.push(row);
  }
  return { rows: found, whole: data.analysis.whole };
};

/** Packages that belong to the Java platform; frames without a class do not belong to the application either. */
function isPlatformClass(className: string): boolean {
  return className === '' || /^(?:java|javax|jdk|sun|com\.sun|javafx)\./.test(className);
}
