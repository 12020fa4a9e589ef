// The hint at a line from which something measured was called: its part of the method and what really ran, `41% → LockedQueue`.

import type { Declaration, Outline } from '../../../grammar/outline.ts';
import { factsOf } from '../../analysis/ask.ts';
import type { CallGroup } from '../../analysis/method-facts.ts';
import { firstNames, printableName } from '../../base/printable.ts';
import type { MethodTable } from '../../cct/profile.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { inRanges } from '../../mapping/observed-lines.ts';
import { isType } from '../../mapping/outline-index.ts';
import { ownLines } from '../../mapping/text-index.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { fittingCalls, linesFit } from '../../workspace/document/fit-to-text.ts';
import { locateDeclaration } from '../calls/locate.ts';
import { callChange } from '../compare/door.ts';
import { targetOf } from '../facts/call-groups.ts';
import { ranElsewhere } from '../facts/class-claims.ts';
import { comparisonFor, lineOfCall, lineOfRenamedCall, recordedPlace } from '../facts/recorded-place.ts';
import { partOf, reaches, shareOfMethod } from '../text/format-share.ts';
import { classNameOf, methodLabel } from '../text/runtime-names.ts';
import type { HintCandidate, HintRequest } from './hint-content.ts';
import { callText } from './hint-format.ts';
import { titleOf } from './method-hints.ts';

/** More targets than these are not named in a tooltip; hover has them all. */
const MOST_TARGETS = 5;

/** Candidates of all calls of a declaration that still stand on their lines; thresholds are applied. */
export function callHints(
  { document, mapped: { data }, options, baseline }: HintRequest,
  entry: MappedDeclaration,
): HintCandidate[] {
  if (!options.calls) return [];
  const { outline } = document;
  const { methods: table } = data.profile;
  const declaration = outline.declarations[entry.declaration]!;
  const { methods: whole } = factsOf(data, entry);
  const calls = callsInText(document, entry);
  const caller = thisCode(outline, declaration);
  const callerClass = classNameOf(table, entry.methods[0]!);
  const isElsewhere = ranElsewhere(document, declaration.row);
  const candidates: HintCandidate[] = [];
  for (const call of calls) {
    if (call.amount.count < options.minimumSamples) continue;
    if (!reaches(call.amount.weight, whole.weight, options.callThreshold)) continue;
    const change = baseline === null ? null : callChange(data, entry, calls, call, baseline);
    const share = partOf(call.amount, whole);
    const { name, others } = targetOf(table, call, callerClass);
    const stale = isElsewhere || isRenamed(call);
    candidates.push({
      kind: 'call',
      line: call.line,
      declaration: declaration.row,
      weight: call.amount.weight,
      stale,
      change,
      text: (stale ? '~' : '') + callText(share, change, options.format),
      name,
      others,
      explanation: `${shareOfMethod(share, whole.count, caller)}: ${targetLabels(table, call)}`,
    });
  }
  return candidates;
}

function targetLabels(table: MethodTable, call: CallGroup): string {
  return firstNames([...new Set(call.targets.map(row => methodLabel(table, row)))], MOST_TARGETS);
}

/**
 * A call at its line on screen, by its name on screen; `recorded` is the same at its recorded line and by its recorded name, absent
 * where both are one.
 */
export type CallInText = CallGroup & { readonly recorded?: CallGroup };

function isRenamed({ name, recorded }: CallInText): boolean {
  return recorded !== undefined && recorded.name !== name;
}

/**
 * Calls of one declaration that may be shown: none where its lines do not fit the text that was recorded or another declaration
 * may be meant, nor those of which it is not certain where they stand now. What a constructor or type runs on the lines of
 * fields and initialisers is left to those, which are declarations of their own.
 */
export function callsInText(document: DocumentView, shown: MappedDeclaration): readonly CallInText[] {
  const calls = recordedCalls(document, shown);
  const comparison = comparisonFor(document, shown.declaration);
  if (comparison === null) return calls;
  const row = comparison.profiledRow(shown.declaration);
  return calls.flatMap(recorded => {
    const line = lineOfCall(comparison, row, recorded);
    if (line !== null) return [{ ...recorded, line, recorded }];
    const name = nameNow(document, recorded);
    const renamed = name === null ? null : lineOfRenamedCall(comparison, row, recorded, name);
    return name === null || renamed === null ? [] : [{ ...recorded, name, line: renamed, recorded }];
  });
}

/** The present name of the method behind a call, where it differs from the recorded one; null elsewhere. */
function nameNow(document: DocumentView, { kind, name, targets }: CallGroup): string | null {
  if (kind !== 'method') return null;
  for (const target of targets) {
    const declaration = locateDeclaration(document, target)?.declaration;
    if (declaration?.kind === 'method' && declaration.name !== name) return declaration.name;
  }
  return null;
}

/** Calls of one declaration that may be shown, at the lines that they had in the recorded text. */
function recordedCalls(document: DocumentView, shown: MappedDeclaration): readonly CallGroup[] {
  const { mapped, fit } = document;
  if (mapped === null || fit === null || shown.confidence === 'ambiguous') return [];
  const { index, entry } = recordedPlace(document, shown);
  const declaration = index.outline.declarations[entry.declaration]!;
  if (isType(declaration)) return [];
  const own = ownLines(index.outline, declaration);
  const calls = factsOf(mapped.data, entry).calls.filter(call => inRanges(own, call.line));
  if (calls.length === 0 || !linesFit(index, mapped.data.classes, entry)) return [];
  return fittingCalls(calls, declaration, index, fit.isFound);
}

/** The method that shares of calls are taken of, as prose calls it. */
export function enclosingName(outline: Outline, declaration: Declaration): string {
  if (declaration.kind !== 'field' && declaration.kind !== 'enumConstant') return titleOf(declaration);
  const type = outline.declarations[declaration.parent];
  return `the initialisers of ${printableName(type?.name || 'this class')}`;
}

/** The same in a tooltip, which stands in the code itself. */
export function thisCode(outline: Outline, declaration: Declaration): string {
  switch (declaration.kind) {
    case 'method':
      return 'this method';
    case 'constructor':
    case 'compactConstructor':
      return 'this constructor';
    default:
      return enclosingName(outline, declaration);
  }
}
