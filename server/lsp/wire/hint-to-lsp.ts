// Turns hints into the protocol's type: text, tooltip, what a click does, and what clients need that draw hints themselves.
import type { InlayHint, InlayHintLabelPart } from 'vscode-languageserver/node';
import type { Declaration } from '../../../grammar/outline.ts';
import type { SurroundingFact } from '../../analysis/surroundings.ts';
import { isWeighted } from '../../cct/profile.ts';
import { aroundFact } from '../../features/facts/around-facts.ts';
import { entryOf } from '../../features/facts/entry-of.ts';
import { factsOf } from '../../features/facts/method-facts.ts';
import { GRAPHIC_FACTS, graphicOf, hasGraphic } from '../../features/facts/word-graphic.ts';
import type { HintContent } from '../../features/hints/hint-content.ts';
import type { Hint } from '../../features/hints/hints.ts';
import type { Need } from '../../features/needs.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { changeMessage, shareMessage } from '../operations/messages.ts';
import type { HintData } from '../protocol.ts';
import { asciiJson, type JsonText, ListWriter, placeText, positionText } from './json-text.ts';

type GraphicFields = Pick<HintData, 'callers' | 'callees' | 'self' | 'threads'>;

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
 * saying, and of each hint that moved only its place is written anew, of others nothing.
 */
export class HintWriter {
  readonly #plain = new ListWriter<Hint>();
  readonly #drawn = new ListWriter<DrawnHint>();
  readonly #hintsDrawn = new WeakMap<Hint, DrawnHint>();

  write(hints: readonly Hint[], document: DocumentView, { commands, graphics }: HintExtras): JsonText<InlayHint[]> {
    const uri = asciiJson(document.uri);
    const key = `${commands} ${uri}`;
    const kindOf = ({ declaration }: Hint) => document.outline.declarations[declaration]!.kind;
    const textOf = (hint: Hint, drawn = '') =>
      hintText(hint, commands ? commandText(hint, kindOf(hint), uri) : '', drawn);
    if (!graphics) return this.#plain.write(key, hints, hint => textOf(hint));
    const drawn = hints.map(hint => this.#drawnHint(hint, graphicText(hint, document)));
    return this.#drawn.write(key, drawn, each => textOf(each.hint, each.text));
  }

  /** The same object as long as the same is drawn. */
  #drawnHint(hint: Hint, text: string): DrawnHint {
    const known = this.#hintsDrawn.get(hint);
    if (known?.text === text) return known;
    const drawn = { hint, text };
    this.#hintsDrawn.set(hint, drawn);
    return drawn;
  }
}

/** A hint with what is added to its data. */
type DrawnHint = { readonly hint: Hint; readonly text: string };

function hintText({ content, line, character }: Hint, command: string, drawn: string): string {
  const { label, data } = textsOf(content);
  const position = positionText({ line: line - 1, character });
  return `{"position":${position},"label":[{${label}${command}}],"paddingLeft":true,"data":{${data}${drawn}}}`;
}

/** JSON of what does not depend on the place; without the braces of objects that something may be added to. */
type Texts = { readonly label: string; readonly data: string };

const textsOfContent = new WeakMap<HintContent, Texts>();

function textsOf(content: HintContent): Texts {
  const known = textsOfContent.get(content);
  if (known !== undefined) return known;
  const explanations = [...content.explanations];
  if (content.stale) explanations.unshift('~ the text has changed since this was recorded');
  const label: InlayHintLabelPart = { value: content.text, tooltip: explanations.join('\n') };
  const made: Texts = { label: fieldsOf(label), data: fieldsOf(dataOf(content)) };
  textsOfContent.set(content, made);
  return made;
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

/** What graphics of the hints are drawn from. */
export function hintGraphicNeeds(hints: readonly Hint[], document: DocumentView): Need[] {
  const { mapped } = document;
  if (mapped === null) return [];
  const { data } = mapped;
  const sets = hints.flatMap(hint => {
    const entry = drawnEntry(hint, document);
    return entry === null ? [] : [entry.methods];
  });
  const facts: SurroundingFact[] = isWeighted(data.metric)
    ? [...GRAPHIC_FACTS, 'effectiveSamples']
    : [...GRAPHIC_FACTS];
  return [{ data, around: { sets, facts } }];
}

/** The addition to a hint's data; nothing while it is not known. */
function graphicText(hint: Hint, document: DocumentView): string {
  const data = document.mapped?.data;
  const entry = drawnEntry(hint, document);
  if (data === undefined || entry === null || !hasGraphic(data, entry)) return '';
  const { total, self } = factsOf(data, entry);
  const samples = isWeighted(data.metric) ? aroundFact(data, entry, 'effectiveSamples') : total.count;
  const fields: GraphicFields = { ...graphicOf(data, entry), self: shareMessage(data, self, total, samples) };
  return `,${fieldsOf(fields)}`;
}

function drawnEntry({ kind, declaration }: Hint, document: DocumentView): MappedDeclaration | null {
  return kind === 'method' || kind === 'lambda' ? entryOf(document, declaration) : null;
}
