// Starts, finds and stops the recording of a JVM that is followed.

import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { hasThread } from '../base/linux-processes.ts';
import type { Outcome, Problem } from '../base/problem.ts';
import { diagnose } from './attach.ts';
import type { FlightSettings } from './flight-settings.ts';
import { type Jvm, OLDEST } from './jvms.ts';
import { ownerFlaw } from './owner-flaw.ts';
import { pathWithin } from './paths-within.ts';

/**
 * The names of our recordings in the JVM: the one that a recorder follows, the one that counts calls for a while, the one that times
 * calls as long as a recorder follows, and the one that finds out how often they are made.
 */
export const NAMES = {
  followed: 'insitu',
  counting: 'insitu-time',
  timing: 'insitu-calls',
  rates: 'insitu-rates',
} as const;
/** The JVM keeps what it has written for so long, at most: what a recorder that was away finds again. */
const KEPT = 'maxage=1h maxsize=64m';

/** The recording of a JVM that is being followed. */
export type FlightRecording = {
  /** Folder of the chunk files, as this process reaches it. */
  readonly repository: string;
  /** Ours, so that it ends when no recorder follows it any more. */
  readonly isOurs: boolean;
  /** `17.0.15`, or what the JVM calls itself. */
  readonly version: string;
  /** Whether chunks are written so that they can be followed (JDK 14 and newer); else they are finished now and then. */
  readonly isStreamed: boolean;
};

/** Follows the recording that runs, or starts ours. Without `start` nothing is begun: then there may be none. */
export async function findRecording(
  jvm: Jvm,
  settings: FlightSettings,
  start = true,
): Promise<Outcome<FlightRecording | null>> {
  const problems: Problem[] = [];
  const run = async (command: string) => {
    const { value, problems: own } = await diagnose(jvm, command);
    problems.push(...own);
    return value;
  };
  const version = versionOf((await run('VM.version')) ?? '');
  if (problems.length > 0) return { value: null, problems };
  const tooOld = ageFlaw(jvm, version, settings.oldestJdk);
  if (tooOld !== null) return { value: null, problems: [tooOld] };
  const isNew = !hasFlightRecorder(jvm);
  // Even to be asked about recordings would make the JVM get ready for them.
  if (isNew && !start) return { value: null, problems };
  const { depth } = settings;
  // Asked again later where it fails now: with the next question the depth would be fixed.
  if (isNew && !(await deepen(depth, run))) return { value: null, problems };
  // A JVM that ends removes what it has written: the chunk at hand is still open and read to its end then, others are not.
  if (isNew && !settings.isReplaceable && (await run('JFR.configure maxchunksize=1g')) === null)
    return { value: null, problems };
  const all = await run('JFR.check');
  if (all === null) return { value: null, problems };
  // These recordings end by themselves: they are not to be followed.
  const running = all.replaceAll(/^.*name=insitu-(?:time|calls|rates)\b.*$/gm, '');
  const isOurs = isIn(running, NAMES.followed);
  const begins = !/\(running\)/.test(running);
  if (begins) {
    if (!start) {
      const kept = depthIn((await run('JFR.configure')) ?? '');
      if (kept < depth) problems.push(shallow(jvm, kept));
      return { value: null, problems };
    }
    const answer = await startOurs(jvm, settings, run);
    if (answer === null || !/Started recording/.test(answer)) {
      if (answer !== null) problems.push(refused(jvm, answer));
      return { value: null, problems };
    }
  } else if (!settings.isReplaceable) {
    problems.push(recordsAlready(jvm));
    return { value: null, problems };
  } else if (!isOurs) {
    problems.push(note(jvm, 'it records already: that recording is followed, with its own settings and stack depth'));
  }
  const about = (await run('JFR.configure')) ?? '';
  if (begins && depthIn(about) < depth) problems.push(shallow(jvm, depthIn(about)));
  const path = /^Repository path: (.+)$/m.exec(about)?.[1]?.trim();
  if (path === undefined) return { value: null, problems };
  const repository = pathWithin(jvm.root, path);
  const flaw = ownerFlaw(repository, jvm.user);
  if (flaw !== null) return { value: null, problems: [...problems, flaw] };
  return { value: { repository, isOurs: isOurs || begins, version, isStreamed: majorOf(version) >= 14 }, problems };
}

/** Whether a recording of this name runs, by what JFR.check says. */
export function isIn(recordings: string, name: string): boolean {
  return new RegExp(`name=${name}(?![\\w-]).*\\(running\\)`).test(recordings);
}

/** Sets the depth of stacks in a JVM that never recorded. False where it does not answer. */
export async function prepareDepth(jvm: Jvm, depth: number, run: Run): Promise<boolean> {
  return !hasFlightRecorder(jvm) || (await deepen(depth, run));
}

/** Runs a diagnostic command in one JVM; null where it could not. */
type Run = (command: string) => Promise<string | null>;

/** Deeper where it is less, never shallower: the JVM may have been started with more. */
async function deepen(depth: number, run: Run): Promise<boolean> {
  const about = await run('JFR.configure');
  if (about === null) return false;
  return depthIn(about) >= depth || (await run(`JFR.configure stackdepth=${depth}`)) !== null;
}

/** The depth that a JVM tells; without end where it does not. */
function depthIn(about: string): number {
  return Number(/^Stack depth: (\d+)/m.exec(about)?.[1] ?? Number.POSITIVE_INFINITY);
}

/** In every JVM that ever recorded, or was asked whether it does. */
const RECORDER_THREAD = 'JFR Recorder Thread';

