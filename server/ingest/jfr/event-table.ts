// Which event feeds which metric, from which fields: the only place that knows JFR's events by name.
import type { Metric } from '../../cct/profile.ts';
import type { EventMetric } from '../ingest.ts';
import { earlierName } from './metadata.ts';

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
  /** Field that the weight is multiplied by: how many like it one event stands for. */
  readonly factor?: string;
  /** The weight field is also the time between two samples. */
  readonly weightIsPeriod?: boolean;
  /** Field with the thread's state. Samples of elapsed time have another state than the default, and are `wall`. */
  readonly state?: string;
  /** Field that says that the sampler could not walk the stack. */
  readonly failed?: string;
  /** Field with the method that an event is about: the stack is its caller's, so it is appended as the leaf. */
  readonly leaf?: string;
  /** Field with the class of the object that an event is about: the class is a frame in a metric beside the rule's own. */
  readonly object?: string;
  /** Field with the thread that had the object last before: a frame below its class. */
  readonly owner?: string;
  /** The weight is a duration that holds those of nested events: each event keeps what is its own. */
  readonly nested?: boolean;
  /** The metric that takes the bare number of the same events. */
  readonly counts?: string;
  /** One event sums up all calls of a method since recording began; it has no stack. Read by MethodTimings. */
  readonly summary?: boolean;
  /** Events that see the same things more exactly: where a chunk has any of them, this one is left out of the metric. */
  readonly supersededBy?: readonly string[];
};

function sampled(event: string, metric: string): EventRule {
  return { event, metric, unit: 'samples', kind: 'sampled', weight: null };
}

function weighed(event: string, metric: string, unit: Metric['unit'], weight: string): EventRule {
  return { event, metric, unit, kind: 'sampled', weight };
}

function timed(event: string, metric: string): EventRule {
  return { event, metric, unit: 'nanoseconds', kind: 'measured', weight: 'duration' };
}

function called(event: string) {
  return { event, metric: 'time', unit: 'nanoseconds', kind: 'exact', counts: 'calls' } as const;
}

const EXACT_ALLOCATION = ['jdk.ObjectAllocationInNewTLAB', 'jdk.ObjectAllocationOutsideTLAB'];

const JVM_RULES: readonly EventRule[] = [
  { ...sampled('jdk.ExecutionSample', 'cpu'), state: 'state' },
  sampled('jdk.NativeMethodSample', 'native'),
  {
    event: 'jdk.CPUTimeSample',
    metric: 'cpu-time',
    unit: 'nanoseconds',
    kind: 'sampled',
    weight: 'samplingPeriod',
    weightIsPeriod: true,
    failed: 'failed',
  },
  { ...sampled('profiler.WallClockSample', 'wall'), count: 'samples' },
  {
    ...weighed('jdk.ObjectAllocationSample', 'alloc', 'bytes', 'weight'),
    object: 'objectClass',
    supersededBy: EXACT_ALLOCATION,
  },
  // A new allocation buffer stands for all the small objects that filled the one before.
  { ...weighed('jdk.ObjectAllocationInNewTLAB', 'alloc', 'bytes', 'tlabSize'), object: 'objectClass' },
  { ...weighed('jdk.ObjectAllocationOutsideTLAB', 'alloc', 'bytes', 'allocationSize'), object: 'objectClass' },
  weighed('profiler.Malloc', 'nativemem', 'bytes', 'size'),
  { ...timed('jdk.JavaMonitorEnter', 'lock'), object: 'monitorClass', owner: 'previousOwner' },
  { ...timed('jdk.JavaMonitorWait', 'wait'), object: 'monitorClass' },
  { ...timed('jdk.ThreadPark', 'park'), object: 'parkedClass' },
  timed('jdk.ThreadSleep', 'sleep'),
  timed('jdk.SocketRead', 'socket'),
  timed('jdk.SocketWrite', 'socket'),
  timed('jdk.FileRead', 'file'),
  timed('jdk.FileWrite', 'file'),
  { ...sampled('jdk.JavaExceptionThrow', 'exception'), kind: 'measured', object: 'thrownClass' },
  { ...sampled('jdk.JavaErrorThrow', 'exception'), kind: 'measured', object: 'thrownClass' },
  // A traced call is counted as an invocation and timed: the one event that feeds two metrics.
  { ...called('jdk.MethodTrace'), weight: 'duration', leaf: 'method', nested: true },
  { ...called('jdk.MethodTiming'), weight: null, summary: true },
];

/** Events of Datadog's profiler: their weights say how many samples, or how many objects and operations alike, one event stands for. */
const DATADOG_RULES: readonly EventRule[] = [
  { ...sampled('datadog.ExecutionSample', 'cpu'), count: 'weight' },
  { ...sampled('datadog.MethodSample', 'wall'), count: 'weight' },
  { ...weighed('datadog.ObjectSample', 'alloc', 'bytes', 'size'), factor: 'weight' },
  { ...weighed('datadog.NativeMemoryAllocation', 'nativemem', 'bytes', 'size'), factor: 'weight' },
  { ...weighed('datadog.NativeSocketEvent', 'socket', 'nanoseconds', 'duration'), factor: 'weight' },
];

const EVENT_RULES: readonly EventRule[] = [...JVM_RULES, ...JVM_RULES.flatMap(asEarlier), ...DATADOG_RULES];

/** The rule for the same event of JDK 9 and 10. */
function asEarlier(rule: EventRule): EventRule[] {
  const event = earlierName(rule.event);
  const supersededBy = rule.supersededBy?.flatMap(each => earlierName(each) ?? []);
  return event === null ? [] : [{ ...rule, event, ...(supersededBy && { supersededBy }) }];
}

/** The writer of an event. Events of one writer see different things; events of two writers may see the same. */
export function writerOf(event: string): string {
  const writer = event.slice(0, Math.max(0, event.lastIndexOf('.')));
  // async-profiler uses the JVM's events and adds some of its own.
  return writer === 'profiler' ? 'jdk' : writer;
}

/**
 * The rules for the wanted events; none wanted means the whole table and the configured metrics. An event that neither knows
 * becomes a metric of its own that counts its stacks.
 */
export function rulesFor(events: readonly string[], metrics: readonly EventMetric[] = []): readonly EventRule[] {
  const own = new Map(metrics.filter(({ event }) => metricOf(event) === null).map(each => [each.event, each]));
  const rules = [...EVENT_RULES, ...[...own.values()].map(configured)];
  if (events.length === 0) return rules;
  return [...new Set(events)].map(
    event => rules.find(rule => rule.event === event) ?? configured({ event, unit: 'samples' }),
  );
}

/** The metric that an event feeds without any configuration; null for none. */
export function metricOf(event: string): string | null {
  return EVENT_RULES.find(rule => rule.event === event)?.metric ?? null;
}

function configured({ event, weight, unit }: EventMetric): EventRule {
  const rule = { event, metric: event, unit, kind: 'measured', weight: null } as const;
  if (weight === undefined) return rule;
  // Metrics of samples and invocations have no weights beside their counts.
  return unit === 'samples' || unit === 'invocations' ? { ...rule, count: weight } : { ...rule, weight };
}
