// Where in a caller's current text the calls stand that were seen running.

import type { CallSite, Span } from '../../../grammar/outline.ts';
import { calleeKindAndName } from '../../analysis/callee-groups.ts';
import { NO_AMOUNT } from '../../metrics/analysis.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { fitsSite } from '../../workspace/document/fit-to-text.ts';
import { type CallInText, callsInText } from '../hints/call-hints.ts';

/** Calls from one set of runtime methods to another, on recorded lines of the caller. */
type SeenCall = {
  readonly callers: readonly number[];
  readonly callees: readonly number[];
  /** 0 is unknown. */
  readonly lines: readonly number[];
};

/**
 * Spans of the calls in the document, in source order: where they stand for certain, else calls of that name in the same
 * declarations. Empty where the text has neither.
 */
export function spansOfCall(document: DocumentView, { callers, callees, lines }: SeenCall): Span[] {
  const { mapped, outline } = document;
  if (mapped === null) return [];
  const entries = mapped.map.declarations.filter(({ methods }) => methods.some(row => callers.includes(row)));
  const spans = new Map<number, Span>();
  for (const entry of entries)
    for (const call of callsInText(document, entry)) {
      if (!call.targets.some(row => callees.includes(row))) continue;
      if (!lines.includes((call.recorded ?? call).line)) continue;
      for (const span of spansOnLine(document, entry.declaration, call)) spans.set(span.start, span);
    }
  if (spans.size === 0) {
    const rows = new Set(entries.map(({ declaration }) => declaration));
    const { methods } = mapped.data.profile;
    const groups = callees.map(row => ({
      line: 0,
      ...calleeKindAndName(methods, row),
      targets: [row],
      amount: NO_AMOUNT,
    }));
    for (const site of outline.callSites)
      if (rows.has(site.declaration) && site.name !== 'new' && groups.some(group => fitsSite(group, site)))
        spans.set(site.nameSpan.start, site.nameSpan);
  }
  return [...spans.values()].sort((a, b) => a.start - b.start);
}

/** Calls of that name on the line; where the text calls it otherwise, whatever the line calls; else the line itself. */
function spansOnLine({ outline, index, text }: DocumentView, declaration: number, call: CallInText): readonly Span[] {
  const onLine = (index.sitesByLine.get(call.line) ?? []).filter(
    site => site.declaration === declaration && site.kind !== 'implicit',
  );
  const named = onLine.filter(site => fitsSite(call.recorded ?? call, site));
  const sites: readonly CallSite[] = named.length > 0 ? named : onLine;
  if (sites.length > 0) return sites.map(({ nameSpan }) => nameSpan);
  const start = outline.lineStarts[call.line - 1] ?? 0;
  const line = text.slice(start, outline.lineStarts[call.line] ?? text.length);
  const first = line.length - line.trimStart().length;
  return [{ start: start + first, end: start + line.trimEnd().length }];
}
