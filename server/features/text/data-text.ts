// Says in prose where numbers come from and what may be wrong with them: program, version, instances, time, samples, losses.

import type { CutStacks } from '../../analysis/cut-stacks.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Span } from '../../analysis/wish.ts';
import { timeSpan } from '../../base/moment-text.ts';
import { present } from '../../base/present.ts';
import { firstNames, joined, printableName } from '../../base/printable.ts';
import type { Problem } from '../../base/problem.ts';
import { windowTimes } from '../../cct/jvms.ts';
import type { Losses, TimeWindow } from '../../cct/profile.ts';
import type { Analysis } from '../../metrics/analysis.ts';
import { describeLook } from '../../model/look.ts';
import { TYPED } from '../../model/time-types.ts';
import { groupDigits, partOf, plural, samplesText, shareInProse } from './format-share.ts';
import { escapeMarkdown } from './markdown.ts';

/** `shop 1.0 · 2 instances · 226 samples of cpu · 12 more with incomplete stacks (5.0 %) · focus Shop.search`. */
export function shortDataText(data: LoadedData): string {
  const { provenance, analysis, metric, wish, selection } = data;
  const { whole, incomplete } = analysis;
  const versions = [...new Set(provenance.executions.map(({ version }) => version))].map(printableName).join(', ');
  const program = printableName(provenance.program);
  const instances = new Set(provenance.executions.map(execution => execution.instance)).size;
  return joined([
    // A recording that was never put into a store is called as its file.
    program === versions ? program : `${program} ${versions}`,
    plural(instances, 'instance'),
    `${samplesText(whole.count)} of ${printableName(metric.id)}`,
    onPathText(analysis),
    incomplete.count > 0 ? incompleteText(analysis) : '',
    describeLook({ ...selection, ...present({ instances: wish.instances }), ...takenSpan(data) }),
    isPart(selection) ? 'whole windows' : '',
  ]);
}

/** With the project in front, where the data are of a store. */
export function storedDataText(data: LoadedData): string {
  const project = data.wish.files === undefined ? `${printableName(data.provenance.project)}/` : '';
  return `${project}${shortDataText(data)}`;
}

/** From the beginning of the first window that was taken to the end of the last one: windows are never cut. */
function takenSpan(data: LoadedData): Span {
  if (!isPart(data.selection) || !data.analysis.selection.windows?.includes(1)) return {};
  const [from, to] = spanLookedAt(data);
  return { from, to };
}

function isPart({ from, to }: Span): boolean {
  return (from ?? to) !== undefined;
}

/** The part of the whole that the path filter leaves. */
function onPathText({ whole, onPath }: Analysis): string {
  if (onPath === null) return '';
  const share = shareInProse(partOf(onPath, whole));
  return share.endsWith('%') ? `${share} on the path (${samplesText(onPath.count)})` : `${share} on the path`;
}

/** Part of no share, so the whole of this percentage is larger by them than that of all others. */
function incompleteText({ whole, incomplete }: Analysis): string {
  const share = shareInProse(partOf(incomplete, { weight: whole.weight + incomplete.weight }));
  return `${groupDigits(incomplete.count)} more with incomplete stacks${share.endsWith('%') ? ` (${share})` : ''}`;
}

/** The same as Markdown, with time, recorder, and everything that the numbers leave out. */
export function dataText(data: LoadedData): string {
  const { provenance, profile } = data;
  const when = [timeSpan(provenance.startMillis, provenance.endMillis), windowsText(profile.windows)];
  const lines = [shortDataText(data), joined([...when, ...provenance.recorders]), cautionsText(data)];
  return lines
    .filter(line => line !== '')
    .map(line => `*${escapeMarkdown(line)}*`)
    .join('  \n');
}

/** Problems of the snapshots, of the recordings in them and of the selection. */
export function flawsOf(data: LoadedData): readonly Problem[] {
  const { readingProblems = [], recordingProblems = [] } = data.provenance;
  const open = openWindowText(data);
  const told: readonly Problem[] = open === '' ? [] : [{ severity: 'info', message: open }];
  return [...readingProblems, ...recordingProblems, ...data.selectionProblems, ...told];
}

/** Of typed time, that of windows which are open is not there yet; empty for everything else. */
export function openWindowText({ metric, provenance }: LoadedData): string {
  const isOpen = provenance.entries.some(({ liveMillis }) => liveMillis !== undefined);
  return metric.id === TYPED.id && isOpen ? 'typed time of the open window follows when it ends' : '';
}