/**
 * Whether Flight Recorder ever ran in a JVM. The depth of stacks may only be set before: JDK 25 then refuses, and JDK 17 writes deeper
 * stacks into buffers that its threads have had since, which ends it.
 */
function hasFlightRecorder({ pid, jvmArgs }: Jvm): boolean {
  return hasThread(pid, RECORDER_THREAD) !== false || jvmArgs.some(each => each.startsWith('-XX:StartFlightRecording'));
}

/** Such as a JVM without the module jdk.jfr, which is no error of the command. */
export function refused(jvm: Jvm, answer: string): Problem {
  const message = `it does not begin a recording: ${answer.trim().split('\n')[0]}`;
  return { ...note(jvm, message), severity: 'error' };
}

function shallow(jvm: Jvm, depth: number): Problem {
  const remedy = 'its next start changes that; -XX:FlightRecorderOptions=stackdepth=512 sets it for good';
  return { ...note(jvm, `stacks are cut off at ${depth} frames: its Flight Recorder ran before`), remedy };
}

/** `17.0.15`, or what the JVM calls itself; empty where it does not answer. */
export async function askVersion(jvm: Jvm): Promise<string> {
  return versionOf((await diagnose(jvm, 'VM.version')).value ?? '');
}

/** Ends our recording; its last chunk is finished by then. Whether the JVM records nothing any more: another recording may go on. */
export async function stopRecording(jvm: Jvm): Promise<Outcome<boolean>> {
  const { problems } = await diagnose(jvm, `JFR.stop name=${NAMES.followed}`);
  return problems.length > 0 ? { value: false, problems } : await recordsNothing(jvm);
}

/** Whether a JVM records nothing any more. */
export async function recordsNothing(jvm: Jvm): Promise<Outcome<boolean>> {
  const { value, problems: unasked } = await diagnose(jvm, 'JFR.check');
  return { value: value !== null && !/\(running\)/.test(value), problems: unasked };
}

/** Finishes the chunk at hand, for JVMs that do not write so that they can be followed; false when nothing records any more. */
export async function rotateChunk(jvm: Jvm): Promise<Outcome<boolean>> {
  const { value: recordings, problems } = await diagnose(jvm, 'JFR.check');
  const number = /^Recording (\d+): .*\(running\)/m.exec(recordings ?? '')?.[1];
  if (number === undefined) return { value: false, problems };
  // Only the JVM's own user may be able to write there. The copy is of no use: it is as small as can be.
  const file = `/tmp/insitu-${randomUUID()}.jfr`;
  try {
    const dumped = await diagnose(jvm, `JFR.dump name=${number} maxsize=1 filename=${file}`);
    return { value: dumped.value !== null, problems: dumped.problems };
  } finally {
    try {
      rmSync(pathWithin(jvm.root, file), { force: true });
    } catch {
      // The file belongs to the JVM's user, who alone may remove it where this process has no right to.
    }
  }
}

/** The answer of the JVM; null where it could not be asked. */
async function startOurs(jvm: Jvm, { name, text }: FlightSettings, run: Run): Promise<string | null> {
  return inSharedFolder(jvm, async (folder, inside) => {
    writeFileSync(join(folder, `${name}.jfc`), text, { flag: 'wx' });
    // Whatever the umask of this process is.
    chmodSync(join(folder, `${name}.jfc`), 0o644);
    const settings = join(inside, `${name}.jfc`);
    return await run(`JFR.start name=${NAMES.followed} settings=${settings} path-to-gc-roots=false ${KEPT}`);
  });
}

/**
 * Gives `use` a new folder that the JVM can reach as well, by our path and by the JVM's, and removes it. The folder above it may be
 * another user's, who can put something else in its place: ours is the one that was opened.
 * @param isJvms the JVM's user alone may write and read there; else everybody may read, and this user write.
 */
export async function inSharedFolder<T>(
  jvm: Jvm,
  use: (folder: string, inside: string) => Promise<T>,
  { isJvms = false }: { readonly isJvms?: boolean } = {},
): Promise<T> {
  const path = mkdtempSync(join(pathWithin(jvm.root, '/tmp'), 'insitu-'));
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  try {
    const descriptor = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    try {
      if (!isJvms) fchmodSync(descriptor, 0o755);
      else if (process.geteuid?.() === 0) fchownSync(descriptor, jvm.user, -1);
      return await use(`/proc/self/fd/${descriptor}`, path.slice(jvm.root.length));
    } finally {
      closeSync(descriptor);
    }
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/** The problem of a JVM that records already: more than the calls would be recorded, and the times of the rest would be wrong. */
function recordsAlready(jvm: Jvm): Problem {
  const remedy = 'calls are counted in a JVM of its own that does the same work: start one without a recording';
  return { ...note(jvm, 'it records already'), severity: 'error', remedy };
}

export function ageFlaw({ pid, name }: Jvm, version: string, oldest = OLDEST): Problem | null {
  const major = majorOf(version);
  if (major === 0 || major >= oldest) return null;
  const remedy = `run it with Java ${oldest} or newer`;
  return { severity: 'error', message: `its Java ${version} is too old`, file: `JVM ${pid} (${name})`, remedy };
}

function note(jvm: Jvm, message: string): Problem {
  return { severity: 'info', message, file: `JVM ${jvm.pid} (${jvm.name})` };
}

function versionOf(text: string): string {
  return /^JDK (\S+)/m.exec(text)?.[1] ?? /version (\S+)/.exec(text)?.[1] ?? '';
}

/** `17` of `17.0.15`; 0 where the version does not tell. */
export function majorOf(version: string): number {
  return Number(/^\d+/.exec(version)?.[0] ?? 0);
}
