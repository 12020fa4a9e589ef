// The hint at a line from which something measured was called: its part of the method and what really ran, `41% → LockedQueue`.

import type { Declaration, Outline } from '../../../grammar/outline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { CallGroup } from '../../analysis/method-facts.ts';
import { Beside } from '../../base/beside.ts';
import { printableName } from '../../base/printable.ts';
import type { MethodTable } from '../../cct/profile.ts';
import type { DocumentMap, MappedDeclaration } from '../../mapping/document-map.ts';
import { inRanges } from '../../mapping/lines.ts';
import { isType } from '../../mapping/outline-index.ts';
import type { Amount } from '../../metrics/analysis.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { targetText } from '../facts/call-groups.ts';
import { callChange } from '../facts/compare.ts';
import { fittingCalls, linesFit, mostAreFound, type NamedCalls, namedCalls } from '../facts/fit-to-text.ts';
import { factsOf } from '../facts/method-facts.ts';
import { comparisonFor, lineOfCall, recordedPlace } from '../facts/recorded-place.ts';
import { ownLines, textIndex } from '../facts/text-index.ts';
import { reaches, type Share, shareWithCounts } from '../text/format-share.ts';
import { classNameOf, methodLabel } from '../text/runtime-names.ts';
import type { HintCandidate, HintRequest } from './hint-candidate.ts';
import { callText } from './hint-format.ts';
import { titleOf } from './method-hints.ts';

/** More targets than these are not named in a tooltip; hover has them all. */
const MOST_TARGETS = 5;

/** Candidates of all calls of the document's `entries` that still stand on their lines; thresholds are applied. */
export function callHints({ document, entries, options, baseline }: HintRequest): HintCandidate[] {
  const { mapped, outline } = document;
  if (mapped === null || !options.calls) return [];
  const candidates: HintCandidate[] = [];
  for (const entry of entries) {
    const declaration = outline.declarations[entry.declaration]!;
    const { data } = mapped;
    const { methods: whole } = factsOf(data, entry);
    const calls = callsInText(document, entry);
    for (const call of calls) {
      if (call.amount.count < options.minimumSamples) continue;
      if (!reaches(call.amount.weight, whole.weight, options.callThreshold)) continue;
      const texts = textsOf(data.profile.methods, call.recorded ?? call, whole, entry.methods[0]!);
      const change = baseline === null ? null : callChange(data, entry, calls, call, baseline);
      candidates.push({
        kind: 'call',
        line: call.line,
        declaration: declaration.row,
        weight: call.amount.weight,
        heat: call.amount.weight / whole.weight,
        stale: false,
        change,
        text: callText(shareOf(call, whole), change, options.format),
        name: texts.target,
        isLimited: true,
        explanation: explanationIn(texts, enclosingName(outline, declaration)),
      });
    }
  }
  return candidates;
}

function shareOf({ amount }: CallGroup, whole: Amount): Share {
  return { part: amount.weight, whole: whole.weight, samples: amount.count };
}

type CallTexts = {
  readonly target: string;
  readonly explanation: string;
  /** The latest whole explanation, and what the caller was called in it. */
  whole: { readonly caller: string; readonly text: string } | null;
};

function explanationIn(texts: CallTexts, caller: string): string {
  if (texts.whole?.caller !== caller) texts.whole = { caller, text: `${texts.explanation} samples of ${caller}` };
  return texts.whole.text;
}

/** Calls are worked out once and remembered, and so are the texts, which do not depend on the file either. */
const textsOfCall = new WeakMap<CallGroup, CallTexts>();

function textsOf(table: MethodTable, call: CallGroup, whole: Amount, caller: number): CallTexts {
  const known = textsOfCall.get(call);
  if (known !== undefined) return known;
  const made: CallTexts = {
    target: targetText(table, call, classNameOf(table, caller)),
    explanation: `${namesOf(call, row => methodLabel(table, row))}: ${shareWithCounts(shareOf(call, whole), whole.count)}`,
    whole: null,
  };
  textsOfCall.set(call, made);
  return made;
}

/** A call at its line on screen; `recorded` is the same at its recorded line, absent where both are one. */
export type CallInText = CallGroup & { readonly recorded?: CallGroup };

/**
 * Calls of one declaration that may be shown: none where its lines do not fit the text that was recorded or another declaration
 * may be meant, nor those of which it is not certain where they stand now. What a constructor or type runs on the lines of
 * fields and initialisers is left to those, which are declarations of their own.
 */
export function callsInText(document: DocumentView, shown: MappedDeclaration): readonly CallInText[] {
  const { calls, lineNow } = placedCalls(document, shown);
  if (comparisonFor(document, shown.declaration) === null) return calls;
  return calls.flatMap(recorded => {
    const line = lineNow(recorded);
    return line === null ? [] : [{ ...recorded, line, recorded }];
  });
}

