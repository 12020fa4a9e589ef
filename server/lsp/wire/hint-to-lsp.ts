// Turns hints into the protocol's type: text, tooltip, what a click does, and what clients need that draw hints themselves.

import type { InlayHint, InlayHintLabelPart } from 'vscode-languageserver/node';
import type { Declaration } from '../../../grammar/outline.ts';
import { aroundFact, factsOf } from '../../analysis/ask.ts';
import { isWeighted } from '../../cct/profile.ts';
import { shareOf } from '../../features/answers/vocabulary.ts';
import { graphicOf, hasGraphic } from '../../features/facts/word-graphic.ts';
import type { HintContent } from '../../features/hints/hint-content.ts';
import { drawnEntry, type Hint } from '../../features/hints/hints.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { changeMessage } from '../operations/messages.ts';
import type { HintData } from '../protocol.ts';
import { asciiJson, type JsonText, ListWriter, placeText, positionText } from './json-text.ts';

type GraphicFields = Pick<HintData, 'callers' | 'callees' | 'self' | 'selfOfMethod' | 'threads'>;

/** What only some clients get. */
type HintExtras = {
  /** Runs a command when a hint is clicked. */
  readonly commands: boolean;
  /** Draws word-sized graphics of methods. */
  readonly graphics: boolean;
};

/**
 * Makes lists of the protocol's inlay hints. Each has one label part with a plain tooltip: some clients show tooltips of parts only, and
 * no client that of the hint alone. Lists are long and asked for after every keystroke: nothing is said twice or where it goes without
 * saying, and hints that stand where they stood are not written anew.
 */
export class HintWriter {
  readonly #lists = new ListWriter<DrawnHint>(isSame);

  write(hints: readonly Hint[], document: DocumentView, { commands, graphics }: HintExtras): JsonText<InlayHint[]> {
    const uri = asciiJson(document.uri);
    const drawn = hints.map(hint => ({ hint, graphic: graphics ? graphicText(hint, document) : '' }));
    return this.#lists.write(`${commands} ${uri}`, drawn, ({ hint, graphic }) => {
      const { kind } = document.outline.declarations[hint.declaration]!;
      return hintText(hint, commands ? commandText(hint, kind, uri) : '', graphic);
    });
  }
}

/** A hint with what is added to its data. */
type DrawnHint = { readonly hint: Hint; readonly graphic: string };

function isSame({ hint: one, graphic }: DrawnHint, { hint: other, graphic: drawn }: DrawnHint): boolean {
  return (
    graphic === drawn &&
    one.content === other.content &&
    one.line === other.line &&
    one.character === other.character &&
    one.declaration === other.declaration &&
    one.name.line === other.name.line &&
    one.name.character === other.name.character
  );
}

function hintText({ content, line, character }: Hint, command: string, graphic: string): string {
  const explanations = [...content.explanations];
  if (content.stale) explanations.unshift('~ the text has changed since this was recorded');
  const label: InlayHintLabelPart = { value: content.text, tooltip: explanations.join('\n') };
  const position = positionText({ line: line - 1, character });
  const data = `${fieldsOf(dataOf(content))}${graphic}`;
  return `{"position":${position},"label":[{${fieldsOf(label)}${command}}],"paddingLeft":true,"data":{${data}}}`;
}

/** No client draws a share more finely than to so many digits. */
const HEAT_DIGITS = 4;

function dataOf({ heat, kind, stale, state, change }: HintContent): HintData {
  return {
    heat: Number(heat.toPrecision(HEAT_DIGITS)),
    kind,
    ...(stale && { stale }),
    ...(state !== 'unchanged' && state !== 'unknown' && { state }),
    ...(change !== null && { change: changeMessage(change) }),
  };
}

/** An object's JSON without its braces. */
function fieldsOf(value: object): string {
  return asciiJson(value).slice(1, -1);
}

/** Who calls a method; what a method calls, of which the hint on a line is one. */
function commandText({ kind, name }: Hint, declared: Declaration['kind'], uri: string): string {
  // Nothing can be asked about the names of fields and lines.
  if (kind === 'line' || declared === 'field' || declared === 'enumConstant') return '';
  const asked = kind === 'call' ? 'callees' : 'callers';
  const place = placeText(uri, name);
  return `,"command":{"title":"insitu: ${asked}","command":"insitu.${asked}","arguments":[${place}]}`;
}

/** The addition to a hint's data; nothing while it is not known. */
function graphicText(hint: Hint, document: DocumentView): string {
  const data = document.mapped?.data;
  const entry = drawnEntry(hint, document);
  if (data === undefined || entry === null || !hasGraphic(data, entry)) return '';
  const { total, self } = factsOf(data, entry);
  const samples = isWeighted(data.metric) ? aroundFact(data, entry, 'effectiveSamples') : total.count;
  const fields: GraphicFields = {
    ...graphicOf(data, entry),
    self: shareOf(data, self, data.analysis.whole, data.values.effectiveWhole),
    selfOfMethod: shareOf(data, self, total, samples),
  };
  return `,${fieldsOf(fields)}`;
}
