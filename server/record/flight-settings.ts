// The events of our recordings: stacks and how long things took, in three tiers, or each call of some classes; and nothing about the machine.

export const TIERS = ['base', 'standard', 'full'] as const;
export type Tier = (typeof TIERS)[number];

type Setting = readonly [name: string, value: string];
type Recorded = [event: string, ...settings: Setting[]];

/** The settings of one kind of recording. */
export type FlightSettings = {
  readonly name: string;
  /** The settings file, as `JFR.start settings=` and `-XX:StartFlightRecording:settings=` take it. */
  readonly text: string;
  /** Frames of a stack that are kept. */
  readonly depth: number;
  /** The oldest JDK that can record it, where that is not the oldest one that can be followed. */
  readonly oldestJdk?: number;
  /** Whether another recording that runs already can be followed in its place. */
  readonly isReplaceable: boolean;
};

const ON: Setting = ['enabled', 'true'];
const STACKS: Setting = ['stackTrace', 'true'];
const NO_STACKS: Setting = ['stackTrace', 'false'];

function samples(loadsEvery: string): Recorded[] {
  return [
    ['jdk.ExecutionSample', ON, ['period', '10 ms']],
    ['jdk.CPUTimeSample', ON, ['throttle', '10 ms'], STACKS],
    ['jdk.CPUTimeSamplesLost', ON],
    ['jdk.DataLoss', ON],
    ['jdk.GarbageCollection', ON, ['threshold', '0 ms']],
    ['jdk.BooleanFlag', ON, ['period', 'everyChunk']],
    ['jdk.ActiveSetting', ON],
    ...typedTime(loadsEvery),
  ];
}

/** How long threads live and run, and of how many processors: what types of time need besides waits. */
function typedTime(loadsEvery: string): Recorded[] {
  return [
    ['jdk.ThreadCPULoad', ON, ['period', loadsEvery]],
    ['jdk.ThreadStart', ON, NO_STACKS],
    ['jdk.ThreadEnd', ON, NO_STACKS],
    ['jdk.ContainerConfiguration', ON, ['period', 'beginChunk']],
  ];
}

function waits(threshold: string, allocations: string): Recorded[] {
  const timed = ['JavaMonitorEnter', 'JavaMonitorWait', 'ThreadPark', 'ThreadSleep', 'SocketRead', 'SocketWrite'];
  const events = [...timed, 'FileRead', 'FileWrite'].map((name): [string, ...Setting[]] => [
    `jdk.${name}`,
    ON,
    ['threshold', threshold],
    STACKS,
  ]);
  return [['jdk.ObjectAllocationSample', ON, ['throttle', allocations], STACKS], ...events];
}

const EXCEPTIONS: Recorded[] = [
  ['jdk.JavaExceptionThrow', ON, STACKS],
  ['jdk.JavaErrorThrow', ON, STACKS],
];

/** Each would record environment, command lines, paths or other processes; some are on where a settings file says nothing. */
const NEVER = [
  'jdk.InitialEnvironmentVariable',
  'jdk.InitialSystemProperty',
  'jdk.InitialSecurityProperty',
  'jdk.JVMInformation',
  'jdk.SystemProcess',
  'jdk.NativeLibrary',
  'jdk.NativeLibraryLoad',
  'jdk.NativeLibraryUnload',
  'jdk.ProcessStart',
  'jdk.StringFlag',
  'jdk.StringFlagChanged',
  'jdk.ActiveRecording',
];

/** Settings for forks of benchmarks: `standard`, with loads of threads often enough for forks of seconds. */
export function forkSettings(): FlightSettings {
  return tierSettings('standard', '500 ms');
}

/** @param loadsEvery how often threads tell how long they ran */
export function tierSettings(tier: Tier, loadsEvery = '10 s'): FlightSettings {
  const events = [
    ...samples(loadsEvery),
    ...(tier === 'base' ? [] : waits(tier === 'full' ? '1 ms' : '20 ms', tier === 'full' ? '300/s' : '100/s')),
    ...(tier === 'full' ? EXCEPTIONS : []),
  ];
  return { name: tier, text: settingsText(tier, events), depth: tier === 'full' ? 512 : 256, isReplaceable: true };
}

/** Each call of the methods of some classes with its stack, and exact totals of each method; no samples: tracing makes calls slower. */
export function countSettings(classes: readonly string[]): FlightSettings {
  const text = settingsText('count', [
    trace(classes),
    ['jdk.MethodTiming', ON, ['period', 'endChunk'], ['filter', classes.join(';')]],
    ['jdk.DataLoss', ON],
    ['jdk.ActiveSetting', ON],
  ]);
  return { name: 'count', text, depth: 512, oldestJdk: OLDEST_TIMED, isReplaceable: false };
}

/** The JDK that can trace and time methods. */
export const OLDEST_TIMED = 25;

/** Sums are told so often: what comes after the last ones is lost. */
const SUMS_EVERY = '1 s';

/** The timed code: classes and methods of them, `com.acme.Shop::search`. */
type Timed = {
  /** Each call with its caller. */
  readonly traced?: readonly string[];
  /** Sums of each method. */
  readonly summed?: readonly string[];
};

/** How long the calls of some methods take, beside whatever the JVM records. */
export function timeSettings({ traced = [], summed = [] }: Timed): FlightSettings {
  const text = settingsText('time', [
    ...(traced.length === 0 ? [] : [trace(traced)]),
    ...(summed.length === 0 ? [] : [sums(summed)]),
    ['jdk.DataLoss', ON],
  ]);
  return { name: 'time', text, depth: 256, oldestJdk: OLDEST_TIMED, isReplaceable: false };
}

function trace(filters: readonly string[]): Recorded {
  return ['jdk.MethodTrace', ON, ['threshold', '0 ms'], ['filter', filters.join(';')], STACKS];
}

function sums(filters: readonly string[]): Recorded {
  return ['jdk.MethodTiming', ON, ['period', SUMS_EVERY], ['filter', filters.join(';')]];
}

function settingsText(name: string, recorded: readonly Recorded[]): string {
  const events = [...recorded, ...NEVER.map((event): [string, ...Setting[]] => [event, ['enabled', 'false']])];
  const lines = events.flatMap(([event, ...settings]) => [
    `  <event name="${event}">`,
    ...settings.map(([setting, value]) => `    <setting name="${setting}">${escaped(value)}</setting>`),
    '  </event>',
  ]);
  const head = `<configuration version="2.0" label="insitu ${name}" description="Stacks, and nothing about the machine" provider="insitu">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...lines, '</configuration>', ''].join('\n');
}

/** Names of classes may hold anything. */
function escaped(text: string): string {
  return text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`);
}
