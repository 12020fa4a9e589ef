// The hover of a prediction: at a changed method all that it is made of, at one of its calls and loops what concerns them.

import type { Span } from '../../../grammar/outline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { loopKey } from '../../analysis/prediction/assumptions.ts';
import type {
  LoopAround,
  PredictedFile,
  PredictedMethod,
  PredictedTerm,
} from '../../analysis/prediction/prediction.ts';
import { lineOf } from '../../mapping/observed-lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import type { HoverText } from '../hover/hover.ts';
import { code, escapeMarkdown } from '../text/markdown.ts';
import { methodLabel } from '../text/runtime-names.ts';
import { nanosText } from '../text/times-text.ts';
import {
  callerText,
  costText,
  endsText,
  intervalText,
  oftenText,
  predictionText,
  termLines,
} from './prediction-text.ts';
import type { TrackRecord } from './track-record.ts';

/** A place of the text with its prediction. */
type PredictedPlace = {
  readonly method: PredictedMethod;
  readonly span: Span;
  /** Of a call or a loop; null at the name of the method. */
  readonly terms: readonly PredictedTerm[] | null;
  readonly loop: LoopAround | null;
};

/** null where nothing is predicted. Cursors stand between characters: the end of a name belongs to it. */
function predictedPlace({ outline }: DocumentView, { methods }: PredictedFile, offset: number): PredictedPlace | null {
  const touches = ({ start, end }: Span) => start <= offset && offset <= end;
  for (const method of methods) {
    const declaration = outline.declarations[method.declaration]!;
    if (touches(declaration.nameSpan)) return { method, span: declaration.nameSpan, terms: null, loop: null };
    if (!touches(declaration.span)) continue;
    const called = method.terms.filter(({ span }) => span !== null && touches(span));
    if (called.length > 0) return { method, span: called[0]!.span!, terms: called, loop: null };
    const loops = method.terms
      .flatMap(({ loops }) => loops)
      .filter(({ start, headerEnd }) => start <= offset && offset <= headerEnd);
    const loop = loops.toSorted((a, b) => b.start - a.start)[0];
    if (loop === undefined) continue;
    const terms = method.terms.filter(term => term.loops.some(({ start }) => start === loop.start));
    return { method, span: { start: loop.start, end: loop.headerEnd }, terms, loop };
  }
  return null;
}

/** So many callers are listed. */
const MOST_CALLERS = 5;

/** Markdown of one section, with the span that it is about; null where nothing is predicted. */
export function predictedHover(
  document: DocumentView,
  found: PredictedFile,
  data: LoadedData,
  { offset, record }: { readonly offset: number; readonly record: TrackRecord | null },
): HoverText | null {
  const place = predictedPlace(document, found, offset);
  if (place === null) return unpredictedHover(document, found, offset);
  const { method, terms } = place;
  const lines = terms === null ? methodLines(method, found, data) : partLines(document, place, terms);
  const told = record === null || terms !== null ? [] : ['', recordText(record)];
  return { markdown: [...lines, ...told].join('\n'), span: place.span };
}

function unpredictedHover({ outline }: DocumentView, { unpredicted }: PredictedFile, offset: number): HoverText | null {
  for (const { declaration, reason } of unpredicted) {
    const { nameSpan } = outline.declarations[declaration]!;
    if (nameSpan.start <= offset && offset <= nameSpan.end)
      return { markdown: `**not predicted** ${escapeMarkdown(reason)}`, span: nameSpan };
  }
  return null;
}

/** `Earlier predictions: 9 of 12 within × 1.4, 10 in their 80 % interval`. */
function recordText({ text, width, holds }: TrackRecord): string {
  const wider = width === 1 ? '' : `; intervals are ${Number(width.toPrecision(2))} times as wide for it`;
  const silent = holds ? '' : '; hints say nothing until more of them hold';
  return `*Earlier predictions*: ${escapeMarkdown(`${text}${wider}${silent}`)}`;
}

function methodLines(method: PredictedMethod, { callers, methods }: PredictedFile, data: LoadedData): string[] {
  const { measured, interval, terms, passed, rows } = method;
  const of = measured === null ? '' : ` of ${nanosText(measured)}`;
  const told = interval === null ? '' : `; 80 %: ${intervalText(interval)}`;
  // Callers of several edited methods are told with each that leads to them directly.
  const own = methods.length === 1 ? callers : callers.filter(({ through }) => through.some(row => rows.includes(row)));
  const shown = own.slice(0, MOST_CALLERS);
  return [
    `**predicted** ${escapeMarkdown(`${predictionText(method)}${of}${told}`)}`,
    ...termLines(terms, termRow, '- '),
    ...(passed === null ? [] : [`- passed on by edited methods that it calls: ${endsText(passed)}`]),
    ...(shown.length === 0 ? [] : ['', '*Predicted of its callers*']),
    ...shown.map(caller => {
      const text = escapeMarkdown(callerText(caller));
      return `- ${code(methodLabel(data.profile.methods, caller.row))}: ${text}`;
    }),
    ...(own.length > shown.length ? [`- and ${own.length - shown.length} more`] : []),
  ];
}

function partLines(
  { outline }: DocumentView,
  { method, loop }: PredictedPlace,
  terms: readonly PredictedTerm[],
): string[] {
  const what = loop === null ? 'of this call' : `of this loop, line ${lineOf(outline, loop.start)}`;
  const open = terms.flatMap(({ loops }) => loops).find(({ times }) => times === null);
  const key = open === undefined ? null : loopKey(method.title, open.header);
  return [
    `**predicted** ${what}`,
    ...termLines(terms, termRow, '- '),
    ...(key === null ? [] : ['', `how often the loop runs is kept in *predict.iterations* as ${code(key)}`]),
  ];
}

function termRow(term: PredictedTerm): string {
  const { line, callee, change } = term;
  const where = change === 'removed' ? '' : ` on line ${line}`;
  return `- ${code(callee)} ${change}${where}, ${escapeMarkdown(`${oftenText(term)}: ${costText(term)}`)}`;
}
