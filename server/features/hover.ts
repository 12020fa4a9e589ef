// Hover on a method name or a call, as Markdown: its numbers with counts and intervals, around it who calls and what runs, and the data's origin.

import type { Declaration, Span } from '../../grammar/outline.ts';
import { formatProblem } from '../base/problem.ts';
import type { MappedDeclaration } from '../mapping/document-map.ts';
import { lineOf } from '../mapping/lines.ts';
import { isType } from '../mapping/outline-index.ts';
import type { DocumentView } from '../workspace/document-view.ts';
import type { LoadedData } from '../workspace/loaded-data.ts';
import { type AroundFact, aroundFact, aroundSteps, effectiveWholeOf } from './around-facts.ts';
import { enclosingName } from './call-hints.ts';
import { stateOf, stateText } from './code-state.ts';
import { dataText, shortDataText } from './data-text.ts';
import { groupDigits, samplesText } from './format-share.ts';
import { hintSteps, hintsOf } from './hints.ts';
import { calleeRows, intervalText, lineRows, listOf, shareOf, targetRows, threadLabel } from './hover-parts.ts';
import { type HoverTarget, hoverTarget } from './hover-target.ts';
import { code, escapeMarkdown } from './markdown.ts';
import { factsOf } from './method-facts.ts';
import { ownsCode, titleOf } from './method-hints.ts';
import { doubtsOf } from './recorded-place.ts';
import { methodLabel } from './runtime-names.ts';

export type HoverText = { readonly markdown: string; readonly span: Span };

/** Below this many samples a share says nothing. */
const FEW_SAMPLES = 10;

const AROUND_METHOD: readonly AroundFact[] = ['callers', 'callees', 'threads', 'lines'];
const AROUND_CALL: readonly AroundFact[] = ['callees', 'effectiveSamples'];

/**
 * Works out in small steps what `hoverOf` needs from the tree, so that a caller can let others run in between. It is remembered;
 * `hoverOf` is quick afterwards.
 */
export function* hoverSteps(document: DocumentView, offset: number): Generator<void, void, void> {
  const { mapped, outline } = document;
  const target = mapped === null ? null : hoverTarget(document, offset);
  if (mapped === null || target === null || target.entry === null) return;
  const { data } = mapped;
  const line = lineOf(outline, target.span.start);
  yield* hintSteps(document, { first: line, last: line });
  if (factsOf(data, target.entry).total.count < FEW_SAMPLES) return;
  effectiveWholeOf(data);
  yield;
  yield* aroundSteps(data, target.entry, target.kind === 'call' ? AROUND_CALL : AROUND_METHOD);
}

/** null where nothing stands that could have run, and at calls while there are no data. */
export function hoverOf(document: DocumentView, offset: number): HoverText | null {
  const target = hoverTarget(document, offset);
  if (target === null) return null;
  const { mapped } = document;
  if (mapped === null) return target.kind === 'call' ? null : withoutData(document, target);
  const { data } = mapped;
  const sections =
    target.kind === 'call' ? callSections(document, data, target) : methodSections(document, data, target);
  if (sections === null) return null;
  return { markdown: sections.filter(section => section !== '').join('\n\n'), span: target.span };
}

function withoutData({ state }: DocumentView, target: HoverTarget): HoverText | null {
  if (isType(target.declaration)) return null;
  const reason =
    state.kind === 'loading'
      ? 'reading the snapshots …'
      : state.problems.map(each => escapeMarkdown(formatProblem(each))).join('  \n') || 'no data';
  return { markdown: `**insitu** · ${reason}`, span: target.span };
}

function methodSections(
  document: DocumentView,
  data: LoadedData,
  { declaration, entry }: Extract<HoverTarget, { kind: 'declaration' }>,
): string[] | null {
  const title = `**insitu** ${code(titleOf(declaration))}`;
  if (entry === null) {
    if (!ownsCode(declaration)) return null;
    return [`${title} · ${whyNothing(document, declaration, data)}`, originText(data)];
  }
  const names = entry.methods.map(row => methodLabel(data.profile.methods, row));
  const heading = `**insitu** ${[...new Set(names)].map(code).join(', ')}`;
  const { total } = factsOf(data, entry);
  if (total.count < FEW_SAMPLES) return [`${heading} · few samples (${total.count})`, originText(data)];
  return [
    heading,
    ownNumbers(data, entry),
    enclosingText(document, data, declaration),
    mappingText(document, entry),
    ...aroundSections(document, data, entry),
    sameLineText(document, lineOf(document.outline, declaration.nameSpan.start)),
    dataText(data),
  ];
}

function originText(data: LoadedData): string {
  return `*${escapeMarkdown(shortDataText(data))}*`;
}

function whyNothing(document: DocumentView, { row, body, name }: Declaration, data: LoadedData): string {
  if (body === null) return 'has no code of its own; hover a call of it to see what ran';
  const state = stateOf(document, row);
  if (state.name === 'new') return `${name === '' ? 'it ' : ''}is ${escapeMarkdown(stateText(document, state))}`;
  return `${name === '' ? 'it ' : ''}was not seen in ${samplesText(data.analysis.whole.count)} of ${escapeMarkdown(data.metric.id)}`;
}

