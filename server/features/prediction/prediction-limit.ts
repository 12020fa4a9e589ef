// What of predictions is marked: growth beyond a limit, by pattern of methods, and queries that an edit puts into a loop.
import type { Span } from '../../../grammar/outline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { nanosOf } from '../../analysis/prediction/assumptions.ts';
import {
  knownTerms,
  type PredictedFile,
  type PredictedMethod,
  termEnds,
} from '../../analysis/prediction/prediction.ts';
import { printableName } from '../../base/printable.ts';
import { wildcard } from '../../base/wildcard.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { classNameOf, methodNameOf } from '../text/runtime-names.ts';
import { nanosText } from '../text/times-text.ts';
import { intervalText, predictionText, signedNanos, timesText } from './prediction-text.ts';

/** `code` tells it from others for those who filter. */
export type PredictionDiagnostic = {
  readonly span: Span;
  readonly message: string;
  readonly code: 'predicted' | 'query-in-loop';
};

/** Calls that wait for another process and are newly in a loop: one diagnostic a call, with its round trips. */
export function queryDiagnostics({ methods }: PredictedFile): PredictionDiagnostic[] {
  return methods.flatMap(({ title, terms }) =>
    terms.flatMap(({ span, query, callee, times }): PredictionDiagnostic[] => {
      if (query === null || span === null) return [];
      const what = callee === query || callee === shortQuery(query) ? '' : `${printableName(callee)} leads to `;
      const often =
        times === null
          ? 'a round trip in each iteration, and it is not known how many there are'
          : `${timesText(times)} round trips more in one run of ${printableName(title)}`;
      const message = `query in a loop: ${what}${printableName(query)}, ${often}`;
      return [{ span, message, code: 'query-in-loop' }];
    }),
  );
}

/** The method alone: calls that were never recorded have no class. */
function shortQuery(query: string): string {
  return query.slice(query.lastIndexOf('.') + 1);
}

/** Edited methods that are predicted to grow by the limit of the first pattern that fits them, or by more. */
export function predictionDiagnostics(
  { settings, outline }: DocumentView,
  { methods }: PredictedFile,
  data: LoadedData,
): PredictionDiagnostic[] {
  const limits = Object.entries(settings['predict.limit']).map(([pattern, limit]) => ({
    fits: wildcard(pattern),
    limit,
  }));
  if (limits.length === 0) return [];
  return methods.flatMap((method): PredictionDiagnostic[] => {
    const names = namesOf(method, data);
    const limit = limits.find(({ fits }) => names.some(fits))?.limit;
    const nanos = limit === undefined ? null : limitNanos(limit, method.measured);
    if (nanos === null || leastOf(method) < nanos) return [];
    const of = method.measured === null ? '' : ` of ${nanosText(method.measured)}`;
    const told =
      method.interval === null ? `at least ${signedNanos(leastOf(method))}` : `80 %: ${intervalText(method.interval)}`;
    const message = `predicted ${predictionText(method)}${of}, ${told}; the limit is ${limit}`;
    return [{ span: outline.declarations[method.declaration]!.nameSpan, message, code: 'predicted' }];
  });
}

/** Of a method that is slower by an amount that is not known, what its known terms come to. */
function leastOf({ change, direction, terms }: PredictedMethod): number {
  if (change !== null) return change;
  return direction > 0 ? knownTerms(terms).reduce((sum, term) => sum + termEnds(term)[0], 0) : 0;
}

function namesOf({ rows, title }: PredictedMethod, { profile: { methods } }: LoadedData): string[] {
  return [title, ...rows.map(row => `${classNameOf(methods, row)}.${methodNameOf(methods, row)}`)];
}

/** null for a part of a time that is not known. */
function limitNanos(limit: string, measured: number | null): number | null {
  const text = limit.replace(/^\+/, '').trim();
  if (!text.endsWith('%')) return nanosOf(text);
  return measured === null ? null : (Number(text.slice(0, -1)) / 100) * measured;
}
