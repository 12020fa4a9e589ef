// The hottest methods of the loaded data, for lists.
import { hotMethods } from '../metrics/method-times.ts';
import { effectiveWhole } from '../metrics/queries.ts';
import type { LoadedData } from '../workspace/data/loaded-data.ts';
import type { Baseline, Change } from './facts/compare.ts';
import type { Share } from './text/format-share.ts';

export type TopOptions = {
  readonly limit: number;
  readonly by: 'total' | 'self';
  /** Also methods of the Java platform itself; without them the application's own stand out. */
  readonly platform: boolean;
  /** What method times are compared with. */
  readonly baseline?: Baseline;
};

export type TopRow = {
  readonly className: string;
  readonly method: string;
  /** JVM descriptor, null where the format has none. */
  readonly descriptor: string | null;
  /** Of all samples of the selection. */
  readonly total: Share;
  /** Of the method's own samples, those in which it was itself running. */
  readonly self: Share;
  /** How the method time moved against the baseline, where there is one. */
  readonly change?: Change;
};

/** Hottest first; ties in table order. */
export function topOf(data: LoadedData, { limit, by, platform, baseline }: TopOptions): TopRow[] {
  const { methods } = data.profile;
  const samples = baseline === undefined ? 0 : effectiveWhole(data.analysis);
  const rows: TopRow[] = [];
  for (const { method, total, self } of hotMethods(data.analysis, methods.length, by, data.values)) {
    if (rows.length === limit) break;
    const className = methods.strings[methods.className[method]!]!;
    if (!platform && isPlatformClass(className)) continue;
    const descriptorRow = methods.descriptor[method]!;
    rows.push({
      className,
      method: methods.strings[methods.name[method]!]!,
      descriptor: descriptorRow < 0 ? null : methods.strings[descriptorRow]!,
      total: { part: total.weight, whole: data.analysis.whole.weight, samples: total.count },
      self: { part: self.weight, whole: total.weight, samples: self.count },
      ...(baseline && { change: baseline.methodChange(data, [method], total, samples) }),
    });
  }
  return rows;
}

/** Packages that belong to the Java platform; frames without a class are not anybody's application either. */
function isPlatformClass(className: string): boolean {
  return className === '' || /^(?:java|javax|jdk|sun|com\.sun|javafx)\./.test(className);
}
