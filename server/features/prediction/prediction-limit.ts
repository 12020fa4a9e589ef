// The predictions that are marked: growth beyond a limit, by pattern of methods, and queries that an edit puts into a loop.
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
import { classNameOf, methodLabel, methodNameOf } from '../text/runtime-names.ts';
import { nanosText } from '../text/times-text.ts';
import { callerText, intervalText, predictionText, signedNanos, timesText } from './prediction-text.ts';
import { slowerCallers } from './slower-callers.ts';

/** Clients that filter diagnostics tell this kind by its `code`. */
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

/** Edited methods, and their callers, that are predicted to grow at least by the limit of the first pattern that fits them. */
export function predictionDiagnostics(
  document: DocumentView,
  found: PredictedFile,
  data: LoadedData,
): PredictionDiagnostic[] {
  const { settings, outline } = document;
  const limits = Object.entries(settings['predict.limit']).map(([pattern, limit]) => ({
    fits: wildcard(pattern),
    limit,
  }));
  if (limits.length === 0) return [];
  const methods = found.methods.flatMap((method): PredictionDiagnostic[] => {
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
  return [...methods, ...callerDiagnostics(document, found, data, limits)];
}

type Limit = { readonly fits: (name: string) => boolean; readonly limit: string };

/** A caller of the document is marked itself; of the others the slowest one, at the edited method. */
function callerDiagnostics(
  { outline, mapped }: DocumentView,
  found: PredictedFile,
  data: LoadedData,
  limits: readonly Limit[],
): PredictionDiagnostic[] {
  const { methods } = data.profile;
  const here: PredictionDiagnostic[] = [];
  const seen = new Set<number>();
  for (const edited of found.methods) {
    const beyond = slowerCallers(found, edited).flatMap(caller => {
      const name = `${classNameOf(methods, caller.row)}.${methodNameOf(methods, caller.row)}`;
      const limit = limits.find(({ fits }) => fits(name))?.limit;
      const nanos = limit === undefined ? null : limitNanos(limit, caller.measured);
      if (nanos === null || caller.ends === null || caller.ends[0] < nanos || seen.has(caller.row)) return [];
      seen.add(caller.row);
      const text = `${callerText(caller)} by ${printableName(edited.title)}; the limit is ${limit}`;
      const own = mapped?.map.declarations.find(each => each.methods.includes(caller.row));
      return [{ row: caller.row, text, own }];
    });
    const elsewhere = beyond.filter(({ own }) => own === undefined);
    for (const { own, text } of beyond)
      if (own !== undefined)
        here.push({
          span: outline.declarations[own.declaration]!.nameSpan,
          message: `predicted ${text}`,
          code: 'predicted',
        });
    const [slowest] = elsewhere;
    if (slowest === undefined) continue;
    const more = elsewhere.length - 1;
    const others =
      more === 0
        ? ''
        : more === 1
          ? ', and 1 more caller is beyond its own'
          : `, and ${more} more callers are beyond theirs`;
    const message = `predicted of its caller ${methodLabel(methods, slowest.row)}: ${slowest.text}${others}`;
    here.push({ span: outline.declarations[edited.declaration]!.nameSpan, message, code: 'predicted' });
  }
  return here;
}

/** The lower end; of a method that is slower by an amount that is not known, what the known parts come to. */
function leastOf({ ends, direction, terms, passed }: PredictedMethod): number {
  if (ends !== null) return ends[0];
  return direction > 0 ? knownTerms(terms).reduce((sum, term) => sum + termEnds(term)[0], passed?.[0] ?? 0) : 0;
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
