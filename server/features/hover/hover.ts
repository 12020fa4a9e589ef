// Hover on a method name or a call, as Markdown: its numbers with counts and intervals, around it who calls and what runs, and the data's origin.

import type { Declaration, Span } from '../../../grammar/outline.ts';
import { aroundFact, factsOf, type Need, type Reach } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { SurroundingFact } from '../../analysis/surroundings-answer.ts';
import { joined } from '../../base/printable.ts';
import { formatInEditor } from '../../base/problem.ts';
import { hasTimeTypes, OF_RECORDED, tellsAllTime, typesText } from '../../capabilities/typed/door.ts';
import { isWeighted } from '../../cct/profile.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { lineOf } from '../../mapping/observed-lines.ts';
import { isType } from '../../mapping/outline-index.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { overridesOf } from '../calls/implementation.ts';
import { claimsOn, claimsText, ranElsewhere } from '../facts/class-claims.ts';
import { stateOf, stateText } from '../facts/code-state.ts';
import { entryOf } from '../facts/entry-of.ts';
import { bridgeText } from '../facts/folded-samples.ts';
import { doubtsOf } from '../facts/recorded-place.ts';
import { labelOf } from '../facts/subject.ts';
import { enclosingName } from '../hints/call-hints.ts';
import { hintsOf } from '../hints/hints.ts';
import { ownsCode, titleOf } from '../hints/method-hints.ts';
import { queryOfCall } from '../query-of-call.ts';
import { dataText, shortDataText } from '../text/data-text.ts';
import { countsText, FEW_SAMPLES, fewSamplesText, samplesText } from '../text/format-share.ts';
import { code, escapeMarkdown, listRows } from '../text/markdown.ts';
import { callerWords, callsText, hasTimes, isMethod, nanosText, responseTimesText } from '../text/times-text.ts';
import {
  callChangesText,
  comparisonText,
  intervalOf,
  metricLines,
  ofAll,
  shareText,
  waitingText,
} from './hover-metrics.ts';
import {
  calleeRows,
  calleesInEntry,
  groupRows,
  lineRows,
  listOf,
  methodRows,
  methodText,
  objectsText,
  type Places,
  type RowContext,
  shownMethods,
  targetsOf,
  threadLabel,
} from './hover-parts.ts';
import { type Called, type Declared, type HoverTarget, hoverTarget } from './hover-target.ts';
import { hotHeaderAt, isHotHeader, LOOP_NOTE } from './loop-hover.ts';

export type HoverText = { readonly markdown: string; readonly span: Span };

/** Threads and lines that a list shows; methods are more. */
const FEW_ROWS = 5;

const AROUND_METHOD: readonly SurroundingFact[] = [
  'callers',
  'callees',
  'threads',
  'lines',
  'effectiveSamples',
  'metrics',
  'objects',
];
const AROUND_CALL: readonly SurroundingFact[] = ['callees', 'effectiveSamples'];

/** The needs of `hoverOf` beside the numbers of the document, which have to be known before. */
export function hoverNeeds(document: DocumentView, offset: number): Need[] {
  const target = document.mapped === null ? null : hoverTarget(document, offset);
  if (document.mapped === null || target === null || target.entry === null) return [];
  const { data } = document.mapped;
  const sets = [target.entry.methods];
  // However few samples a call has, what ran behind it is named.
  if (target.kind === 'call') return target.calls.length === 0 ? [] : [{ data, around: { sets, facts: AROUND_CALL } }];
  const times: readonly SurroundingFact[] = [
    ...(hasTimes(data) ? (['responseTimes'] as const) : []),
    ...(hasTimeTypes(data.profile) ? (['timeTypes'] as const) : []),
  ];
  const isSampled = factsOf(data, target.entry).total.count >= FEW_SAMPLES;
  const facts = [...(isSampled ? AROUND_METHOD : []), ...times];
  return facts.length === 0 ? [] : [{ data, around: { sets, facts } }];
}

