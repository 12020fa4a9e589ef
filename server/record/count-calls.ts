// Counts and times the calls of named methods in a running JVM for a while, beside whatever else it records. The JVM ends that by itself.
import { randomUUID } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome, Problem } from '../base/problem.ts';
import { ingestInWorker } from '../ingest/in-worker.ts';
import type { Ingested } from '../ingest/ingest.ts';
import { diagnose } from './attach.ts';
import { ageFlaw, askVersion, inSharedFolder, isIn, NAMES, prepareDepth, refused } from './flight-recording.ts';
import { timeSettings } from './flight-settings.ts';
import { isRunning, type Jvm } from './jvms.ts';

type CountWish = {
  /** Classes and methods of them, `com.acme.Shop::search`; each stands for all its overloads. */
  readonly methods: readonly string[];
  /** Whether each call is recorded with its caller; else sums of each method alone. */
  readonly isTraced: boolean;
  readonly millis: number;
};

/** What a recorder that follows the JVM already has from it, is stored by that recorder. */
type Counted = Ingested | 'followed';

/** A minute then has enough windows to see how times follow the load. */
const WINDOW_MILLIS = 5_000;
const LOOK_MILLIS = 250;
/** Writing the file takes the JVM so long at most. */
const WRITE_MILLIS = 20_000;

/**
 * Counts until the time is over, the JVM has ended, or `signal` aborts; what was counted by then is read in all cases.
 * @param begun is called when the JVM counts.
 */
export async function countCalls(
  jvm: Jvm,
  { methods, isTraced, millis }: CountWish,
  begun: () => void,
  signal: AbortSignal,
): Promise<Outcome<Counted | null>> {
  const problems: Problem[] = [];
  const run = async (command: string): Promise<string | null> => {
    const { value, problems: own } = await diagnose(jvm, command);
    problems.push(...own);
    return value;
  };
  const settings = timeSettings(methods, isTraced);
  const tooOld = ageFlaw(jvm, await askVersion(jvm), settings.oldestJdk);
  if (tooOld !== null) return { value: null, problems: [tooOld] };
  if (!(await prepareDepth(jvm, settings.depth, run))) return { value: null, problems };
  const running = await run('JFR.check');
  if (running === null) return { value: null, problems };
  if (isIn(running, NAMES.counting)) return { value: null, problems: [countsAlready(jvm)] };
  const isFollowed = isIn(running, NAMES.followed);
  const use = async (folder: string, inside: string): Promise<Outcome<Counted | null>> => {
    writeFileSync(join(folder, 'time.jfc'), settings.text, { flag: 'wx' });
    chmodSync(join(folder, 'time.jfc'), 0o644);
    const file = `${randomUUID()}.jfr`;
    const place = isFollowed ? '' : ` filename=${join(inside, file)} dumponexit=true`;
    const seconds = Math.max(1, Math.ceil(millis / 1_000));
    const started = await run(
      `JFR.start name=${NAMES.counting} settings=${join(inside, 'time.jfc')} path-to-gc-roots=false duration=${seconds}s${place}`,
    );
    if (started === null) return { value: null, problems };
    if (!/Started recording/.test(started)) return { value: null, problems: [refused(jvm, started)] };
    begun();
    await untilOver(jvm, 1_000 * seconds, signal);
    if (isFollowed) return { value: 'followed', problems: [] };
    const events = ['jdk.MethodTrace', 'jdk.MethodTiming'];
    const options = { names: 'normalised', events, windowMillis: WINDOW_MILLIS } as const;
    const read = await ingestInWorker(join(folder, file), options);
    // The file is nobody's to look at.
    const flaws = read.problems.map(problem => ({ ...problem, file: labelOf(jvm) }));
    return { value: { ...read, problems: flaws }, problems: [] };
  };
  return await inSharedFolder(jvm, use, { isJvms: true });
}

/** The JVM writes its file before it forgets the recording. */
async function untilOver(jvm: Jvm, millis: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + millis + WRITE_MILLIS;
  await pause(millis, null, { signal }).catch(() => diagnose(jvm, `JFR.stop name=${NAMES.counting}`));
  while (performance.now() < end && isRunning(jvm)) {
    const { value } = await diagnose(jvm, 'JFR.check');
    if (value === null || !isIn(value, NAMES.counting)) return;
    await pause(LOOK_MILLIS);
  }
}

function countsAlready(jvm: Jvm): Problem {
  const remedy = 'wait until that is over';
  return { severity: 'error', message: 'calls are being counted in it already', file: labelOf(jvm), remedy };
}

function labelOf({ pid, name }: Jvm): string {
  return `JVM ${pid} (${name})`;
}
