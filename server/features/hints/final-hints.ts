// Hints as clients get them, whatever protocol they speak: texts, what a click asks, drawings, and predictions behind the numbers.

import { aroundFact, factsOf } from '../../analysis/ask.ts';
import type { PredictedFile } from '../../analysis/prediction/prediction.ts';
import { isWeighted } from '../../cct/profile.ts';
import type { Change, Share } from '../../model/terms.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { changeOf, shareOf } from '../answers/vocabulary.ts';
import { pointAt, type TextPoint } from '../calls/locate.ts';
import { graphicOf, hasGraphic, type WordGraphic } from '../facts/word-graphic.ts';
import { predictedHints } from '../prediction/prediction-hints.ts';
import type { HintContent } from './hint-content.ts';
import { type DocumentHints, drawnEntry, type Hint } from './hints.ts';

/** Facts that do not hold are left out, because lists are long and asked for after every keystroke. */
type HintFacts = {
  /** See `HintContent`; no client draws it more finely. */
  readonly heat: number;
  readonly kind: HintContent['kind'] | 'prediction';
  readonly stale?: true;
  readonly state?: Exclude<HintContent['state'], 'unchanged' | 'unknown'>;
  /** With the angle and the colour of its arrow. */
  readonly change?: Change & Pick<Moved, 'angle'> & { readonly colour: Pick<Moved, 'red' | 'green' | 'blue'> };
};

type Moved = NonNullable<HintContent['change']>;

type Drawing = WordGraphic & { readonly self: Share; readonly selfOfMethod: Share };

export type FinalHint = {
  /** 1-based. */
  readonly line: number;
  /** UTF-16 units of the line's text, without its line break. */
  readonly character: number;
  readonly text: string;
  /** One plain sentence a line. */
  readonly tooltip: string;
  /** The question that a click asks, and its place; null for none. */
  readonly asks: { readonly question: 'callers' | 'callees' | 'slowerCallers'; readonly at: TextPoint } | null;
  readonly facts: HintFacts & Partial<Drawing>;
};

/** The additions that only some clients get. */
type HintExtras = {
  /** Runs a command when a hint is clicked. */
  readonly commands: boolean;
  /** Draws word-sized graphics of methods. */
  readonly graphics: boolean;
};

/** The last hints of a document. */
export type KeptHints = {
  readonly found: DocumentHints;
  /** As the client got them; null where something of them was not known yet. */
  readonly final: readonly FinalHint[] | null;
};

/** The hints of some lines, and behind them hints of predictions where there are any. */
export function finalHints(
  { document, hints, range }: DocumentHints,
  extras: HintExtras,
  predicted: PredictedFile | null,
): FinalHint[] {
  const measured = hints.map(hint => finalHint(hint, document, extras));
  if (predicted === null) return measured;
  return [
    ...measured,
    ...predictedHints(document, predicted, range ?? ALL_LINES).map(({ explanations, callersOf, ...hint }) => ({
      ...hint,
      tooltip: explanations.join('\n'),
      asks:
        extras.commands && callersOf !== null
          ? { question: 'slowerCallers' as const, at: pointAt(document.outline, callersOf) }
          : null,
      facts: PREDICTED,
    })),
  ];
}

const ALL_LINES = { first: 1, last: Number.POSITIVE_INFINITY };

/** A prediction is no share of anything: it has no heat. */
const PREDICTED: HintFacts = { heat: 0, kind: 'prediction' };

function finalHint(hint: Hint, document: DocumentView, { commands, graphics }: HintExtras): FinalHint {
  const { content, line, character } = hint;
  const stale = content.stale ? ['~ the text has changed since this was recorded'] : [];
  return {
    line,
    character,
    text: content.text,
    tooltip: [...stale, ...content.explanations].join('\n'),
    asks: commands ? askedBy(hint, document) : null,
    facts: { ...factsIn(content), ...(graphics && drawing(hint, document)) },
  };
}

/** No client draws a share more finely than to so many digits. */
const HEAT_DIGITS = 4;

function factsIn({ heat, kind, stale, state, change }: HintContent): HintFacts {
  return {
    heat: Number(heat.toPrecision(HEAT_DIGITS)),
    kind,
    ...(stale && { stale }),
    ...(state !== 'unchanged' && state !== 'unknown' && { state }),
    ...(change !== null && { change: drawnChange(change) }),
  };
}

function drawnChange(change: Moved): NonNullable<HintFacts['change']> {
  const { angle, red, green, blue } = change;
  return { ...changeOf(change), angle, colour: { red, green, blue } };
}

/** The question behind a hint: the callers of its method, or the callees of the method around its call. */
function askedBy({ kind, name, declaration }: Hint, { outline }: DocumentView): FinalHint['asks'] {
  const declared = outline.declarations[declaration]!.kind;
  // Nothing can be asked about the names of fields and lines.
  if (kind === 'line' || declared === 'field' || declared === 'enumConstant') return null;
  return { question: kind === 'call' ? 'callees' : 'callers', at: name };
}

/** Nothing while it is not known. */
function drawing(hint: Hint, document: DocumentView): Drawing | null {
  const data = document.mapped?.data;
  const entry = drawnEntry(hint, document);
  if (data === undefined || entry === null || !hasGraphic(data, entry)) return null;
  const { total, self } = factsOf(data, entry);
  const samples = isWeighted(data.metric) ? aroundFact(data, entry, 'effectiveSamples') : total.count;
  return {
    ...graphicOf(data, entry),
    self: shareOf(data, self, data.analysis.whole, data.values.effectiveWhole),
    selfOfMethod: shareOf(data, self, total, samples),
  };
}