/** Rows of the method table: methods whose places the hover shows, and methods that ran in place of a method without code. */
type MethodsAround = { readonly shown: readonly number[]; readonly overrides: readonly number[] };

const NOTHING_AROUND: MethodsAround = { shown: [], overrides: [] };

/** Looks for classes in other files. */
export async function methodsAround(document: DocumentView, offset: number, reach: Reach): Promise<MethodsAround> {
  const { mapped } = document;
  const target = mapped === null ? null : hoverTarget(document, offset);
  if (mapped === null || target === null) return NOTHING_AROUND;
  const { data } = mapped;
  if (target.kind === 'declaration' && target.entry === null) {
    const overrides = target.declaration.body === null ? await overridesOf(document, target.declaration, reach) : [];
    return { shown: shownMethods(overrides.map(method => ({ method }))), overrides };
  }
  if (target.entry === null || factsOf(data, target.entry).total.count < FEW_SAMPLES) return NOTHING_AROUND;
  if (target.kind === 'call')
    return { shown: shownMethods(targetsOf(data, target.entry, target.calls)), overrides: [] };
  const around = [aroundFact(data, target.entry, 'callers'), calleesInEntry(data, target.entry)];
  return { shown: [...new Set(around.flatMap(shownMethods))], overrides: [] };
}

/** The findings that a hover is written from. */
type Found = {
  /** Of the methods that `methodsAround` gave, as far as they were found. */
  readonly places?: Places;
  readonly overrides?: readonly number[];
  /** Whether places are links. */
  readonly links?: boolean;
};

/** null where nothing stands that could have run, and at calls while there are no data. */
export function hoverOf(
  document: DocumentView,
  offset: number,
  { places = new Map(), overrides = [], links = true }: Found = {},
): HoverText | null {
  const target = hoverTarget(document, offset);
  if (target === null) return loopHover(document, offset);
  const { mapped } = document;
  if (mapped === null) return target.kind === 'call' ? null : withoutData(document, target);
  const context: RowContext = { document, data: mapped.data, places, links };
  const sections = target.kind === 'call' ? callSections(context, target) : methodSections(context, target, overrides);
  if (sections === null) return null;
  return { markdown: joined(sections, '\n\n'), span: target.span };
}

/** At the header of a loop on a hot line, where nothing is called. */
function loopHover(document: DocumentView, offset: number): HoverText | null {
  const header = hotHeaderAt(document, offset);
  if (header === null || document.mapped === null) return null;
  const heading = `**insitu** ${escapeMarkdown(header.explanation)}`;
  return { markdown: [heading, LOOP_NOTE, originText(document.mapped.data)].join('\n\n'), span: header.span };
}

function withoutData({ state }: DocumentView, target: HoverTarget): HoverText | null {
  if (isType(target.declaration)) return null;
  const reason =
    state.kind === 'loading'
      ? 'reading the snapshots …'
      : state.problems.map(each => escapeMarkdown(formatInEditor(each))).join('  \n') || 'no data';
  return { markdown: `**insitu** · ${reason}`, span: target.span };
}

function methodSections(
  context: RowContext,
  { declaration, entry }: Declared,
  overrides: readonly number[],
): string[] | null {
  const { document, data } = context;
  if (entry === null) {
    if (!ownsCode(declaration)) return null;
    const reason = overrides.length === 0 ? whyNothing(document, declaration, data) : 'has no code of its own';
    const ran = overridesText(context, overrides);
    return [`**insitu** ${code(titleOf(declaration))} · ${reason}`, ran, originText(data)];
  }
  const names = entry.methods.map(row => labelOf(data, row));
  const heading = `**insitu** ${[...new Set(names)].map(code).join(', ')}`;
  const { total } = factsOf(data, entry);
  const times = timesText(context, entry);
  if (total.count < FEW_SAMPLES) return [`${heading} · ${fewSamplesText(total.count)}`, times, originText(data)];
  return [
    heading,
    metricLines(data, entry),
    timeTypesText(data, entry),
    times,
    enclosingText(document, data, declaration),
    mappingText(context, entry),
    comparisonText(data, entry, document.baseline),
    ...aroundSections(context, entry),
    sameLineText(document, lineOf(document.outline, declaration.nameSpan.start)),
    dataText(data),
  ];
}

