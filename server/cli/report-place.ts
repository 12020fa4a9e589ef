// Where a finding of a comparison stands in the source.
import type { Report, ReportSource } from '../features/compare/door.ts';
import type { ListedMethod } from '../features/text/listed-method.ts';

/** Where a method stands in the checkout; null where the checkout does not have its class. */
export type PlaceOf = (method: ListedMethod) => Pick<ReportSource, 'path' | 'line' | 'endLine'> | null;

/** Methods at which a result may stand where no commit is known, the likeliest first: the method that explains it, its callers, the method that it is about. */
export function placedMethods({ context, source, methods }: Report): readonly ListedMethod[] {
  if ((source ?? methods[0]?.source ?? null) !== null) return [];
  return [...(context === null ? [] : [context, ...context.above.toReversed()]), ...methods];
}

/** The code that explains the finding, else the nearest method that the checkout has. */
export function placeOfReport(report: Report, placeOf: PlaceOf): ReturnType<PlaceOf> {
  const known = report.source ?? report.methods[0]?.source ?? null;
  if (known !== null) return known;
  for (const method of placedMethods(report)) {
    const place = placeOf(method);
    if (place !== null) return place;
  }
  return null;
}
