// Turns hints into the protocol's type: text, tooltip, what a click does, and what clients need that draw hints themselves.
import {
  type Command,
  type InlayHint,
  type InlayHintLabelPart,
  type MarkupContent,
  MarkupKind,
} from 'vscode-languageserver/node';
import { isWeighted } from '../../cct/profile.ts';
import { aroundFact, aroundSteps } from '../../features/facts/around-facts.ts';
import { factsOf } from '../../features/facts/method-facts.ts';
import { graphicSteps, knownGraphic } from '../../features/facts/word-graphic.ts';
import type { HintContent } from '../../features/hints/hint-content.ts';
import type { Hint } from '../../features/hints/hints.ts';
import { entryOf } from '../../features/hover/hover-target.ts';
import { escapeMarkdown } from '../../features/text/markdown.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import type { Steps } from '../../metrics/around-method.ts';
import type { LoadedData } from '../../workspace/data/loaded-data.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { changeMessage, shareMessage } from '../operations/messages.ts';
import type { HintData, ShareMessage } from '../protocol.ts';
import { positionAt } from './to-lsp.ts';

type GraphicFields = Pick<HintData, 'callers' | 'callees' | 'self' | 'threads'>;

/** What only some clients get. */
export type HintExtras = {
  /** Runs a command when a hint is clicked. */
  readonly commands: boolean;
  /** Draws word-sized graphics of methods. */
  readonly graphics: boolean;
};

/** One label part with a plain tooltip, because some clients show tooltips of parts only; the hint has the Markdown one. */
export function inlayHint(hint: Hint, document: DocumentView, { commands, graphics }: HintExtras): InlayHint {
  const { label, tooltip, data } = partsOf(hint.content);
  const command = commands ? commandOf(hint, document) : null;
  const drawn = graphics ? graphicFields(hint, document) : null;
  return {
    position: positionAt(document.outline, hint.offset),
    label: command === null ? label : [{ ...label[0]!, command }],
    tooltip,
    paddingLeft: true,
    data: drawn === null ? data : { ...data, ...drawn },
  };
}

type Parts = {
  readonly label: InlayHintLabelPart[];
  readonly tooltip: MarkupContent;
  readonly data: HintData;
};

/** What does not depend on the place is the same in every answer; nobody changes it. */
const partsOfContent = new WeakMap<HintContent, Parts>();

function partsOf(content: HintContent): Parts {
  const known = partsOfContent.get(content);
  if (known !== undefined) return known;
  const { text, heat, kind, stale, state, change } = content;
  const explanations = [...content.explanations];
  if (stale) explanations.unshift('~ the text has changed since this was recorded');
  const made: Parts = {
    label: [{ value: text, tooltip: explanations.join('\n') }],
    tooltip: {
      kind: MarkupKind.Markdown,
      value: `**insitu**  \n${explanations.map(escapeMarkdown).join('  \n')}`,
    },
    data: { heat, kind, stale, state, change: change === null ? null : changeMessage(change) },
  };
  partsOfContent.set(content, made);
  return made;
}

/** Who calls a method; what a method calls, of which the hint on a line is one. */
function commandOf({ kind, declaration }: Hint, { uri, outline }: DocumentView): Command | null {
  const { nameSpan, kind: declared } = outline.declarations[declaration]!;
  // Nothing can be asked about the names of fields and lines.
  if (kind === 'line' || declared === 'field' || declared === 'enumConstant') return null;
  const asked = { textDocument: { uri }, position: positionAt(outline, nameSpan.start) };
  return kind === 'call'
    ? { title: 'insitu: callees', command: 'insitu.callees', arguments: [asked] }
    : { title: 'insitu: callers', command: 'insitu.callers', arguments: [asked] };
}

/** Self shares with their intervals, small enough to be remembered of all methods: what they are made from is not. */
const selfOfData = new WeakMap<LoadedData, Map<string, ShareMessage>>();

function selfKnown(data: LoadedData): Map<string, ShareMessage> {
  const known = selfOfData.get(data) ?? new Map<string, ShareMessage>();
  selfOfData.set(data, known);
  return known;
}

/** Works out in small steps what graphics of the hints show. */
export function* hintGraphicSteps(hints: readonly Hint[], document: DocumentView): Steps<void> {
  const { mapped } = document;
  if (mapped === null) return;
  const { data } = mapped;
  const known = selfKnown(data);
  for (const hint of hints) {
    const entry = drawnEntry(hint, document);
    if (entry === null || known.has(keyOf(entry))) continue;
    yield* graphicSteps(data, entry);
    if (isWeighted(data.metric)) yield* aroundSteps(data, entry, ['effectiveSamples']);
    const { total, self } = factsOf(data, entry);
    const samples = isWeighted(data.metric) ? aroundFact(data, entry, 'effectiveSamples') : total.count;
    known.set(keyOf(entry), shareMessage(data, self, total, samples));
  }
}

/** Nothing where it has not been worked out yet. */
function graphicFields(hint: Hint, document: DocumentView): GraphicFields | null {
  const data = document.mapped?.data;
  const entry = drawnEntry(hint, document);
  if (data === undefined || entry === null) return null;
  const [self, graphic] = [selfKnown(data).get(keyOf(entry)), knownGraphic(data, entry)];
  return self === undefined || graphic === null ? null : { ...graphic, self };
}

function drawnEntry({ kind, declaration }: Hint, document: DocumentView): MappedDeclaration | null {
  return kind === 'method' || kind === 'lambda' ? entryOf(document, declaration) : null;
}

function keyOf({ methods, onlyLines }: MappedDeclaration): string {
  return `${methods.join()}|${onlyLines?.join(';') ?? ''}`;
}
