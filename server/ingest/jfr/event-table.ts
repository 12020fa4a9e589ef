// Which event feeds which metric, from which fields: the only place that knows JFR's events by name.
import type { Metric } from '../../cct/profile.ts';

/** How one event type becomes samples of one metric. The stack is always the field `stackTrace`. */
export type EventRule = {
  readonly event: string;
  readonly metric: string;
  readonly unit: Metric['unit'];
  readonly kind: Metric['kind'];
  /** Field with a sample's weight; null counts 1. Timespans are turned into nanoseconds. */
  readonly weight: string | null;
  /** Field with how many samples one event stands for; absent for 1. */
  readonly count?: string;
  /** The weight field is also the time between two samples. */
  readonly weightIsPeriod?: boolean;
  /** Events that see the same things more exactly: where a chunk has any of them, this one is left out of the metric. */
  readonly supersededBy?: readonly string[];
};

function sampled(event: string, metric: string): EventRule {
  return { event, metric, unit: 'samples', kind: 'sampled', weight: null };
}

function timed(event: string, metric: string): EventRule {
  return { event, metric, unit: 'nanoseconds', kind: 'measured', weight: 'duration' };
}

const EXACT_ALLOCATION = ['jdk.ObjectAllocationInNewTLAB', 'jdk.ObjectAllocationOutsideTLAB'];

export const EVENT_RULES: readonly EventRule[] = [
  sampled('jdk.ExecutionSample', 'cpu'),
  sampled('jdk.NativeMethodSample', 'native'),
  {
    event: 'jdk.CPUTimeSample',
    metric: 'cpu-time',
    unit: 'nanoseconds',
    kind: 'sampled',
    weight: 'samplingPeriod',
    weightIsPeriod: true,
  },
  { ...sampled('profiler.WallClockSample', 'wall'), count: 'samples' },
  {
    event: 'jdk.ObjectAllocationSample',
    metric: 'alloc',
    unit: 'bytes',
    kind: 'sampled',
    weight: 'weight',
    supersededBy: EXACT_ALLOCATION,
  },
  // A new allocation buffer stands for all the small objects that filled the one before.
  { event: 'jdk.ObjectAllocationInNewTLAB', metric: 'alloc', unit: 'bytes', kind: 'sampled', weight: 'tlabSize' },
  {
    event: 'jdk.ObjectAllocationOutsideTLAB',
    metric: 'alloc',
    unit: 'bytes',
    kind: 'sampled',
    weight: 'allocationSize',
  },
  timed('jdk.JavaMonitorEnter', 'lock'),
  timed('jdk.JavaMonitorWait', 'wait'),
  timed('jdk.ThreadPark', 'park'),
  timed('jdk.ThreadSleep', 'sleep'),
  timed('jdk.SocketRead', 'socket'),
  timed('jdk.SocketWrite', 'socket'),
  timed('jdk.FileRead', 'file'),
  timed('jdk.FileWrite', 'file'),
  { ...sampled('jdk.JavaExceptionThrow', 'exception'), kind: 'measured' },
  { ...sampled('jdk.JavaErrorThrow', 'exception'), kind: 'measured' },
];

/**
 * The rules for the wanted events; none wanted means the whole table. An event that the table does not know becomes a
 * metric of its own that counts its stacks.
 */
export function rulesFor(events: readonly string[]): readonly EventRule[] {
  if (events.length === 0) return EVENT_RULES;
  return [...new Set(events)].map(event => {
    const known = EVENT_RULES.find(rule => rule.event === event);
    return known ?? { event, metric: event, unit: 'samples', kind: 'measured', weight: null };
  });
}
