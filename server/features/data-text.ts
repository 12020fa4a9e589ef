// Says in prose where numbers come from and what may be wrong with them: program, version, instances, time, samples, losses.

import { utcParts, utcText } from '../base/utc-text.ts';
import type { Analysis } from '../metrics/analysis.ts';
import type { LoadedData } from '../workspace/loaded-data.ts';
import { describePart } from '../workspace/part.ts';
import { groupDigits, samplesText, shareInProse } from './format-share.ts';
import { escapeMarkdown } from './markdown.ts';

/** `shop 1.0 · 2 instances · 226 samples of cpu · 12 more with incomplete stacks (5.0 %) · focus Shop.search`. */
export function shortDataText({ provenance, analysis, metric, part }: LoadedData): string {
  const { whole, incomplete } = analysis;
  const versions = [...new Set(provenance.executions.map(execution => execution.version))].join(', ');
  const instances = new Set(provenance.executions.map(execution => execution.instance)).size;
  return [
    `${provenance.program} ${versions}`,
    plural(instances, 'instance'),
    `${samplesText(whole.count)} of ${metric.id}`,
    ...(incomplete.count > 0 ? [incompleteText(analysis)] : []),
    ...[describePart(part)].filter(text => text !== ''),
  ].join(' · ');
}

/** Part of no share, so the whole of this percentage is larger by them than that of all others. */
function incompleteText({ whole, incomplete }: Analysis): string {
  const all = whole.weight + incomplete.weight;
  const share = shareInProse({ part: incomplete.weight, whole: all, samples: incomplete.count });
  return `${groupDigits(incomplete.count)} more with incomplete stacks${share.endsWith('%') ? ` (${share})` : ''}`;
}

/** The same as Markdown, with time, recorder, and everything that the numbers leave out. */
export function dataText(data: LoadedData): string {
  const { provenance, profile } = data;
  const when = [timeSpan(provenance.startMillis, provenance.endMillis), plural(profile.windows.length, 'window')];
  const lines = [shortDataText(data), [...when, ...provenance.recorders].join(' · '), cautionsText(data)];
  return lines
    .filter(line => line !== '')
    .map(line => `*${escapeMarkdown(line)}*`)
    .join('  \n');
}

/** What keeps the numbers from being exact; empty when nothing does. */
export function cautionsText({ provenance, analysis, profile, foldedByNameOnly }: LoadedData): string {
  const { withoutStack } = analysis;
  const { lostSamples } = profile.losses;
  const cautions: string[] = [];
  if (lostSamples > 0) cautions.push(`${groupDigits(lostSamples)} samples lost by the recorder`);
  if (withoutStack.count > 0) cautions.push(`${samplesText(withoutStack.count)} without a stack`);
  if (provenance.debugNonSafepoints === false)
    cautions.push('lines are approximate (recorded without -XX:+DebugNonSafepoints)');
  if (foldedByNameOnly) cautions.push('generated methods told by name only');
  return cautions.join(' · ');
}

/** `2026-11-20 16:00:05 to 16:05:00 UTC`; the second date only where it differs. */
function timeSpan(startMillis: number, endMillis: number): string {
  const [start, end] = [utcParts(startMillis), utcParts(endMillis)];
  if (start === null || end === null || start.date !== end.date)
    return `${utcText(startMillis).replace(/ UTC$/, '')} to ${utcText(endMillis)}`;
  return `${start.date} ${start.time} to ${end.time} UTC`;
}

function plural(count: number, noun: string): string {
  return `${groupDigits(count)} ${noun}${count === 1 ? '' : 's'}`;
}
