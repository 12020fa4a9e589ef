// The pieces that hover texts are put together from: shares, intervals, and lists of a method's surroundings.

import { aroundFact } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { ThreadTable } from '../../cct/profile.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { type CallSite, groupsOf, type ThreadAndAmount } from '../../metrics/around-method.ts';
import type { ObjectsOfMetric } from '../../metrics/objects.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import type { PlaceInFile } from '../calls/locate.ts';
import { onOwnLines } from '../facts/entry-of.ts';
import { lineOnScreen } from '../facts/recorded-place.ts';
import { labelOf } from '../facts/subject.ts';
import { threadName } from '../facts/word-graphic.ts';
import type { CallInText } from '../hints/call-hints.ts';
import { groupDigits } from '../text/format-share.ts';
import { code, escapeMarkdown, listRows } from '../text/markdown.ts';
import { objectRowText, objectsTitle } from '../text/objects-text.ts';
import { methodNameOf, methodOfLambda } from '../text/runtime-names.ts';
import { amountText } from './amount-text.ts';
import { shareText } from './hover-metrics.ts';

/** A row of a list; its text is Markdown, and written only where it is shown: hot methods have thousands of callers. */
type ListRow = { readonly amount: Amount; readonly text: () => string };

/** Longer lists end in how many rows are left out. */
const MOST_ROWS = 8;

/** The present places of methods, by row; a method in none of the workspace's files, or one that was not looked for, has none. */
export type Places = ReadonlyMap<number, PlaceInFile | null>;

/** Classes that a list shows. */
const FEW_CLASSES = 5;

/** The data that rows are written from. */
export type RowContext = {
  readonly document: DocumentView;
  readonly data: LoadedData;
  readonly places: Places;
  /** Places are links. */
  readonly links: boolean;
};

/** A heading and its rows, heaviest first: `- 41 % · 57 · …`. Empty without rows. */
export function listOf(title: string, rows: readonly ListRow[], whole: Amount, most = MOST_ROWS): string {
  if (rows.length === 0) return '';
  const shown = listRows(rows, most, ({ amount, text }) => `${rowNumbers(amount, whole)} · ${text()}`);
  return [`*${title}*`, ...shown].join('\n');
}

function rowNumbers(amount: Amount, whole: Amount): string {
  const share = shareText(amount, whole);
  return share.endsWith('%') ? `${share} · ${groupDigits(amount.count)}` : share;
}

/** `Shop.search(String, int)`, and where that stands now; of a lambda also its line, so that those of one method can be told apart. */
export function methodText({ data, places, links }: RowContext, row: number): string {
  const place = places.get(row) ?? null;
  const label = labelOf(data, row);
  const line = isLambda(data, row) ? (place?.line ?? firstLine(data, row)) : 0;
  const name = code(line > 0 ? `${label}:${line}` : label);
  return place === null ? name : `${name} · ${placeText(place, links)}`;
}

/** `[Shop.java:12](<file:///…/Shop.java#L12>)` or `Shop.java:12`, with `~` where it is not certain. */
function placeText({ uri, line, certain }: PlaceInFile, links: boolean): string {
  const file = decodeURIComponentSafely(uri.slice(uri.lastIndexOf('/') + 1));
  const text = escapeMarkdown(`${file}:${line}`);
  const address = uri.replaceAll(/[<>\\\s]/g, encodeURIComponent);
  return `${certain ? '' : '~'}${links ? `[${text}](<${address}#L${line}>)` : text}`;
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isLambda({ profile: { methods } }: LoadedData, row: number): boolean {
  return methodOfLambda(methodNameOf(methods, row)) !== null;
}

/** The first line seen in a method, 0 where none is known. */
function firstLine({ lines: { offset, line } }: LoadedData, row: number): number {
  return offset[row] === offset[row + 1] ? 0 : line[offset[row]!]!;
}

/** Rows of methods whose places a hover shows. */
export function shownMethods(rows: readonly { readonly method: number }[]): number[] {
  return rows.slice(0, MOST_ROWS).map(({ method }) => method);
}

/** Methods with their amounts, in this order. */
export function methodRows(
  context: RowContext,
  methods: readonly { readonly method: number; readonly amount: Amount }[],
): ListRow[] {
  return methods.map(({ method, amount }) => ({ amount, text: () => methodText(context, method) }));
}

/** Classes of what was allocated, thrown or waited for: `- 62 % · `byte[]` · 8 MiB`. */
export function objectsText({ metric, total, classes }: ObjectsOfMetric): string {
  const rows = listRows(classes, FEW_CLASSES, row => {
    const [name, ...others] = objectRowText(row, metric).split(' · ');
    return [shareText(row.amount, total), code(name!), ...others.map(escapeMarkdown)].join(' · ');
  });
  return [`*${objectsTitle(metric)}* · ${amountText(total.weight, metric)}`, ...rows].join('\n');
}

/** The callees of the declaration, by line. */
export function calleesInEntry(data: LoadedData, entry: MappedDeclaration): readonly CallSite[] {
  return onOwnLines(entry, aroundFact(data, entry, 'callees'));
}

export function calleeRows(context: RowContext, entry: MappedDeclaration): ListRow[] {
  return calleesInEntry(context.data, entry).map(({ method, line, amount }) => {
    const from = () => (line > 0 ? ` · from ${lineText(context.document, entry, line)}` : '');
    return { amount, text: () => `${methodText(context, method)}${from()}` };
  });
}

/** Every method that ran behind the groups, with its own amount, heaviest first. */
export function targetsOf(
  data: LoadedData,
  entry: MappedDeclaration,
  calls: readonly CallInText[],
): readonly CallSite[] {
  // The surroundings of a call are gathered where something ran behind it.
  if (calls.length === 0) return [];
  const behind = (method: number, line: number) =>
    calls.some(call => (call.recorded ?? call).line === line && call.targets.includes(method));
  return aroundFact(data, entry, 'callees').filter(({ method, line }) => behind(method, line));
}

/** Hottest lines first. */
export function lineRows({ document, data }: RowContext, entry: MappedDeclaration): ListRow[] {
  return onOwnLines(entry, aroundFact(data, entry, 'lines'))
    .toSorted((a, b) => b.amount.weight - a.amount.weight || a.line - b.line)
    .map(({ line, amount }) => ({
      amount,
      text: () => (line > 0 ? lineText(document, entry, line) : 'line unknown'),
    }));
}

function lineText(document: DocumentView, entry: MappedDeclaration, recorded: number): string {
  const line = lineOnScreen(document, entry, recorded);
  return line === null ? `recorded line ${recorded}` : `line ${line}`;
}

/** `pool-#-thread-#` (group main). */
export function threadLabel(threads: ThreadTable, row: number): string {
  const group = threads.group[row];
  return `${code(threadName(threads, row))}${group ? ` (group ${code(group)})` : ''}`;
}

/** Groups of several thread rows, whose sum no row of a thread says. */
export function groupRows(threads: ThreadTable, rows: readonly ThreadAndAmount[]): ListRow[] {
  return groupsOf(threads, rows)
    .filter(({ group, threads: ofGroup }) => group !== '' && ofGroup > 1)
    .map(({ group, threads: ofGroup, amount }) => ({ amount, text: () => `all ${ofGroup} of ${code(group)}` }));
}
