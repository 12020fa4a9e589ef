// Starts, finds and stops the recording of a JVM that is followed.
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome, Problem } from '../base/problem.ts';
import { diagnose } from './attach.ts';
import { settingsText, stackDepthOf, type Tier } from './flight-settings.ts';
import type { Jvm } from './jvms.ts';

/** What our recordings are called in the JVM. */
const NAME = 'insitu';
/** The JVM keeps what it has written for so long, at most: what a recorder that was away finds again. */
const KEPT = 'maxage=1h maxsize=64m';

/** The recording of a JVM that is being followed. */
export type FlightRecording = {
  /** Folder of the chunk files, as this process reaches it. */
  readonly repository: string;
  /** Ours, so that it ends when nobody follows it any more. */
  readonly isOurs: boolean;
  /** `17.0.15`, or what the JVM calls itself. */
  readonly version: string;
  /** Whether chunks are written so that they can be followed (JDK 14 and newer); else they are finished now and then. */
  readonly isStreamed: boolean;
};

/** Follows the recording that runs, or starts ours. Without `start` nothing is begun: then there may be none. */
export async function findRecording(jvm: Jvm, tier: Tier, start = true): Promise<Outcome<FlightRecording | null>> {
  const problems: Problem[] = [];
  const run = async (command: string) => {
    const { value, problems: own } = await diagnose(jvm, command);
    problems.push(...own);
    return value;
  };
  const version = versionOf((await run('VM.version')) ?? '');
  if (problems.length > 0) return { value: null, problems };
  const running = (await run('JFR.check')) ?? '';
  const isOurs = new RegExp(`name=${NAME}\\b.*\\(running\\)`).test(running);
  if (!/\(running\)/.test(running)) {
    if (!start) return { value: null, problems };
    await run(`JFR.configure stackdepth=${stackDepthOf(tier)}`);
    const started = await startOurs(jvm, tier, run);
    if (!started) return { value: null, problems };
  } else if (!isOurs) {
    problems.push(note(jvm, 'it records already: that recording is followed, with its own settings and stack depth'));
  }
  const about = (await run('JFR.configure')) ?? '';
  const path = /^Repository path: (.+)$/m.exec(about)?.[1]?.trim();
  if (path === undefined) return { value: null, problems };
  const repository = join(jvm.root, path);
  const flaw = ownerFlaw(jvm, repository);
  if (flaw !== null) return { value: null, problems: [...problems, flaw] };
  const ours = isOurs || !/\(running\)/.test(running);
  return { value: { repository, isOurs: ours, version, isStreamed: majorOf(version) >= 14 }, problems };
}

/** Ends our recording; its last chunk is finished by then. */
export async function stopRecording(jvm: Jvm): Promise<readonly Problem[]> {
  return (await diagnose(jvm, `JFR.stop name=${NAME}`)).problems;
}

/** Finishes the chunk at hand, for JVMs that do not write so that they can be followed. */
export async function rotateChunk(jvm: Jvm): Promise<readonly Problem[]> {
  const folder = mkdtempSync(join(jvm.root || '/', 'tmp', 'insitu-'));
  try {
    const inside = folder.slice(jvm.root.length);
    return (await diagnose(jvm, `JFR.dump name=${NAME} filename=${join(inside, 'dump.jfr')}`)).problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startOurs(jvm: Jvm, tier: Tier, run: (command: string) => Promise<string | null>): Promise<boolean> {
  // The JVM reads the settings as its own user, in its own file system.
  const folder = mkdtempSync(join(jvm.root || '/', 'tmp', 'insitu-'));
  try {
    const file = join(folder, `${tier}.jfc`);
    writeFileSync(file, settingsText(tier), { mode: 0o644 });
    chmodSync(folder, 0o755);
    const settings = file.slice(jvm.root.length);
    const answer = await run(`JFR.start name=${NAME} settings=${settings} path-to-gc-roots=false ${KEPT}`);
    return answer !== null && /Started recording/.test(answer);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whoever does not run as root reads only what belongs to the same user. */
function ownerFlaw(jvm: Jvm, repository: string): Problem | null {
  const own = process.geteuid?.() ?? -1;
  try {
    const { uid } = statSync(repository);
    if (own === 0 || uid === own) return null;
    return {
      severity: 'error',
      message: "its recordings belong to another user's account",
      file: repository,
      remedy: `run insitu as user ${uid} or as root`,
    };
  } catch {
    return {
      severity: 'error',
      message: `the repository of JVM ${jvm.pid} cannot be reached`,
      file: repository,
      remedy: 'let the recorder see the file system of the container: share its process namespace',
    };
  }
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
