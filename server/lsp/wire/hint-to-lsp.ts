// Turns hints into the protocol's type: text, tooltip, what a click does, and what clients need that draw hints themselves.

import type { InlayHint, InlayHintLabelPart } from 'vscode-languageserver/node';
import { aroundFact, factsOf } from '../../analysis/ask.ts';
import { isWeighted } from '../../cct/profile.ts';
import { changeOf, shareOf } from '../../features/answers/vocabulary.ts';
import { graphicOf, hasGraphic } from '../../features/facts/word-graphic.ts';
import type { HintContent } from '../../features/hints/hint-content.ts';
import { drawnEntry, type Hint } from '../../features/hints/hints.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { changeInEditor } from '../operations/messages.ts';
import type { HintData } from '../protocol.ts';

type GraphicFields = Pick<HintData, 'callers' | 'callees' | 'self' | 'selfOfMethod' | 'threads'>;

/** What only some clients get. */
type HintExtras = {
  /** Runs a command when a hint is clicked. */
  readonly commands: boolean;
  /** Draws word-sized graphics of methods. */
  readonly graphics: boolean;
};

/**
 * Each hint has one label part with a plain tooltip: some clients show tooltips of parts only, and no client that of the hint alone.
 * Lists are long and asked for after every keystroke: nothing is said twice or where it goes without saying.
 */
export function inlayHint(hint: Hint, document: DocumentView, { commands, graphics }: HintExtras): InlayHint {
  const { content, line, character } = hint;
  const explanations = [...content.explanations];
  if (content.stale) explanations.unshift('~ the text has changed since this was recorded');
  const label: InlayHintLabelPart = {
    value: content.text,
    tooltip: explanations.join('\n'),
    ...(commands && commandOf(hint, document)),
  };
  const data: HintData = { ...dataOf(content), ...(graphics && graphicFields(hint, document)) };
  return { position: { line: line - 1, character }, label: [label], paddingLeft: true, data };
}

/** No client draws a share more finely than to so many digits. */
const HEAT_DIGITS = 4;

function dataOf({ heat, kind, stale, state, change }: HintContent): HintData {
  return {
    heat: Number(heat.toPrecision(HEAT_DIGITS)),
    kind,
    ...(stale && { stale }),
    ...(state !== 'unchanged' && state !== 'unknown' && { state }),
    ...(change !== null && { change: changeInEditor(changeOf(change)) }),
  };
}

/** Who calls a method; what a method calls, of which the hint on a line is one. */
function commandOf(
  { kind, name, declaration }: Hint,
  { uri, outline }: DocumentView,
): Pick<InlayHintLabelPart, 'command'> | null {
  const declared = outline.declarations[declaration]!.kind;
  // Nothing can be asked about the names of fields and lines.
  if (kind === 'line' || declared === 'field' || declared === 'enumConstant') return null;
  const asked = kind === 'call' ? 'callees' : 'callers';
  const place = { textDocument: { uri }, position: name };
  return { command: { title: `insitu: ${asked}`, command: `insitu.${asked}`, arguments: [place] } };
}

/** The addition to a hint's data; nothing while it is not known. */
function graphicFields(hint: Hint, document: DocumentView): GraphicFields | null {
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
