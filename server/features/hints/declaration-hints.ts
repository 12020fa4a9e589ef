// The hints that one declaration wants, by line; they stay the same objects while a text is typed into, as long as nothing but their place changes.
import type { Declaration, Outline } from '../../../grammar/outline.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { lineOf } from '../../mapping/observed-lines.ts';
import { AS_PROFILED } from '../../mapping/stale/text-comparison.ts';
import type { ClassClaims } from '../../workspace/document/class-claims.ts';
import { claimsOn } from '../facts/class-claims.ts';
import { type CodeState, stateOf } from '../facts/code-state.ts';
import { comparisonFor } from '../facts/recorded-place.ts';
import { callHints, enclosingName } from './call-hints.ts';
import { contentsOf, type HintCandidate, type HintContents, type HintRequest } from './hint-content.ts';
import { lineHints } from './line-hints.ts';
import { methodHint } from './method-hints.ts';

/** The hint of one line. */
export type LineHint = HintContents & {
  /** Lines below the one that has the declaration's name; negative above it. */
  readonly below: number;
  /** The weightiest first, one at least. */
  readonly candidates: readonly HintCandidate[];
};

export type DeclarationHints = {
  readonly grounds: Grounds;
  /** From the first line on. */
  readonly lines: readonly LineHint[];
};

/** The facts that the hints of a declaration follow from, beside the data and options, with lines counted from its name. */
type Grounds = {
  readonly entry: MappedDeclaration;
  readonly kind: Declaration['kind'];
  readonly title: string;
  readonly state: CodeState['name'];
  readonly placement: Placement | null;
  readonly claims: ClassClaims | null;
};

/** The row in the outline that recorded lines belong to, and how the declaration's code stands on screen; see TextComparison.placementOf. */
type Placement = { readonly recorded: Outline; readonly row: number; readonly code: object };

const RANK: Readonly<Record<HintCandidate['kind'], number>> = { method: 0, lambda: 1, call: 2, line: 3 };

/** The hints of one declaration; `previous`, which follow from the same data and options, where they follow from the same declaration. */
export function declarationHintsFrom(
  previous: DeclarationHints | null,
  request: HintRequest,
  entry: MappedDeclaration,
): DeclarationHints {
  const { document } = request;
  const { outline } = document;
  const declaration = outline.declarations[entry.declaration]!;
  const grounds: Grounds = {
    entry,
    kind: declaration.kind,
    title: enclosingName(outline, declaration),
    state: stateOf(document, declaration.row).name,
    placement: placementOf(request, declaration.row),
    claims: claimsOn(document, declaration.row),
  };
  if (previous !== null && isSame(previous.grounds, grounds)) return previous;
  return { grounds, lines: linesOf(request, grounds, lineOf(outline, declaration.nameSpan.start)) };
}

function linesOf(request: HintRequest, { entry, state }: Grounds, name: number): LineHint[] {
  const method = methodHint(request, entry, state);
  const candidates = [...(method === null ? [] : [method]), ...callHints(request, entry), ...lineHints(request, entry)];
  return Array.from(
    Map.groupBy(candidates, ({ line }) => line),
    ([line, onLine]) => lineHint(request, { below: line - name, candidates: byWeight(onLine) }, state),
  ).sort((a, b) => a.below - b.below);
}

type OnLine = Pick<LineHint, 'below' | 'candidates'>;

function lineHint(request: HintRequest, onLine: OnLine, state: CodeState['name']): LineHint {
  return { ...onLine, ...contentsOf(request, onLine.candidates, state) };
}

/** The hint of a line that two declarations have in common. */
export function joinedLine(request: HintRequest, one: LineHint, other: LineHint): LineHint {
  const candidates = byWeight([...one.candidates, ...other.candidates]);
  const { state } = candidates[0] === one.candidates[0] ? one.content : other.content;
  return lineHint(request, { below: one.below, candidates }, state);
}

/** The candidate that wins a line stands first; among equals, the one that was found first. */
function byWeight(candidates: readonly HintCandidate[]): HintCandidate[] {
  return candidates.toSorted((a, b) => b.weight - a.weight || RANK[a.kind] - RANK[b.kind]);
}

/** null where only lines place the recorded code in the text. */
function placementOf({ document, mapped }: HintRequest, declaration: number): Placement | null {
  const comparison = comparisonFor(document, declaration);
  if (comparison === null) {
    const { profiled, recorded } = mapped;
    return profiled.text === null ? null : { recorded: recorded.outline, row: declaration, code: AS_PROFILED };
  }
  const row = comparison.profiledRow(declaration);
  return row < 0 ? null : { recorded: comparison.profiled, row, code: comparison.placementOf(row) };
}

/** Whether it is doubtful that a declaration is the recorded one follows from the entry, the state and where it was recorded. */
function isSame(before: Grounds, now: Grounds): boolean {
  return (
    before.kind === now.kind &&
    before.title === now.title &&
    before.state === now.state &&
    before.claims === now.claims &&
    isSameEntry(before.entry, now.entry) &&
    isSamePlacement(before.placement, now.placement)
  );
}

function isSameEntry(before: MappedDeclaration, now: MappedDeclaration): boolean {
  return (
    before === now ||
    (before.declaration === now.declaration &&
      before.methods === now.methods &&
      before.onlyLines === now.onlyLines &&
      before.confidence === now.confidence)
  );
}

/** Everything that was recorded of a declaration stands where it stood, counted from its name. */
function isSamePlacement(before: Placement | null, now: Placement | null): boolean {
  return before !== null && now !== null && sameFields(before, now);
}

/** Whether all fields have the very same values: objects in fields are not looked into. For types without optional fields. */
export function sameFields<T extends object>(before: T, now: T): boolean {
  for (const name in now) if (before[name] !== now[name]) return false;
  return true;
}