/** The reasons why numbers are not exact; empty without a reason. */
export function cautionsText(data: LoadedData): string {
  const { provenance, foldedByNameOnly } = data;
  const { readingProblems = [] } = provenance;
  const isApproximate = provenance.debugNonSafepoints === false;
  const unread = readingProblems.map(({ message }) => message);
  return joined([
    unread.length > 0 ? `snapshots: ${firstNames(unread, 1)}` : '',
    lossesText(data),
    isApproximate ? 'lines are approximate (recorded without -XX:+DebugNonSafepoints)' : '',
    foldedByNameOnly ? 'generated methods told by name only' : '',
    openWindowText(data),
  ]);
}

/** The losses of the recorder and the flaws of recordings, of all loaded data; empty without any. Incomplete stacks are told beside the samples. */
export function lossesText(data: LoadedData): string {
  const { analysis, profile, provenance } = data;
  const { lostSamples } = profile.losses;
  const { withoutStack } = analysis;
  const flaws = [...new Set((provenance.recordingProblems ?? []).map(({ message }) => message))];
  return joined([
    lostSamples > 0 ? `${samplesText(lostSamples)} lost by the recorder` : '',
    cutStacksText(data),
    withoutStack.count > 0 ? `${samplesText(withoutStack.count)} without a stack` : '',
    flaws.length > 0 ? `recordings: ${firstNames(flaws, 1)}` : '',
  ]);
}

/** Counts of what no share is made of. What was lost, no metric tells; all else is of the metric that is shown. */
export function lossesOf(data: LoadedData): Losses {
  return {
    truncatedStacks: cutStacksOf(data).cutOff,
    withoutStack: data.analysis.withoutStack.count,
    lostSamples: data.profile.losses.lostSamples,
  };
}

/** `97 of 825 cpu stacks were cut off: 83 rejoined, 14 left out`, of all that was loaded; empty where none was cut off. */
function cutStacksText(data: LoadedData): string {
  const { all, cutOff, leftOut } = cutStacksOf(data);
  if (cutOff === 0) return '';
  const rejoined = cutOff - leftOut;
  const parts = [`${groupDigits(rejoined)} rejoined`, `${groupDigits(leftOut)} left out`];
  const stacks = `${groupDigits(cutOff)} of ${groupDigits(all)} ${printableName(data.metric.id)} stacks`;
  return `${stacks} ${cutOff === 1 ? 'was' : 'were'} cut off: ${parts.join(', ')}`;
}

/** Of the metric that is shown. */
export function cutStacksOf({ cutStacks, analysis }: LoadedData): CutStacks {
  return cutStacks[analysis.selection.metric] ?? { all: 0, cutOff: 0, leftOut: 0 };
}

/** `6 windows of 10 min`: how finely time can be chosen; empty where there is one, or none. */
function windowsText(windows: readonly TimeWindow[]): string {
  const times = windowTimes(windows);
  if (times.length < 2) return '';
  const lengths = times.map(({ startMillis, endMillis }) => endMillis - startMillis).sort((a, b) => a - b);
  return `${times.length} windows of ${durationText(lengths[lengths.length >> 1]!)}`;
}

const UNITS = [
  ['day', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** In the largest unit of which there are two: `10 s`, `90 s`, `36 h`. */
function durationText(millis: number): string {
  const [unit, size] = UNITS.find(([, each]) => millis >= 2 * each) ?? UNITS[3];
  const count = Math.round(millis / size);
  return unit === 'day' ? plural(count, unit) : `${count} ${unit}`;
}

/** From when to when the windows reach that are looked at, in milliseconds since 1970. */
export function spanLookedAt({ analysis, profile, provenance }: LoadedData): readonly [from: number, to: number] {
  const { windows } = analysis.selection;
  const taken = windows === undefined ? [] : profile.windows.filter((_, row) => windows[row] === 1);
  if (taken.length === 0) return [provenance.startMillis, provenance.endMillis];
  const from = taken.reduce((least, { startMillis }) => Math.min(least, startMillis), Number.POSITIVE_INFINITY);
  return [from, taken.reduce((most, { endMillis }) => Math.max(most, endMillis), Number.NEGATIVE_INFINITY)];
}
