// The numbers of a declaration in its hover: one line a metric, waiting by kind as a bar, and both versions side by side.

import { aroundFact, factsOf } from '../../analysis/ask.ts';
import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { MethodFacts } from '../../analysis/method-facts.ts';
import type { MetricAmount } from '../../analysis/surroundings-answer.ts';
import { joined } from '../../base/printable.ts';
import { changeInProse } from '../../capabilities/compare/door.ts';
import { hasSamplingError, type Metric } from '../../cct/profile.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { wilsonInterval } from '../../metrics/interval.ts';
import { amountAt } from '../../metrics/method-times.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { callChange, factsBefore } from '../compare/door.ts';
import { type CallInText, callsInText } from '../hints/call-hints.ts';
import { declarationChange } from '../hints/method-hints.ts';
import {
  countsText,
  FEW_SAMPLES,
  fewSamplesText,
  groupDigits,
  intervalInProse,
  partOf,
  samplesText,
  shareInProse,
} from '../text/format-share.ts';
import { code, escapeMarkdown, tableRow, tableRule } from '../text/markdown.ts';
import { amountOfWhole, amountText } from './amount-text.ts';

/** Metrics of waiting, in nanoseconds. */
const WAITING: ReadonlySet<string> = new Set(['lock', 'wait', 'park', 'sleep', 'socket', 'file']);

/** Characters of the longest possible bar. */
const BAR_LENGTH = 12;
const PARTS = ['', '▁', '▂', '▃', '▄', '▅', '▆', '▇'];

/** The metric of the hints with its self time, then the other ones. */
export function metricLines(data: LoadedData, entry: MappedDeclaration): string {
  const { analysis, metric } = data;
  const { total, self } = factsOf(data, entry);
  const own = { metric, total, whole: analysis.whole, samples: data.values.effectiveWhole };
  const lines = [
    `${metricLine(own)}${hasSamplingError(own.metric) ? ' (sampling error only)' : ''}`,
    ...(analysis.onPath === null ? [] : [pathLine(data, total, analysis.onPath)]),
    selfLine(data, { total, self }),
    ...ownLine(data, entry, self),
  ];
  return [...lines, ...otherMetrics(data, entry).map(metricLine)].join('  \n');
}

/** `12 % of alloc · 1.2 MiB of 10 MiB · 300 of 2,500 samples · 95 % interval 11–13 %`. */
function metricLine({ metric, total, whole, samples }: MetricAmount): string {
  const isFew = total.count < FEW_SAMPLES;
  return joined([
    `${shareText(total, whole)} of ${escapeMarkdown(metric.id)}`,
    amountOfWhole(total.weight, whole.weight, metric),
    isFew ? '' : countsText(total.count, whole.count),
    isFew ? '' : intervalOf(metric, total, whole, samples),
  ]);
}

/** Under a path filter, also the part of what satisfies the path: `41 % of the path * ..Logger.*: 300 of 730 samples`. */
function pathLine({ selection: { path = '' } }: LoadedData, total: Amount, onPath: Amount): string {
  const counts = countsText(total.count, onPath.count);
  return `${shareText(total, onPath)} of the path ${code(path)} · ${counts}`;
}

/** `self: 2.5 % of cpu · 1,240 samples · 4 % of its own time`. */
function selfLine(
  { analysis: { whole }, metric }: LoadedData,
  { total, self }: Pick<MethodFacts, 'total' | 'self'>,
): string {
  if (self.count === 0) return 'self: never seen running itself';
  const [share, own] = [shareText(self, whole), shareText(self, total)];
  const words = share.endsWith('%') ? [`${share} of ${escapeMarkdown(metric.id)}`, samplesText(self.count)] : [share];
  return `self: ${[...words, ...(own.endsWith('%') ? [`${own} of its own time`] : [])].join(' · ')}`;
}

/** `own: 18 % of cpu · 1,256 samples, with the libraries that it calls`; empty where it is the self time, as it is of libraries, and of blocks. */
function ownLine(
  { values, analysis: { whole }, metric }: LoadedData,
  entry: MappedDeclaration,
  self: Amount,
): string[] {
  if (entry.onlyLines !== undefined) return [];
  const amounts = entry.methods.map(row => amountAt(values.own, row));
  const sumOf = (part: keyof Amount) => amounts.reduce((sum, amount) => sum + amount[part], 0);
  const own = { weight: sumOf('weight'), count: sumOf('count') };
  if (own.count === self.count || own.count === 0) return [];
  const share = shareText(own, whole);
  const words = share.endsWith('%') ? `${share} of ${escapeMarkdown(metric.id)} · ${samplesText(own.count)}` : share;
  return [`own: ${words}, with the libraries that it calls`];
}

/** ` = 2.5 % of all`; nothing where that is too small for a percentage: the samples say it. */
export function ofAll(part: Amount, whole: Amount): string {
  const share = shareText(part, whole);
  return share.endsWith('%') ? ` = ${share} of all` : '';
}

