// What our recordings record, in three tiers: stacks and how long things took, and nothing about the machine.

export const TIERS = ['base', 'standard', 'full'] as const;
export type Tier = (typeof TIERS)[number];

type Setting = readonly [name: string, value: string];

/** Frames of a stack that are kept. */
export function stackDepthOf(tier: Tier): number {
  return tier === 'full' ? 512 : 256;
}

const ON: Setting = ['enabled', 'true'];
const STACKS: Setting = ['stackTrace', 'true'];

function samples(): [event: string, ...settings: Setting[]][] {
  return [
    ['jdk.ExecutionSample', ON, ['period', '10 ms']],
    ['jdk.CPUTimeSample', ON, ['throttle', '10 ms'], STACKS],
    ['jdk.CPUTimeSamplesLost', ON],
    ['jdk.DataLoss', ON],
    ['jdk.BooleanFlag', ON, ['period', 'everyChunk']],
    ['jdk.ActiveSetting', ON],
  ];
}

function waits(threshold: string, allocations: string): [event: string, ...settings: Setting[]][] {
  const timed = ['JavaMonitorEnter', 'JavaMonitorWait', 'ThreadPark', 'ThreadSleep', 'SocketRead', 'SocketWrite'];
  const events = [...timed, 'FileRead', 'FileWrite'].map((name): [string, ...Setting[]] => [
    `jdk.${name}`,
    ON,
    ['threshold', threshold],
    STACKS,
  ]);
  return [['jdk.ObjectAllocationSample', ON, ['throttle', allocations], STACKS], ...events];
}

const EXCEPTIONS: [event: string, ...settings: Setting[]][] = [
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

/** The settings file of a tier, as `JFR.start settings=` and `-XX:StartFlightRecording:settings=` take it. */
export function settingsText(tier: Tier): string {
  const events = [
    ...samples(),
    ...(tier === 'base' ? [] : waits(tier === 'full' ? '1 ms' : '20 ms', tier === 'full' ? '300/s' : '100/s')),
    ...(tier === 'full' ? EXCEPTIONS : []),
    ...NEVER.map((name): [string, ...Setting[]] => [name, ['enabled', 'false']]),
  ];
  const lines = events.flatMap(([name, ...settings]) => [
    `  <event name="${name}">`,
    ...settings.map(([setting, value]) => `    <setting name="${setting}">${value}</setting>`),
    '  </event>',
  ]);
  const head = `<configuration version="2.0" label="insitu ${tier}" description="Stacks, and nothing about the machine" provider="insitu">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...lines, '</configuration>', ''].join('\n');
}