/** The time types of threads in its time; empty where none were recorded. */
function timeTypesText(data: LoadedData, entry: MappedDeclaration): string {
  const types = hasTimeTypes(data.profile) ? aroundFact(data, entry, 'timeTypes') : [];
  if (types.length === 0) return '';
  const samples = types.reduce((sum, { count }) => sum + count, 0);
  const heading = tellsAllTime(data.profile) ? 'Of its time' : `Of its time, ${OF_RECORDED}`;
  return `*${heading}*: ${typesText(data.profile, types)} · ${samplesText(samples)} of threads`;
}

/** How long its calls took, and by whom; empty where nothing recorded it. */
function timesText(context: RowContext, entry: MappedDeclaration): string {
  const { data } = context;
  const times = hasTimes(data) ? aroundFact(data, entry, 'responseTimes') : null;
  if (times === null) return '';
  const { callers } = times;
  const shown = callers.length === 1 && !isMethod(callers[0]!.caller) ? [] : callers;
  const rows = listRows(shown, FEW_ROWS, ({ caller, mean, count }) => {
    const who = isMethod(caller) ? methodText(context, caller) : callerWords(caller);
    return `mean ${nanosText(mean)} · ${callsText(count)} · from ${who}`;
  });
  return [`*Response time* · ${responseTimesText(times)}`, ...rows].join('\n');
}

/** The methods that ran in place of a method without code, as shares of all samples. */
function overridesText(context: RowContext, overrides: readonly number[]): string {
  const { data } = context;
  const { weight, count } = data.values.total;
  const ran = overrides.map(method => ({ method, amount: { weight: weight[method]!, count: count[method]! } }));
  return listOf('What ran in its place', methodRows(context, ran), data.analysis.whole);
}

function originText(data: LoadedData): string {
  return `*${escapeMarkdown(shortDataText(data))}*`;
}

function whyNothing(document: DocumentView, { row, body, name }: Declaration, data: LoadedData): string {
  if (body === null) return 'has no code of its own; hover a call of it to see what ran';
  const state = stateOf(document, row);
  if (state.name === 'new') return `${name === '' ? 'it ' : ''}is ${escapeMarkdown(stateText(state))}`;
  return `${name === '' ? 'it ' : ''}was not seen in ${samplesText(data.analysis.whole.count)} of ${escapeMarkdown(data.metric.id)}`;
}

/** A lambda's shares are of the lambda; its method's share tells what they mean for the whole. */
function enclosingText(document: DocumentView, data: LoadedData, declaration: Declaration): string {
  if (declaration.kind !== 'lambda') return '';
  const enclosing = entryOf(document, declaration.parent);
  const parent = document.outline.declarations[declaration.parent];
  if (enclosing === null || parent === undefined) return '';
  const { total } = factsOf(data, enclosing);
  const share = shareText(total, data.analysis.whole);
  const numbers = share.endsWith('%') ? `${share} of all · ${samplesText(total.count)}` : share;
  return `written in ${code(titleOf(parent))}: ${numbers}`;
}