/** `41 %`; fewer samples than make a share are counted: `few samples (7)`. */
export function shareText(part: Amount, whole: Amount): string {
  if (part.count > 0 && part.count < FEW_SAMPLES) return fewSamplesText(part.count);
  return shareInProse(partOf(part, whole));
}

/** `95 % interval 58–66 %`; empty for exact metrics, and where the whole is. `samples` is how many effective ones the whole has. */
export function intervalOf(metric: Metric, part: Amount, whole: Amount, samples: number): string {
  if (!hasSamplingError(metric) || !(whole.weight > 0)) return '';
  const { low, high } = wilsonInterval(Math.min(1, part.weight / whole.weight), samples);
  return `95 % interval ${intervalInProse(low, high)}`;
}

/** The waits of the methods, longest first; empty where none were recorded. */
export function waitingText(data: LoadedData, entry: MappedDeclaration): string {
  const own: MetricAmount = {
    metric: data.metric,
    total: factsOf(data, entry).total,
    whole: data.analysis.whole,
    samples: 0,
  };
  const waits = [own, ...otherMetrics(data, entry)]
    .filter(({ metric, total }) => WAITING.has(metric.id) && metric.unit === 'nanoseconds' && total.weight > 0)
    .sort((a, b) => b.total.weight - a.total.weight);
  const all = waits.reduce((sum, { total }) => sum + total.weight, 0);
  if (waits.length === 0) return '';
  const rows = waits.map(({ metric, total }) => {
    const numbers = `${amountText(total.weight, metric)} · ${groupDigits(total.count)}×`;
    return `- ${code(barOf(total.weight / all))} ${escapeMarkdown(metric.id)} · ${numbers}`;
  });
  return [`*Waiting* · ${amountText(all, waits[0]!.metric)}`, ...rows].join('\n');
}

/** A bar of blocks, an eighth of one precise, never empty. */
function barOf(share: number): string {
  const eighths = Math.max(1, Math.round(share * BAR_LENGTH * 8));
  return '▇'.repeat(eighths >> 3) + PARTS[eighths & 7]!;
}

/** A small table of what is shown and what it is compared with; empty without a baseline. */
export function comparisonText(data: LoadedData, entry: MappedDeclaration, baseline: Baseline | null): string {
  const facts = factsOf(data, entry);
  const change = declarationChange(data, entry, facts, baseline);
  if (baseline === null || change === null) return '';
  const before = factsBefore(entry.methods, baseline);
  const [then, now] = namesOf(baseline.data, data);
  const { whole } = data.analysis;
  const beforeWhole = baseline.data.analysis.whole;
  const row = (title: string, old: string, shown: string, text = '') => tableRow([title, old, shown, text]);
  const counts = (amount: Amount, of: Amount) => `${groupDigits(amount.count)} of ${groupDigits(of.count)}`;
  return [
    row('', then, now, 'change'),
    tableRule([false, false, false, false]),
    row(
      'time',
      before === null ? 'not seen' : shareText(before.total, beforeWhole),
      shareText(facts.total, whole),
      changeInProse(change),
    ),
    row('self', before === null ? '' : shareText(before.self, beforeWhole), shareText(facts.self, whole)),
    row('samples', before === null ? '' : counts(before.total, beforeWhole), counts(facts.total, whole)),
  ].join('\n');
}

/** `against the baseline: +9 (not tested), it was 32 %`, a line for each group of the call that has a counterpart. */
export function callChangesText(
  document: DocumentView,
  data: LoadedData,
  entry: MappedDeclaration,
  calls: readonly CallInText[],
): string {
  const { baseline } = document;
  if (baseline === null) return '';
  const all = callsInText(document, entry);
  const lines = calls.flatMap(({ line, kind, name }) => {
    const shown = all.find(each => each.line === line && each.kind === kind && each.name === name);
    const change = shown === undefined ? null : callChange(data, entry, all, shown, baseline);
    if (change === null) return [];
    const before = change.baseline > 0 ? `, it was ${percent(change.baseline)}` : '';
    return [`against the baseline: ${changeInProse(change)}${before}`];
  });
  return lines.join('  \n');
}

function percent(share: number): string {
  return shareInProse({ part: share, whole: 1, samples: 0 });
}

/** Versions where they differ. */
function namesOf(before: LoadedData, now: LoadedData): [string, string] {
  const versions = ({ provenance }: LoadedData) =>
    [...new Set(provenance.executions.map(({ version }) => version))].join(', ');
  const names = [versions(before), versions(now)] as const;
  return names[0] === names[1]
    ? ['baseline', 'shown']
    : [escapeMarkdown(`version ${names[0]}`), escapeMarkdown(`version ${names[1]}`)];
}

/** Of a block, whose lines are those of a few samples only, nothing is said. */
function otherMetrics(data: LoadedData, entry: MappedDeclaration): readonly MetricAmount[] {
  return entry.onlyLines === undefined ? aroundFact(data, entry, 'metrics') : [];
}
