// Which metrics the columns of values in a pprof profile become.
import { isWeighted, type Metric } from '../../cct/profile.ts';
import { METRIC_NOTE, type Tables } from './profile-tables.ts';

/** One column of values as a metric. */
export type Column = {
  readonly metric: Metric;
  /** The factor from the value's unit to the metric's unit: 1,000,000 for milliseconds. */
  readonly scale: number;
  /** Column that says how many samples the value sums up; −1 where none does. */
  readonly countColumn: number;
  /** Value of one sample, where no column counts them; 0 is unknown. */
  readonly period: number;
};

const NANOS: ReadonlyMap<string, number> = new Map([
  ['nanoseconds', 1],
  ['ns', 1],
  ['microseconds', 1e3],
  ['us', 1e3],
  ['milliseconds', 1e6],
  ['ms', 1e6],
  ['seconds', 1e9],
  ['s', 1e9],
]);
const BYTES: ReadonlyMap<string, number> = new Map([
  ['bytes', 1],
  ['byte', 1],
  ['kilobytes', 1024],
  ['kb', 1024],
  ['megabytes', 2 ** 20],
  ['mb', 2 ** 20],
]);

/** Ids of metrics that other producers call differently. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ['samples', 'cpu'],
  ['sample', 'cpu'],
  ['cpu', 'cpu-time'],
  ['alloc_space', 'alloc'],
  ['alloc_in_new_tlab_bytes', 'alloc'],
  ['delay', 'lock'],
  ['lock_duration', 'lock'],
]);
/** The names of columns that count the samples of a column, by its name. */
const COUNTERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['cpu', ['samples', 'sample']],
  ['wall', ['samples', 'sample']],
  ['alloc_space', ['alloc_objects']],
  ['inuse_space', ['inuse_objects']],
  ['alloc_in_new_tlab_bytes', ['alloc_in_new_tlab_objects']],
  ['delay', ['contentions']],
  ['lock_duration', ['lock_count', 'contentions']],
]);

/** Behind the name of a metric: the column that counts its samples, as `insitu export` writes it. */
export const COUNT_SUFFIX = '_samples';

/** The metrics of a profile, null for columns that only count another one's samples. */
export function columnsOf(tables: Tables): (Column | null)[] {
  const names = tables.sampleTypes.map(({ type }) => tables.string(type));
  const units = tables.sampleTypes.map(({ unit }) => tables.string(unit));
  const declared = declaredMetrics(tables);
  const taken = new Set<string>();
  return names.map((name, column) => {
    const own = name.endsWith(COUNT_SUFFIX) ? declared.get(name.slice(0, -COUNT_SUFFIX.length)) : undefined;
    if (own !== undefined) return null;
    const unit = units[column]!.toLowerCase();
    const metricUnit = NANOS.has(unit) ? 'nanoseconds' : BYTES.has(unit) ? 'bytes' : declaredUnit(unit);
    const known = declared.get(name);
    const id = free(taken, known?.id ?? knownId(name, metricUnit), name || `column-${column + 1}`);
    const ofPeriod = periodOf(tables, name, units[column]!);
    const metric: Metric = {
      id,
      unit: metricUnit,
      kind: known?.kind ?? 'sampled',
      events: known?.events ?? [],
      ...(known?.uncounted === true && { uncounted: true }),
      ...(known?.estimated === true && { estimated: true }),
      periodNanos: known?.periodNanos ?? (metricUnit === 'bytes' ? 0 : periodNanos(tables, id)),
    };
    const counters = [`${name}${COUNT_SUFFIX}`, ...(COUNTERS.get(name) ?? [])];
    const countColumn = isWeighted(metric) ? counterOf(tables, column, counters, ofPeriod) : -1;
    return { metric, scale: NANOS.get(unit) ?? BYTES.get(unit) ?? 1, countColumn, period: ofPeriod };
  });
}

/** The column that counts: one with a known name; else, where no period tells, one whose unit is a count. */
function counterOf(tables: Tables, column: number, known: readonly string[], period: number): number {
  const counts = tables.sampleTypes.map(({ unit }) => tables.string(unit).toLowerCase() === 'count');
  const named = tables.sampleTypes.findIndex(({ type }) => known.includes(tables.string(type)));
  if (named >= 0 || period > 0) return named;
  // Producers write the count of a value before it.
  return counts[column - 1] === true ? column - 1 : counts.indexOf(true);
}

function declaredUnit(unit: string): 'invocations' | 'samples' {
  return unit === 'invocations' ? 'invocations' : 'samples';
}

function knownId(name: string, unit: Metric['unit']): string {
  // A column `cpu` that counts is a count of samples.
  if (name === 'cpu' && unit !== 'nanoseconds') return 'cpu';
  return KNOWN.get(name) ?? name;
}

function free(taken: Set<string>, wanted: string, otherwise: string): string {
  let id = wanted !== '' && !taken.has(wanted) ? wanted : otherwise;
  for (let number = 2; taken.has(id); number++) id = `${otherwise}-${number}`;
  taken.add(id);
  return id;
}

/** Producers that do not sample at a fixed rate write a period of one unit. */
function saysNothing({ period }: Tables): boolean {
  return period <= 1;
}

function periodOf(tables: Tables, name: string, unit: string): number {
  const { periodType, period } = tables;
  if (periodType === null || saysNothing(tables)) return 0;
  return tables.string(periodType.type) === name && tables.string(periodType.unit) === unit ? period : 0;
}

/** The time between two samples, for the metrics that are about processors. */
function periodNanos(tables: Tables, id: string): number {
  const scale = tables.periodType === null ? undefined : NANOS.get(tables.string(tables.periodType.unit).toLowerCase());
  const timed = id === 'cpu' || id === 'cpu-time' || id === 'wall';
  return scale === undefined || !timed || saysNothing(tables) ? 0 : tables.period * scale;
}

type DeclaredMetric = Pick<Metric, 'id' | 'kind' | 'events' | 'periodNanos' | 'uncounted' | 'estimated'>;

/** Metrics as notes declare them, by their ids. */
function declaredMetrics(tables: Tables): Map<string, DeclaredMetric> {
  const found = new Map<string, DeclaredMetric>();
  for (const text of tables.notes) {
    const metric = parseMetric(text.slice(METRIC_NOTE.length));
    if (metric !== null) found.set(metric.id, metric);
  }
  return found;
}

function parseMetric(text: string): DeclaredMetric | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('id' in value) || typeof value.id !== 'string') return null;
    const kind = 'kind' in value && (value.kind === 'measured' || value.kind === 'exact') ? value.kind : 'sampled';
    const listed: unknown[] = 'events' in value && Array.isArray(value.events) ? value.events : [];
    const period = 'periodNanos' in value && typeof value.periodNanos === 'number' ? value.periodNanos : 0;
    const events = listed.filter(event => typeof event === 'string');
    const uncounted = 'uncounted' in value && value.uncounted === true ? { uncounted: true as const } : {};
    const estimated = 'estimated' in value && value.estimated === true ? { estimated: true as const } : {};
    const periodNanos = Number.isFinite(period) ? Math.max(0, period) : 0;
    return { id: value.id, kind, events, periodNanos, ...uncounted, ...estimated };
  } catch {
    return null;
  }
}
