// The pieces that hover texts are put together from: shares, intervals, and lists of what stands around a method.
import type { ThreadTable } from '../cct/profile.ts';
import type { MappedDeclaration } from '../mapping/document-map.ts';
import type { Amount } from '../metrics/analysis.ts';
import { wilsonInterval } from '../metrics/interval.ts';
import type { DocumentView } from '../workspace/document-view.ts';
import type { LoadedData } from '../workspace/loaded-data.ts';
import { aroundFact } from './around-facts.ts';
import type { CallInText } from './call-hints.ts';
import { groupDigits, intervalInProse, shareInProse } from './format-share.ts';
import { code } from './markdown.ts';
import { lineOnScreen } from './recorded-place.ts';
import { methodLabel } from './runtime-names.ts';
import { inRanges } from './text-index.ts';

/** A row of a list: text is Markdown. */
export type ListRow = { readonly amount: Amount; readonly text: string };

/** Longer lists end in how many rows are left out. */
const MOST_ROWS = 8;

export function shareOf(part: Amount, whole: Amount): string {
  return shareInProse({ part: part.weight, whole: whole.weight, samples: part.count });
}

/** ` · 95 % interval 58–66 % (sampling error only)`; empty for exact metrics. `samples` is how many effective ones the whole has. */
export function intervalText({ metric }: LoadedData, part: Amount, whole: Amount, samples: number): string {
  if (metric.kind === 'exact' || !(whole.weight > 0)) return '';
  const { low, high } = wilsonInterval(Math.min(1, part.weight / whole.weight), samples);
  return ` · 95 % interval ${intervalInProse(low, high)} (sampling error only)`;
}

/** A heading and its rows, heaviest first: `- 41 % · 57 · …`. Empty without rows. */
export function listOf(title: string, rows: readonly ListRow[], whole: Amount): string {
  if (rows.length === 0) return '';
  const shown = rows.slice(0, MOST_ROWS).map(({ amount, text }) => `- ${rowNumbers(amount, whole)} · ${text}`);
  const more = rows.length - shown.length;
  return [`*${title}*`, ...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

function rowNumbers(amount: Amount, whole: Amount): string {
  const share = shareOf(amount, whole);
  return share.endsWith('%') ? `${share} · ${groupDigits(amount.count)}` : share;
}

/** What the declaration called, by line. */
export function calleeRows(document: DocumentView, data: LoadedData, entry: MappedDeclaration): ListRow[] {
  const { onlyLines } = entry;
  return aroundFact(data, entry, 'callees')
    .filter(({ line }) => onlyLines === undefined || inRanges(onlyLines, line))
    .map(({ method, line, amount }) => {
      const at = line > 0 ? ` ${lineText(document, entry, line)}` : '';
      return { amount, text: `${code(methodLabel(data.profile.methods, method))}${at}` };
    });
}

/** Every method that ran behind the groups, with its own amount, heaviest first. */
export function targetRows(data: LoadedData, entry: MappedDeclaration, calls: readonly CallInText[]): ListRow[] {
  const behind = (method: number, line: number) =>
    calls.some(call => (call.recorded ?? call).line === line && call.targets.includes(method));
  return aroundFact(data, entry, 'callees')
    .filter(({ method, line }) => behind(method, line))
    .map(({ method, amount }) => ({ amount, text: code(methodLabel(data.profile.methods, method)) }));
}

/** Hottest lines first. */
export function lineRows(document: DocumentView, data: LoadedData, entry: MappedDeclaration): ListRow[] {
  const { onlyLines } = entry;
  return aroundFact(data, entry, 'lines')
    .filter(({ line }) => onlyLines === undefined || inRanges(onlyLines, line))
    .sort((a, b) => b.amount.weight - a.amount.weight || a.line - b.line)
    .map(({ line, amount }) => ({ amount, text: line > 0 ? lineText(document, entry, line) : 'line unknown' }));
}

function lineText(document: DocumentView, entry: MappedDeclaration, recorded: number): string {
  const line = lineOnScreen(document, entry, recorded);
  return line === null ? `recorded line ${recorded}` : `line ${line}`;
}

/** `pool-#-thread-#` (group main). */
export function threadLabel(threads: ThreadTable, row: number): string {
  const name = threads.name[row] || (threads.virtual[row] === 1 ? 'unnamed virtual threads' : 'unnamed');
  const group = threads.group[row];
  return `${code(name)}${group ? ` (group ${code(group)})` : ''}`;
}
