// The question what a program does: what own code costs and when, what threads wait for, what is allocated and thrown, and what ran.
import { type ClassWait, type Wait, waitsOf } from '../../capabilities/typed/door.ts';
import { type PausesOfKind, pausesOf } from '../../cct/gc-pauses.ts';
import { jvmsOf } from '../../cct/jvms.ts';
import { isProcessorLoad } from '../../cct/processor-load.ts';
import { processorsRow } from '../../cct/processor-time.ts';
import { type Amount, type Analysis, analyse } from '../../metrics/analysis.ts';
import { wholeOfMetric } from '../../metrics/other-metrics.ts';
import { type OwnOfSpan, ownOverTime } from '../../metrics/own-over-time.ts';
import { ownTimes } from '../../metrics/own-times.ts';
import { TIME_TYPES, type TimeType, TYPED } from '../../model/time-types.ts';
import type { LoadedData } from '../loaded-data.ts';
import type { Question } from './question.ts';

/** A metric beside the one that is looked at: its heaviest methods by own time. */
export type MetricPart = {
  readonly id: string;
  readonly whole: Amount;
  /** The amount without a frame of own code. */
  readonly none: Amount;
  readonly rows: readonly (Amount & { readonly method: number })[];
};

type NamedSum = { readonly name: string; readonly weight: number };

export type WaitPart = {
  /** Time of threads that run own code, without time that is known to be outside of it. */
  readonly whole: number;
  readonly types: readonly (Amount & { readonly type: TimeType })[];
  /** Waits by class of threads and type, heaviest first. */
  readonly classes: readonly ClassWait[];
  /** Waits, heaviest first; `ofThreads` is the part of the whole that belongs to the class of threads that waits most. */
  readonly rows: readonly (Wait & { readonly ofThreads: number })[];
  /** Time outside of own code, and the classes of its threads, heaviest first. */
  readonly aside: Amount & { readonly threads: readonly NamedSum[] };
};

export type Overview = {
  /** Own time of the hottest methods over time. */
  readonly spans: readonly OwnOfSpan[];
  readonly rows: readonly (Amount & { readonly method: number; readonly total: Amount })[];
  /** How many methods have own time. */
  readonly methods: number;
  /** null where it was not recorded what threads did. */
  readonly waits: WaitPart | null;
  /** Metrics with samples: waits that events tell, where no typed time was recorded; allocation; exceptions. */
  readonly metrics: readonly MetricPart[];
  /** Nanoseconds: processor time of the JVMs, what they could use, and how long they were recorded; null where it is not known. */
  readonly processors: { readonly used: number | null; readonly usable: number | null; readonly elapsed: number };
  /** The pauses of whole JVMs, for all threads and methods; empty where no garbage collection was recorded. */
  readonly pauses: readonly PausesOfKind[];
  readonly jvms: number;
};

/** The most parts of a sparkline. */
const MOST_SPANS = 48;
/** Durations of waits that a recording without typed time has, and what a program allocates and throws. */
const WAITS: readonly string[] = ['lock', 'wait', 'park', 'sleep', 'socket', 'file'];
const OTHERS: readonly string[] = ['alloc', 'exception'];

/** @param rows of each list, at most */
export const overview: Question<{ readonly rows: number }, Overview> = (data, { rows: most }, pause) => {
  const { analysis, profile, values, own } = data;
  const rows = heaviestOwn(values.own, most).map(row => ({
    ...row,
    total: { weight: values.total.weight[row.method]!, count: values.total.count[row.method]! },
  }));
  const spans = ownOverTime(
    analysis,
    own.isOwn,
    rows.map(({ method }) => method),
    MOST_SPANS,
  );
  pause();
  const waits = waitPart(data, most);
  pause();
  const wanted = profile.metrics.filter(({ id }) => OTHERS.includes(id) || (waits === null && WAITS.includes(id)));
  const metrics = wanted.map(({ id }) => {
    const part = metricPart(data, id, most);
    pause();
    return part;
  });
  return {
    ...{ spans, rows, methods: values.own.count.reduce((sum, count) => (count > 0 ? sum + 1 : sum), 0), waits },
    metrics: metrics.filter(({ whole }) => whole.count > 0).sort((a, b) => b.whole.weight - a.whole.weight),
    processors: processorsOf(analysis),
    pauses: pausesOf(profile, analysis.selection.windows),
    jvms: Math.max(1, jvmsOf(chosenWindows(analysis)).length),
  };
};

/** The analysis of another metric, of the same part of the data. */
function ofMetric({ profile, index, selection }: Analysis, id: string): Analysis {
  return analyse(profile, index, { ...selection, metric: profile.metrics.findIndex(metric => metric.id === id) });
}

function heaviestOwn({ weight, count }: Pick<LoadedData['values']['own'], 'weight' | 'count'>, most: number) {
  const methods = [...weight.keys()].filter(method => weight[method]! > 0);
  methods.sort((a, b) => weight[b]! - weight[a]! || a - b);
  return methods.slice(0, most).map(method => ({ method, weight: weight[method]!, count: count[method]! }));
}

function metricPart({ analysis, own }: LoadedData, id: string, most: number): MetricPart {
  const of = ofMetric(analysis, id);
  const times = ownTimes(of, own.isOwn);
  return { id, whole: of.whole, none: times.none, rows: heaviestOwn(times, most) };
}

function waitPart({ analysis, own, profile }: LoadedData, most: number): WaitPart | null {
  if (!profile.metrics.some(({ id }) => id === TYPED.id)) return null;
  const { rows, classes, ofThreads, types, aside } = waitsOf(ofMetric(analysis, TYPED.id), own.isOwn);
  const named = [...aside.ofThreads].map(([name, weight]) => ({ name, weight }));
  named.sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1));
  return {
    whole: [...ofThreads.values()].reduce((sum, each) => sum + each, 0),
    types: (Object.keys(TIME_TYPES) as TimeType[]).flatMap(type => {
      const amount = types.get(type);
      return amount === undefined ? [] : [{ type, ...amount }];
    }),
    classes,
    rows: rows.slice(0, most).map(row => ({ ...row, ofThreads: ofThreads.get(row.threads.name)! })),
    aside: { weight: aside.weight, count: aside.count, threads: named.slice(0, most) },
  };
}

function chosenWindows({ profile: { windows }, selection }: Analysis) {
  return selection.windows === undefined ? windows : windows.filter((_, row) => selection.windows![row] === 1);
}

/** Processor time of whole JVMs, whatever threads or methods are looked at. */
function processorsOf(a: Analysis): Overview['processors'] {
  const { focus: _focus, path: _path, threads: _threads, ...span } = a.selection;
  const all = { ...a, selection: span };
  const sum = (row: number) => (row < 0 ? 0 : wholeOfMetric(all, row).weight) || null;
  const millis = chosenWindows(a).reduce((all, { startMillis, endMillis }) => all + endMillis - startMillis, 0);
  return {
    used: sum(a.profile.metrics.findIndex(isProcessorLoad)),
    usable: sum(processorsRow(a.profile)),
    elapsed: millis * 1e6,
  };
}
