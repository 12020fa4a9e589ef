// The work of a program in words: fixed rules over the numbers of the overview. Nothing is said that the data do not show.

import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Overview } from '../../analysis/questions/overview.ts';
import { printableName } from '../../base/printable.ts';
import { certaintyOf } from '../../capabilities/typed/door.ts';
import { hasSamplingError } from '../../cct/profile.ts';
import { TIME_TYPES, type TimeType, TYPED } from '../../model/time-types.ts';
import { amountText } from '../hover/amount-text.ts';
import { FEW_SAMPLES, partOf, reaches, samplesText, shareInProse } from '../text/format-share.ts';
import { methodLabel } from '../text/runtime-names.ts';

/** Fewer samples say nothing of a program; exact counts do. */
const FEW = 50;
/** A method that takes less is not what the program does. */
const MUCH = 0.1;
/** Threads that wait for less of their time are not held up. */
const HELD_UP = 0.05;
/** A program that uses less of its processors is idle. */
const IDLE = 0.05;
/** Waits that keep threads from work. Threads with nothing to do wait in other ways. */
const HOLDS_UP: readonly TimeType[] = [':MONITOR', ':LOCK', ':LOAD', ':PRIO', ':IO'];

const METRIC_WORDS: ReadonlyMap<string, string> = new Map([
  ['cpu', 'CPU'],
  ['cpu-time', 'CPU time'],
  ['wall', 'elapsed time'],
  ['alloc', 'allocation'],
]);

/** `CPU time`: a metric as sentences name it. */
function metricWords(id: string): string {
  return METRIC_WORDS.get(id) ?? printableName(id);
}

/** Whether a wait keeps threads from work, by samples enough to say it. */
export function holdsUp({ type, count }: { readonly type: TimeType; readonly count: number }): boolean {
  return HOLDS_UP.includes(type) && count >= FEW_SAMPLES;
}

/** @param changes what a comparison found, in words; null where it found nothing */
export function overviewSentence(data: LoadedData, overview: Overview, changes: string | null): string {
  const parts = [
    idleText(overview),
    costText(data, overview),
    waitText(data, overview) ?? eventWaitText(data, overview),
    pauseText(overview),
    changes,
  ];
  return parts.flatMap(part => (part === null ? [] : `${part[0]!.toUpperCase()}${part.slice(1)}.`)).join(' ');
}

/** `the program uses 1.2 % of its processors`. */
function idleText({ processors: { used, usable } }: Overview): string | null {
  if (used === null || usable === null || used >= IDLE * usable) return null;
  return `the program is mostly idle: it uses ${percent(used, usable)} of its processors`;
}

/** `74 % of CPU is Select.query, 12 % Merge.sign`. */
function costText({ analysis, metric, profile, values }: LoadedData, { rows }: Overview): string {
  const { whole } = analysis;
  const of = metricWords(metric.id);
  if (whole.count === 0 || (whole.count < FEW && hasSamplingError(metric)))
    return whole.count === 0
      ? `no sample of ${of} was taken`
      : `${samplesText(whole.count)} of ${of} are too few to say what the program does`;
  const shareOf = (part: { readonly weight: number; readonly count: number }) => shareInProse(partOf(part, whole));
  const { none } = values.own;
  const [first] = rows;
  if (first === undefined || reaches(none.weight, whole.weight, 0.5))
    return `${shareOf(none)} of ${of} is not own code${first === undefined ? '' : `: ${label(first.method)} takes most of the rest, ${shareOf(first)}`}`;
  const much = rows.filter(({ weight }) => reaches(weight, whole.weight, MUCH)).slice(0, 3);
  if (much.length === 0)
    return `no method of own code takes 10 % of ${of}: the hottest, ${label(first.method)}, takes ${shareOf(first)}`;
  const [top, ...others] = much;
  const more = others.map(row => `, ${shareOf(row)} ${label(row.method)}`).join('');
  return `${shareOf(top!)} of ${of} is ${label(top!.method)}${more}`;

  function label(method: number): string {
    return printableName(methodLabel(profile.methods, method));
  }
}

/** `threads worker-# spend ≥ 12 % of their time waiting for a monitor, held most by threads processor-#`. */
function waitText({ profile }: LoadedData, { waits }: Overview): string | null {
  const found = waits?.classes.find(wait => holdsUp(wait) && reaches(wait.weight, wait.whole, HELD_UP));
  if (found === undefined) return null;
  const { type, threads, weight, whole, holder } = found;
  const atLeast = certaintyOf(profile, typedRow(profile), type).lowerBound ? '≥ ' : '';
  const who = threads === '' ? 'threads without a name' : `threads ${printableName(threads)}`;
  const spent = `${who} spend ${atLeast}${percent(weight, whole)} of their time ${TIME_TYPES[type].words}`;
  if (holder === null || (type !== ':MONITOR' && type !== ':LOCK')) return spent;
  const name = printableName(holder.method === null ? holder.name : methodLabel(profile.methods, holder.method));
  return `${spent}${holder.method === null ? `, held most by threads ${name}` : `, held most in ${name}`}`;
}

export function typedRow({ metrics }: LoadedData['profile']): number {
  return metrics.findIndex(({ id }) => id === TYPED.id);
}

/** `threads waited 4.8 s of 80 s for monitors, most in LockedQueue.put`: without typed time, the share of threads' time is not known. */
function eventWaitText({ profile }: LoadedData, { metrics, processors: { elapsed }, waits }: Overview): string | null {
  const lock = waits === null ? metrics.find(({ id }) => id === 'lock') : undefined;
  const [first] = lock?.rows ?? [];
  if (lock === undefined || first === undefined || !reaches(lock.whole.weight, elapsed, HELD_UP)) return null;
  const nanos = (weight: number) => amountText(weight, TYPED);
  const name = printableName(methodLabel(profile.methods, first.method));
  return `threads wait ${nanos(lock.whole.weight)} for monitors in ${nanos(elapsed)} of recording, ${nanos(first.weight)} of it in ${name}`;
}

/** `all threads stand still for 12 % of the time, for garbage collections, most of it G1Full, System.gc()`. */
function pauseText({ pauses, processors: { elapsed } }: Overview): string | null {
  const nanos = pausedNanos(pauses);
  const [longest] = pauses;
  if (longest === undefined || !reaches(nanos, elapsed, HELD_UP)) return null;
  const most = reaches(longest.nanos, nanos, 0.5) ? `, most of it ${printableName(longest.kind)}` : '';
  return `all threads stand still for ${percent(nanos, elapsed)} of the time, for garbage collections${most}`;
}

/** All pauses together. */
export function pausedNanos(pauses: Overview['pauses']): number {
  return pauses.reduce((sum, { nanos }) => sum + nanos, 0);
}

/** `12 %` of exact amounts. */
export function percent(part: number, whole: number): string {
  return shareInProse({ part, whole, samples: Number.POSITIVE_INFINITY });
}
