// A found source of recordings: a JVM or a folder of chunk files, with the texts and the execution that its snapshots carry.
import type { Execution } from '../model/execution.ts';
import { decideExecution, type ExecutionSources, shortened } from './execution.ts';
import type { FlightRecording } from './flight-recording.ts';
import type { FlightSettings } from './flight-settings.ts';
import type { FollowedOptions } from './followed.ts';
import { type Jvm, noJvm } from './jvms.ts';

/** The facts that a `Followed` is made from. */
export type Found = {
  /** null for a folder that is followed without its JVM. */
  readonly jvm: Jvm | null;
  readonly name: string;
  /** For people: what records, where, with which settings. */
  readonly recorder: string;
  readonly recording: FollowedOptions['recording'];
};

export function foundJvm(jvm: Jvm, recording: FlightRecording, host: string, settings: FlightSettings): Found {
  const version =
    recording.version === '' ? 'JDK Flight Recorder' : `JDK Flight Recorder, OpenJDK ${recording.version}`;
  const its = recording.isOurs ? `settings ${settings.name}` : 'settings of its own';
  return { jvm, name: jvm.name, recorder: `${version}, followed on ${host}, ${its}`, recording };
}

export function foundFolder(folder: string, host: string): Found {
  const recorder = `JDK Flight Recorder, followed on ${host}`;
  return { jvm: null, name: folder, recorder, recording: { repository: folder, isOurs: false, isStreamed: true } };
}

/** `folders`: how many folders are followed; several with one instance's name would be taken for one. */
export function executionOf({ jvm, name }: Found, sources: ExecutionSources, folders: number): Execution {
  const { execution } = decideExecution(jvm ?? noJvm(name, 'repository'), sources);
  if (jvm !== null) return execution;
  const isNamed = (sources.flags.instance ?? sources.environment.instance) !== undefined;
  return isNamed && folders === 1 ? execution : { ...execution, instance: shortened(name, 'end') };
}
