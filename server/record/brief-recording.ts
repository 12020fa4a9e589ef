// Records in a running JVM for a while, beside its other recordings, and reads the recording, which the JVM ends by itself.
import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../base/message-of.ts';
import type { Outcome, Problem } from '../base/problem.ts';
import { ingestInWorker } from '../ingest/in-worker.ts';
import type { Ingested } from '../ingest/ingest.ts';
import { diagnose } from './attach.ts';
import { inSharedFolder, isIn, refused } from './flight-recording.ts';
import type { FlightSettings } from './flight-settings.ts';
import { isRunning, type Jvm } from './jvms.ts';
import { openPlain } from './plain-file.ts';

/** Short windows, so that a minute has enough of them to see how times follow the load. */
const WINDOW_MILLIS = 5_000;
const LOOK_MILLIS = 250;
/** The JVM takes at most so long to write the file. */
const WRITE_MILLIS = 20_000;
const EVENTS = ['jdk.MethodTrace', 'jdk.MethodTiming'];

/** The destination of a recording that another one keeps: without one, the JVM would write a file into its own folder. */
const NOWHERE = '/dev/null';
/** Chunks that a recording without a file of its own holds back at most. */
const LEAST_KEPT = 'maxsize=16m';

type BriefWish = {
  /** The name of the recording in the JVM. */
  readonly name: string;
  readonly settings: FlightSettings;
  readonly millis: number;
};

/**
 * Begins a recording that the JVM ends by itself and that is not read here: a recorder follows its files. Null, and why, where it does
 * not begin.
 */
export async function beginUnread(jvm: Jvm, wish: BriefWish): Promise<Outcome<true | null>> {
  return await inSharedFolder(jvm, (folder, inside) => begin(jvm, wish, folder, inside, `${NOWHERE} ${LEAST_KEPT}`));
}

/**
 * Records until the time is over, the JVM has ended, or `signal` aborts; reads the calls that were recorded by then in all cases.
 * @param begun is called when the JVM records
 */
export async function recordBriefly(
  jvm: Jvm,
  wish: BriefWish,
  begun: () => void,
  signal: AbortSignal,
): Promise<Outcome<Ingested | null>> {
  const use = async (folder: string, inside: string): Promise<Outcome<Ingested | null>> => {
    const file = `${randomUUID()}.jfr`;
    const { value, problems } = await begin(jvm, wish, folder, inside, `${join(inside, file)} dumponexit=true`);
    if (value === null) return { value, problems };
    begun();
    await untilOver(jvm, wish, signal);
    const options = { names: 'normalised', events: EVENTS, windowMillis: WINDOW_MILLIS } as const;
    let descriptor: number;
    try {
      descriptor = openPlain(join(folder, file), jvm.user);
    } catch (error) {
      const message = `what it recorded cannot be read: ${messageOf(error)}`;
      return { value: null, problems: [{ severity: 'error', message, file: labelOf(jvm) }] };
    }
    try {
      const read = await ingestInWorker(`/proc/self/fd/${descriptor}`, options);
      // Nobody can look at the file, which is removed: problems name the JVM.
      const flaws = read.problems.map(problem => ({ ...problem, file: labelOf(jvm) }));
      return { value: { ...read, problems: flaws }, problems: [] };
    } finally {
      closeSync(descriptor);
    }
  };
  return await inSharedFolder(jvm, use, { isJvms: true });
}

/** Writes a new file that everybody may read, whatever the umask of this process is: by its descriptor, as the folder may be another user's. */
function writeReadable(path: string, text: string): void {
  const descriptor = openSync(path, 'wx');
  try {
    writeFileSync(descriptor, text);
    fchmodSync(descriptor, 0o644);
  } finally {
    closeSync(descriptor);
  }
}

async function begin(
  jvm: Jvm,
  { name, settings, millis }: BriefWish,
  folder: string,
  inside: string,
  destination: string,
): Promise<Outcome<true | null>> {
  writeReadable(join(folder, 'time.jfc'), settings.text);
  const place = `settings=${join(inside, 'time.jfc')} path-to-gc-roots=false filename=${destination}`;
  const started = await diagnose(jvm, `JFR.start name=${name} ${place} duration=${secondsOf(millis)}s`);
  if (started.value === null) return { value: null, problems: started.problems };
  if (!/Started recording/.test(started.value)) return { value: null, problems: [refused(jvm, started.value)] };
  return { value: true, problems: [] };
}

/** Ends the recording of this name in the JVM. */
export async function endRecording(jvm: Jvm, name: string): Promise<readonly Problem[]> {
  return (await diagnose(jvm, `JFR.stop name=${name}`)).problems;
}

/** Waits until the time is over or `signal` aborts, and the JVM has forgotten the recording: it writes the file before. */
export async function untilOver(jvm: Jvm, { name, millis }: BriefWish, signal: AbortSignal): Promise<void> {
  const whole = 1_000 * secondsOf(millis);
  const end = performance.now() + whole + WRITE_MILLIS;
  await pause(whole, null, { signal }).catch(() => endRecording(jvm, name));
  while (performance.now() < end && isRunning(jvm)) {
    const { value } = await diagnose(jvm, 'JFR.check');
    if (value === null || !isIn(value, name)) return;
    await pause(LOOK_MILLIS);
  }
}

/** The time for the JVM, which takes whole seconds. */
function secondsOf(millis: number): number {
  return Math.max(1, Math.ceil(millis / 1_000));
}

export function labelOf({ pid, name }: Jvm): string {
  return `JVM ${pid} (${name})`;
}