function mappingText({ document, data }: RowContext, entry: MappedDeclaration): string {
  const { outline } = document;
  const { alternatives, onlyLines, reason = '' } = entry;
  const lines = alternatives.map(row => `line ${lineOf(outline, outline.declarations[row]!.nameSpan.start)}`);
  const state = stateOf(document, entry.declaration);
  const isChanged = state.name === 'changed';
  const fits = isChanged || doubtsOf(document, entry) !== 'changed';
  const claims = claimsOn(document, entry.declaration);
  const notes = [
    claims === null
      ? ''
      : `${ranElsewhere(document, entry.declaration) ? '~ ' : ''}${escapeMarkdown(claimsText(claims))}`,
    lines.length === 0 ? '' : `~ another declaration may be meant: ${lines.join(', ')}`,
    `${isChanged ? '~ ' : ''}${escapeMarkdown(stateText(state))}`,
    fits ? '' : '~ changed since it was recorded: observed lines no longer fit',
    onlyLines === undefined ? '' : 'only what runs on these lines; the rest of the initialisers stands elsewhere',
    bridgeText(data, entry.methods),
    escapeMarkdown(reason),
  ];
  return joined(notes, '  \n');
}

function aroundSections(context: RowContext, entry: MappedDeclaration): string[] {
  const { data } = context;
  const { methods: whole } = factsOf(data, entry);
  const table = data.profile.threads;
  const ranOn = aroundFact(data, entry, 'threads');
  const threads = ranOn.map(({ thread, amount }) => ({ amount, text: () => threadLabel(table, thread) }));
  return [
    listOf('Callers', methodRows(context, aroundFact(data, entry, 'callers')), whole),
    listOf('Callees', calleeRows(context, entry), whole),
    waitingText(data, entry),
    ...(entry.onlyLines === undefined ? aroundFact(data, entry, 'objects').map(objectsText) : []),
    listOf('Threads', threads, whole, FEW_ROWS),
    listOf('Thread groups', groupRows(table, ranOn), whole, FEW_ROWS),
    listOf('Lines', lineRows(context, entry), whole, FEW_ROWS),
  ];
}

function callSections(context: RowContext, target: Called): string[] | null {
  const { document, data } = context;
  const { site, declaration, entry, calls } = target;
  if (entry === null) return null;
  const caller = escapeMarkdown(enclosingName(document.outline, declaration));
  const { methods: whole } = factsOf(data, entry);
  const heading = `**insitu** ${code(site.name)}`;
  if (calls.length === 0) {
    const reason = `not seen running below this call in ${samplesText(whole.count)} of ${caller}`;
    return whole.count < FEW_SAMPLES ? null : [`${heading} · ${reason}`, originText(data)];
  }
  const { analysis } = data;
  const samples = isWeighted(data.metric) ? aroundFact(data, entry, 'effectiveSamples') : whole.count;
  const numbers = calls.map(({ amount }) => {
    if (amount.count < FEW_SAMPLES) return fewSamplesText(amount.count);
    const counts = countsText(amount.count, whole.count);
    const interval = intervalOf(data.metric, amount, whole, samples);
    const share = shareText(amount, whole);
    const shares = share.endsWith('%') ? `${share} of ${caller}${ofAll(amount, analysis.whole)} · ` : '';
    return `${shares}${counts}${interval === '' ? '' : ` · ${interval} (sampling error only)`}`;
  });
  return [
    heading,
    numbers.join('  \n'),
    callChangesText(document, data, entry, calls),
    listOf('What ran', methodRows(context, targetsOf(data, entry, calls)), whole),
    pathText(data, target),
    sameLineText(document, calls[0]!.line),
    isHotHeader(document, entry, calls[0]!.line) ? LOOP_NOTE : '',
    dataText(data),
  ];
}

/** The query of the call, to ask for its path, or to see its stacks alone. */
function pathText(data: LoadedData, { entry, calls }: Called): string {
  const targets = entry === null ? [] : targetsOf(data, entry, calls).map(({ method }) => method);
  const query = queryOfCall(data, entry?.methods ?? [], targets);
  return query === null ? '' : `this path: ${code(query)}`;
}

/** ` +2` in a hint says that more is here. */
function sameLineText(document: DocumentView, line: number): string {
  const [hint] = hintsOf(document, { first: line, last: line });
  if (hint === undefined || hint.explanations.length < 2) return '';
  return ['*On this line*', ...hint.explanations.map(text => `- ${escapeMarkdown(text)}`)].join('\n');
}
