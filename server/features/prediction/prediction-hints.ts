// Hints of predictions: what the lines of an edit will cost, on calls, loops and methods that are new or changed.

import {
  asksIterations,
  isTold,
  knownTerms,
  type PredictedFile,
  type PredictedMethod,
  type PredictedTerm,
  reliabilityOf,
  termEnds,
  unknownTerms,
} from '../../analysis/prediction/prediction.ts';
import { lineOf } from '../../mapping/observed-lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import type { LineRange } from '../hints/hints.ts';
import { nanosText } from '../text/times-text.ts';
import { hintText, intervalText, termLines } from './prediction-text.ts';
import { slowerCallers } from './slower-callers.ts';
import { UNFINISHED } from './unfinished.ts';

type PredictedHint = {
  /** 1-based. */
  readonly line: number;
  /** UTF-16 units of the line's text, without its line break. */
  readonly character: number;
  readonly text: string;
  /** Plain sentences. */
  readonly explanations: readonly string[];
  /** Offset of the name of the method whose sum it is, where callers get slower by it; null for others. */
  readonly callersOf: number | null;
};

type LineText = Pick<PredictedHint, 'text' | 'explanations' | 'callersOf'>;

/** Hints of these lines, at most one a line, without predictions that are not told: see docs/prediction.md. */
export function predictedHints(
  document: DocumentView,
  found: PredictedFile,
  { first, last }: LineRange,
): PredictedHint[] {
  const { methods, unpredicted, held = [] } = found;
  const { declarations } = document.outline;
  const texts = new Map<number, LineText>();
  for (const method of methods) {
    const { span } = declarations[method.declaration]!;
    if (lineOf(document.outline, span.end) < first || method.line > last) continue;
    const { nameSpan } = declarations[method.declaration]!;
    const callersOf = slowerCallers(found, method).length > 0 ? nameSpan.start : null;
    for (const [line, text] of textsOf(document, method, callersOf)) texts.set(line, text);
  }
  for (const { line, reason, declaration, name } of unpredicted) {
    const method = held.find(each => each.declaration === declaration && each.name === name);
    const told =
      reason !== UNFINISHED || method === undefined ? undefined : textsOf(document, method, null).get(method.line);
    // The brackets dim it in every client.
    if (told !== undefined) texts.set(line, { ...told, text: `(${told.text})` });
    else if (reason !== UNFINISHED)
      texts.set(line, { text: '≈ ?', explanations: [`not predicted: ${reason}`], callersOf: null });
  }
  return [...texts]
    .filter(([line]) => line >= first && line <= last)
    .map(([line, text]) => hintAt(document, line, text))
    .sort((a, b) => a.line - b.line);
}

/** At the end of a line. */
function hintAt({ text, outline: { lineStarts } }: DocumentView, line: number, told: LineText): PredictedHint {
  const written = text.slice(lineStarts[line - 1]!, lineStarts[line] ?? text.length);
  return { line, character: written.replace(/[\r\n]+$/, '').length, ...told };
}

const PREDICTED = 'predicted from the response times of production';

function textsOf(
  document: DocumentView,
  method: PredictedMethod,
  callersOf: LineText['callersOf'],
): Map<number, LineText> {
  const found = new Map<number, LineText>();
  for (const [line, terms] of termsByLine(document, method)) {
    const text = partText(terms, method);
    if (text !== null) found.set(line, { text, explanations: [PREDICTED, ...termLines(terms)], callersOf: null });
  }
  const { measured, terms, ends, interval } = method;
  const isOpen = ends !== null && terms.some(term => isUnknown(term, measured));
  if (ends === null || ends.some(end => isTold(end, measured))) {
    const explanations = [
      `${PREDICTED}${interval === null ? '' : `; 80 %: ${intervalText(interval)}`}`,
      ...termLines(terms),
    ];
    found.set(method.line, { text: hintText(method, isOpen), explanations, callersOf });
  }
  return found;
}

/** Whether a term is told of which something is not known. */
function isUnknown(term: PredictedTerm, measured: number | null): boolean {
  return term.cost === null || asksIterations(term, measured);
}

/** Calls stand on their lines, and in the lines of the loops around them. */
function termsByLine({ outline }: DocumentView, { terms }: PredictedMethod): Map<number, PredictedTerm[]> {
  const found = new Map<number, PredictedTerm[]>();
  for (const term of terms) {
    if (term.span === null) continue;
    const lines = new Set([term.line, ...term.loops.map(({ start }) => lineOf(outline, start))]);
    for (const line of lines) {
      const known = found.get(line);
      if (known === undefined) found.set(line, [term]);
      else known.push(term);
    }
  }
  return found;
}

/** null where nothing of it is told. */
function partText(terms: readonly PredictedTerm[], { measured }: PredictedMethod): string | null {
  const known = knownTerms(terms);
  const all = known.map(termEnds);
  const ends = [all.reduce((sum, [low]) => sum + low, 0), all.reduce((sum, [, high]) => sum + high, 0)] as const;
  const open = unknownTerms(terms).filter(term => isUnknown(term, measured));
  if (!ends.some(end => isTold(end, measured))) return open.length > 0 ? openText(open) : null;
  return hintText({ ends, reliability: reliabilityOf(known), direction: 0 }, open.length > 0);
}

/** The text of calls or a loop whose number of runs is not known: `3 ms × ?` of one call, `× ?` of calls that take different times. */
function openText(open: readonly PredictedTerm[]): string {
  const known = new Set(open.flatMap(({ cost }) => (cost === null ? [] : [cost.mean])));
  const [one] = known;
  if (one !== undefined)
    return known.size === 1 && open.every(({ cost }) => cost !== null) ? `${nanosText(one)} × ?` : '× ?';
  const directions = new Set(open.map(({ direction }) => direction));
  return directions.size === 1 && directions.has(1) ? '≈ + ?' : '≈ ?';
}