function ownNumbers(data: LoadedData, entry: MappedDeclaration): string {
  const { analysis, metric } = data;
  const { total, self } = factsOf(data, entry);
  const { whole } = analysis;
  const selfText =
    self.count === 0
      ? 'self: never seen running itself'
      : `self: ${shareOf(self, total)} of its own time = ${shareOf(self, whole)} of all · ${samplesText(self.count)}`;
  const totalText = `${shareOf(total, whole)} of ${escapeMarkdown(metric.id)} · ${groupDigits(total.count)} of ${samplesText(whole.count)}`;
  return `${totalText}${intervalText(data, total, whole, effectiveWholeOf(data))}  \n${selfText}`;
}

/** A lambda's shares are of the lambda; its method's share tells what they mean for the whole. */
function enclosingText(document: DocumentView, data: LoadedData, declaration: Declaration): string {
  if (declaration.kind !== 'lambda') return '';
  const { outline, mapped } = document;
  const enclosing = mapped?.map.declarations.find(entry => entry.declaration === declaration.parent);
  const parent = outline.declarations[declaration.parent];
  if (enclosing === undefined || parent === undefined) return '';
  const { total } = factsOf(data, enclosing);
  return `written in ${code(titleOf(parent))}: ${shareOf(total, data.analysis.whole)} of all · ${samplesText(total.count)}`;
}

function mappingText(document: DocumentView, entry: MappedDeclaration): string {
  const { outline } = document;
  const notes: string[] = [];
  if (entry.alternatives.length > 0) {
    const lines = entry.alternatives.map(row => `line ${lineOf(outline, outline.declarations[row]!.nameSpan.start)}`);
    notes.push(`~ another declaration may be meant: ${lines.join(', ')}`);
  }
  const state = stateOf(document, entry.declaration);
  const said = stateText(document, state);
  if (said !== '') notes.push(`${state.name === 'changed' ? '~ ' : ''}${escapeMarkdown(said)}`);
  if (state.name !== 'changed' && doubtsOf(document, entry) === 'changed')
    notes.push('~ changed since it was recorded: observed lines no longer fit');
  if (entry.onlyLines !== undefined)
    notes.push('only what runs on these lines; the rest of the initialisers stands elsewhere');
  if (entry.reason !== undefined) notes.push(escapeMarkdown(entry.reason));
  return notes.join('  \n');
}

function aroundSections(document: DocumentView, data: LoadedData, entry: MappedDeclaration): string[] {
  const { profile } = data;
  const { methods: whole } = factsOf(data, entry);
  const label = (row: number) => code(methodLabel(profile.methods, row));
  const callers = aroundFact(data, entry, 'callers').map(({ method, amount }) => ({ amount, text: label(method) }));
  const threads = aroundFact(data, entry, 'threads').map(({ thread, amount }) => ({
    amount,
    text: threadLabel(profile.threads, thread),
  }));
  return [
    listOf('Callers', callers, whole),
    listOf('Callees', calleeRows(document, data, entry), whole),
    listOf('Threads', threads, whole),
    listOf('Lines', lineRows(document, data, entry), whole),
  ];
}

function callSections(
  document: DocumentView,
  data: LoadedData,
  { site, declaration, entry, calls }: Extract<HoverTarget, { kind: 'call' }>,
): string[] | null {
  if (entry === null) return null;
  const { analysis } = data;
  const caller = escapeMarkdown(enclosingName(document.outline, declaration));
  const { methods: whole } = factsOf(data, entry);
  const heading = `**insitu** ${code(site.name)}`;
  if (calls.length === 0) {
    const reason = `not seen running below this call in ${samplesText(whole.count)} of ${caller}`;
    return whole.count < FEW_SAMPLES ? null : [`${heading} · ${reason}`, originText(data)];
  }
  const numbers = calls.map(({ amount }) => {
    if (amount.count < FEW_SAMPLES) return `few samples (${amount.count})`;
    const counts = `${groupDigits(amount.count)} of ${samplesText(whole.count)}`;
    const interval = intervalText(data, amount, whole, aroundFact(data, entry, 'effectiveSamples'));
    return `${shareOf(amount, whole)} of ${caller} = ${shareOf(amount, analysis.whole)} of all · ${counts}${interval}`;
  });
  return [
    heading,
    numbers.join('  \n'),
    listOf('What ran', targetRows(data, entry, calls), whole),
    sameLineText(document, calls[0]!.line),
    dataText(data),
  ];
}

/** ` +2` in a hint says that more is here. */
function sameLineText(document: DocumentView, line: number): string {
  const [hint] = hintsOf(document, { first: line, last: line });
  if (hint === undefined || hint.explanations.length < 2) return '';
  return ['*On this line*', ...hint.explanations.map(text => `- ${escapeMarkdown(text)}`)].join('\n');
}