/** Calls of one declaration at their recorded lines that may be shown, and the line on which each of them stands now. */
type PlacedCalls = {
  readonly calls: readonly CallGroup[];
  /** null where that is gone or not certain. */
  readonly lineNow: (call: CallGroup) => number | null;
};

const NO_CALLS: PlacedCalls = { calls: [], lineNow: () => null };

export function placedCalls(document: DocumentView, shown: MappedDeclaration): PlacedCalls {
  const { mapped } = document;
  if (mapped === null || shown.confidence === 'ambiguous') return NO_CALLS;
  const { outline, entry } = recordedPlace(document, shown);
  const calls = recordedCalls(mapped.data, outline, entry, () => fileFits(document));
  const comparison = comparisonFor(document, shown.declaration);
  if (comparison === null) return { calls, lineNow: call => call.line };
  const shift = comparison.shiftOf(entry.declaration);
  if (shift !== null) return { calls, lineNow: call => call.line + shift };
  return { calls, lineNow: call => lineOfCall(comparison, entry.declaration, call) };
}

type RecordedCalls = Pick<MappedDeclaration, 'methods' | 'onlyLines'> & {
  readonly data: LoadedData;
  readonly calls: readonly CallGroup[];
};

/** By the row of the declaration. The recorded text stays while the text on screen is typed into. */
const callsOfOutline = new WeakMap<Outline, Map<number, RecordedCalls>>();

/** Calls of an entry that fit the text that was recorded. */
function recordedCalls(
  data: LoadedData,
  outline: Outline,
  entry: MappedDeclaration,
  fileFits: () => boolean,
): readonly CallGroup[] {
  const byRow = callsOfOutline.get(outline) ?? new Map<number, RecordedCalls>();
  callsOfOutline.set(outline, byRow);
  const { methods, onlyLines } = entry;
  const known = byRow.get(entry.declaration);
  if (known?.data === data && known.methods === methods && known.onlyLines === onlyLines) return known.calls;
  const calls = findRecordedCalls(data, outline, entry, fileFits);
  byRow.set(entry.declaration, { data, methods, ...(onlyLines && { onlyLines }), calls });
  return calls;
}

function findRecordedCalls(
  data: LoadedData,
  outline: Outline,
  entry: MappedDeclaration,
  fileFits: () => boolean,
): readonly CallGroup[] {
  const declaration = outline.declarations[entry.declaration]!;
  if (isType(declaration)) return [];
  const own = ownLines(outline, declaration);
  const calls = factsOf(data, entry).calls.filter(call => inRanges(own, call.line));
  if (calls.length === 0 || !linesFit(outline, data.classes, entry)) return [];
  return fittingCalls(calls, declaration, outline, fileFits());
}

/** Whether most named calls of the recorded text are found on their lines. */
export function fileFits(document: DocumentView): boolean {
  return mostAreFound(namedCallsOfFile(document));
}

/** Named calls of the recorded text, and those found on their lines, whatever has become of it on screen. */
export function namedCallsOfFile({ mapped }: DocumentView): Pick<NamedCalls, 'named' | 'found'> {
  const sum = { named: 0, found: 0 };
  if (mapped === null) return sum;
  const { recorded } = mapped;
  const known = callsOfText.get(recorded);
  if (known !== undefined && known.data === mapped.data) return known.calls;
  const sites = textIndex(recorded.outline).sitesByDeclaration;
  for (const entry of recorded.declarations) {
    const declaration = recorded.outline.declarations[entry.declaration];
    if (declaration === undefined || isType(declaration)) continue;
    // Of what has changed a stand-in has no code that a call could be found in.
    if (mapped.profiled.from === 'fingerprints' && !sites.has(declaration.row)) continue;
    const own = ownLines(recorded.outline, declaration);
    const calls = factsOf(mapped.data, entry).calls.filter(call => inRanges(own, call.line));
    const { named, found } = namedCalls(calls, declaration, recorded.outline);
    sum.named += named;
    sum.found += found;
  }
  callsOfText.set(recorded, { data: mapped.data, calls: sum });
  return sum;
}

const callsOfText = new Beside<DocumentMap, { data: LoadedData; calls: Pick<NamedCalls, 'named' | 'found'> }>();

/** The method that shares of calls are taken of, as prose calls it. */
export function enclosingName(outline: Outline, declaration: Declaration): string {
  if (declaration.kind !== 'field' && declaration.kind !== 'enumConstant') return titleOf(declaration);
  const type = outline.declarations[declaration.parent];
  return `the initialisers of ${printableName(type?.name || 'this class')}`;
}

function namesOf(call: CallGroup, label: (row: number) => string): string {
  const labels = [...new Set(call.targets.map(label))];
  const more = labels.length - MOST_TARGETS;
  return labels.slice(0, MOST_TARGETS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
