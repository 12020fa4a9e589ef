// The hints that one declaration wants, grouped by line and kept while a text is typed into: as long as nothing but their place changes.
import type { Declaration, Outline } from '../../../grammar/outline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { CallGroup, MethodFacts } from '../../analysis/method-facts.ts';
import type { Confidence, MappedDeclaration } from '../../mapping/document-map.ts';
import { lineOf } from '../../mapping/lines.ts';
import type { LineAndAmount } from '../../metrics/around-method.ts';
import type { Pairing } from '../../workspace/code/pairing.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import type { CodeState } from '../facts/code-state.ts';
import { factsOf } from '../facts/method-facts.ts';
import { comparisonFor, doubtsOf } from '../facts/recorded-place.ts';
import { callHints, enclosingName, fileFits, placedCalls } from './call-hints.ts';
import type { Hint } from './hint.ts';
import type { HintCandidate, HintRequest } from './hint-candidate.ts';
import type { HintContent } from './hint-content.ts';
import { hotLinesInText, isProven, lineHints } from './line-hints.ts';
import { methodHints } from './method-hints.ts';

/** What may stand on one line. */
export type LineCandidates = {
  /** Lines below the one that has the declaration's name; negative above it. */
  readonly below: number;
  /** The weightiest first. */
  readonly sorted: readonly HintCandidate[];
  /** What the line shows; made when first asked for. */
  content: HintContent | null;
  /** The same at its place, as long as that stays. */
  hint: Hint | null;
  /** Together with those of another declaration that has the line in common. */
  shared: { readonly others: LineCandidates; readonly both: LineCandidates } | null;
};

export function lineCandidates(below: number, sorted: readonly HintCandidate[]): LineCandidates {
  return { below, sorted, content: null, hint: null, shared: null };
}

/** What the candidates of all declarations of a document follow from, beside the data. */
type FileGrounds = {
  /** Options in one text. */
  readonly options: string;
  readonly baseline: LoadedData | null;
  readonly pairing: Pairing | null;
  /** Whether lines of the whole file are believed, and whether something speaks for them. */
  readonly fits: boolean;
  readonly isProven: boolean;
};

/** What those of one declaration follow from as well, with lines counted from its name. */
type Grounds = {
  readonly row: number;
  readonly kind: Declaration['kind'];
  readonly title: string;
  readonly confidence: Confidence;
  readonly isDoubtful: boolean;
  readonly state: CodeState['name'];
};

/** The outline that recorded lines belong to, and how the declaration's code stands on screen; see TextComparison.placementOf. */
type Placement = { readonly recorded: Outline; readonly code: object };

type Kept = {
  readonly file: FileGrounds;
  readonly grounds: Grounds;
  /** The same object as long as the declaration keeps its row and its methods. */
  entry: MappedDeclaration;
  /** null where only lines tell what stands where. */
  placement: Placement | null;
  readonly calls: readonly CallGroup[];
  /** Of each call; null where it is not shown. */
  readonly callsBelow: readonly (number | null)[];
  readonly hotLines: readonly LineAndAmount[];
  readonly lines: readonly LineCandidates[];
};

/** Facts are those of one declaration's methods, and live as long as the data. */
const keptOfFacts = new WeakMap<MethodFacts, Kept>();

const RANK: Readonly<Record<HintCandidate['kind'], number>> = { method: 0, lambda: 1, call: 2, line: 3 };

export function fileGrounds({ document, options, baseline }: HintRequest): FileGrounds {
  return {
    options: JSON.stringify(options),
    baseline: baseline?.data ?? null,
    pairing: baseline?.pairing ?? null,
    fits: fileFits(document),
    isProven: isProven(document),
  };
}

