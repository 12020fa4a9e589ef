// The choices that change the numbers on screen, each with the message that takes it back; and metrics by plain names.
import type { SelectMessage, SourceStatus, Status } from 'insitu/protocol';
import { spanText } from './rows.ts';
import { shortHashes, withoutPackages } from './shown-text.ts';

/** A part of the choice; the operation with its parameters takes it back. */
export type Chip = {
  readonly label: string;
  readonly operation: 'select' | 'clearFocus' | 'compareWith';
  readonly parameters: object;
};

const METRIC_NAMES: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  'cpu-time': 'CPU time',
  native: 'Native code',
  wall: 'Elapsed time',
  typed: 'Typed time',
  alloc: 'Allocations',
  lock: 'Waiting for locks',
  wait: 'Waiting for objects',
  park: 'Parked threads',
  sleep: 'Sleeping threads',
  socket: 'Sockets',
  file: 'Files',
  exception: 'Exceptions',
  calls: 'Calls',
  time: 'Response time',
};

/** For people; metrics of a project's own events keep their names. */
export function metricName(id: string): string {
  return Object.hasOwn(METRIC_NAMES, id) ? METRIC_NAMES[id]! : id;
}

/** The source that is told of: one that the choice leaves nothing of, else the first with data. */
export function shownSource(status: Status | null): SourceStatus | null {
  const sources = status?.sources ?? [];
  const emptied = sources.find(({ state, part }) => state === 'none' && part !== '');
  return emptied ?? sources.find(({ state }) => state !== 'none') ?? sources[0] ?? null;
}

export function chipsOf({ focus, baseline, chosen, tags }: SourceStatus): Chip[] {
  const { metric, version, threads, instances, path, from, to } = chosen;
  const part = (label: string, ...keys: (keyof SelectMessage)[]): Chip => ({
    label: shortHashes(label, tags),
    operation: 'select',
    parameters: Object.fromEntries(keys.map(key => [key, null])),
  });
  const time = [from ?? Number.NaN, to ?? Number.NaN] as const;
  return [
    ...(focus.length === 0
      ? []
      : [{ label: withoutPackages(`of ${focus.join(', ')}`), operation: 'clearFocus' as const, parameters: {} }]),
    ...(threads === undefined ? [] : [part(`threads ${threads.join(', ')}`, 'threads')]),
    ...(path === undefined ? [] : [part(withoutPackages(`along ${path}`), 'path')]),
    ...(metric === undefined ? [] : [part(metricName(metric), 'metric')]),
    ...(version === undefined ? [] : [part(`version ${version}`, 'version', 'program')]),
    ...(instances === undefined ? [] : [part(`instance ${instances.join(', ')}`, 'instances')]),
    ...((from ?? to) === undefined ? [] : [part(timeText(...time), 'from', 'to')]),
    ...(baseline === null
      ? []
      : [{ label: shortHashes(`against ${baseline}`, tags), operation: 'compareWith' as const, parameters: {} }]),
  ];
}

function timeText(from: number, to: number): string {
  if (Number.isNaN(from)) return `until ${spanText(to, to).split(' – ')[0]}`;
  return Number.isNaN(to) ? `from ${spanText(from, from).split(' – ')[0]}` : spanText(from, to);
}