/** Candidates of one declaration of the document by line, from the first line on. */
export function declarationHints(
  request: HintRequest,
  entry: MappedDeclaration,
  file: FileGrounds,
): readonly LineCandidates[] {
  const { document } = request;
  const { mapped, outline } = document;
  if (mapped === null) return [];
  const facts = factsOf(mapped.data, entry);
  const declaration = outline.declarations[entry.declaration]!;
  const state = request.stateOf(declaration.row);
  const title = enclosingName(outline, declaration);
  const placement = placementOf(document, entry);
  const kept = keptOfFacts.get(facts);
  const isPlaced = kept !== undefined && sameFile(kept.file, file) && samePlacement(kept.placement, placement);
  // Whether it is doubtful follows from the entry, the state and where it was recorded.
  if (isPlaced && kept.entry === entry && sameDeclaration(kept.grounds, declaration, title, state)) return kept.lines;
  const grounds: Grounds = {
    row: declaration.row,
    kind: declaration.kind,
    title,
    confidence: entry.confidence,
    isDoubtful: doubtsOf(document, entry) !== null,
    state,
  };
  const isKept = kept !== undefined && sameFile(kept.file, file) && sameGrounds(kept.grounds, grounds);
  if (isKept && isPlaced) {
    kept.entry = entry;
    return kept.lines;
  }
  const name = lineOf(outline, declaration.nameSpan.start);
  const { calls, lineNow } = placedCalls(document, entry);
  const hotLines = request.options.lines ? hotLinesInText(document, entry, facts, request.options) : [];
  if (isKept && sameCalls(kept, calls, lineNow, name) && sameLines(kept.hotLines, hotLines, name)) {
    // Its code is another one, which everything stands in as it did before: not to be found out again at each keystroke elsewhere.
    kept.placement = placement;
    kept.entry = entry;
    return kept.lines;
  }
  const made: Kept = {
    file,
    grounds,
    entry,
    placement,
    calls,
    callsBelow: calls.map(call => {
      const line = lineNow(call);
      return line === null ? null : line - name;
    }),
    hotLines: hotLines.map(({ line, amount }) => ({ line: line - name, amount })),
    lines: grouped({ ...request, entries: [entry] }, name),
  };
  keptOfFacts.set(facts, made);
  return made.lines;
}

/** What wins a line stands first; among equals, what was found first. */
export function byWeight(candidates: readonly HintCandidate[]): HintCandidate[] {
  return candidates.toSorted((a, b) => b.weight - a.weight || RANK[a.kind] - RANK[b.kind]);
}

function grouped(request: HintRequest, name: number): LineCandidates[] {
  const candidates = [...methodHints(request), ...callHints(request), ...lineHints(request)];
  return Array.from(
    Map.groupBy(candidates, ({ line }) => line),
    ([line, onLine]) => lineCandidates(line - name, byWeight(onLine)),
  ).sort((a, b) => a.below - b.below);
}

function sameFile(kept: FileGrounds, now: FileGrounds): boolean {
  return (
    kept === now ||
    (kept.baseline === now.baseline &&
      kept.pairing === now.pairing &&
      kept.options === now.options &&
      kept.fits === now.fits &&
      kept.isProven === now.isProven)
  );
}

function sameDeclaration(kept: Grounds, { row, kind }: Declaration, title: string, state: CodeState['name']): boolean {
  return kept.row === row && kept.kind === kind && kept.title === title && kept.state === state;
}

function sameGrounds(kept: Grounds, now: Grounds): boolean {
  return (
    kept.row === now.row &&
    kept.kind === now.kind &&
    kept.confidence === now.confidence &&
    kept.isDoubtful === now.isDoubtful &&
    kept.state === now.state &&
    kept.title === now.title
  );
}

function placementOf(document: DocumentView, { declaration }: MappedDeclaration): Placement | null {
  const comparison = comparisonFor(document, declaration);
  const row = comparison?.profiledRow(declaration) ?? -1;
  return comparison === null || row < 0 ? null : { recorded: comparison.profiled, code: comparison.placementOf(row) };
}

/** Everything that was recorded of a declaration stands where it stood, counted from its name. */
function samePlacement(kept: Placement | null, now: Placement | null): boolean {
  return kept !== null && now !== null && kept.recorded === now.recorded && kept.code === now.code;
}

function sameCalls(
  kept: Kept,
  calls: readonly CallGroup[],
  lineNow: (call: CallGroup) => number | null,
  name: number,
): boolean {
  if (kept.calls.length !== calls.length) return false;
  for (let i = 0; i < calls.length; i++) {
    if (kept.calls[i] !== calls[i]) return false;
    const line = lineNow(calls[i]!);
    if (kept.callsBelow[i] !== (line === null ? null : line - name)) return false;
  }
  return true;
}

function sameLines(kept: readonly LineAndAmount[], now: readonly LineAndAmount[], name: number): boolean {
  if (kept.length !== now.length) return false;
  return now.every(({ line, amount }, i) => {
    const { line: below, amount: before } = kept[i]!;
    return below === line - name && before.weight === amount.weight && before.count === amount.count;
  });
}
