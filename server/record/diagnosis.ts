// Tells what a recorder would do with one JVM, without doing it.
import type { Problem } from '../base/problem.ts';
import type { Execution } from '../model/execution.ts';
import { diagnose } from './attach.ts';
import { type DecidedExecution, decideExecution, type ExecutionSources } from './execution.ts';
import { askVersion, findRecording, majorOf } from './flight-recording.ts';
import type { FlightSettings } from './flight-settings.ts';
import { type Jvm, OLDEST } from './jvms.ts';

/** A JVM as a recorder would see it. */
export type JvmReport = {
  readonly pid: number;
  readonly name: string;
  /** `17.0.15`; empty where the JVM does not tell. */
  readonly version: string;
  readonly sinceMillis: number;
  /** One sentence: what would be followed. */
  readonly recording: string;
  readonly execution: Execution;
  readonly reasons: DecidedExecution['reasons'];
  readonly problems: readonly Problem[];
};

/** Attaches to the JVM and asks it; starts nothing. */
export async function diagnoseJvm(jvm: Jvm, sources: ExecutionSources, settings: FlightSettings): Promise<JvmReport> {
  const { value: found, problems } = await findRecording(jvm, settings, false);
  const all: Problem[] = [...problems];
  const note = (severity: Problem['severity'], message: string, remedy: string) =>
    all.push({ severity, message, file: `JVM ${jvm.pid} (${jvm.name})`, remedy });
  const isReached = !problems.some(({ severity }) => severity === 'error');
  const version = found?.version || jvm.javaVersion || (isReached ? await askVersion(jvm) : '');
  if (isReached) {
    const { value: flags } = await diagnose(jvm, 'VM.flags -all');
    if (/DebugNonSafepoints\s*=\s*false/.test(flags ?? '')) {
      const remedy = 'start it with -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints';
      note('info', 'lines of inlined code are approximate', remedy);
    }
    const { value: configuration } = await diagnose(jvm, 'JFR.configure');
    const depth = Number(/^Stack depth: (\d+)/m.exec(configuration ?? '')?.[1] ?? 0);
    if (found !== null && !found.isOurs && depth > 0 && depth < 256) {
      note('info', `stacks are cut off at ${depth} frames`, 'start it with -XX:FlightRecorderOptions=stackdepth=512');
    }
  }
  const major = majorOf(version);
  if (major >= OLDEST && major < 14) {
    note(
      'info',
      'it writes nothing that can be followed: what it did is read once a window, and lost when it is killed before',
      'use JDK 17 or newer for live hints, or a shorter --interval',
    );
  }
  const decided = decideExecution(jvm, sources);
  if (decided.execution.version === 'unknown') {
    note(
      'warning',
      'nothing tells its version, so that its code cannot be found in git',
      'start it with -Dinsitu.version=<tag or commit>',
    );
  }
  const { pid, name, sinceMillis } = jvm;
  const recording = !isReached
    ? 'cannot be recorded'
    : found === null
      ? `a recording with the settings ${settings.name} would be started`
      : found.isOurs
        ? `our recording runs, in ${found.repository}`
        : `its own recording would be followed, in ${found.repository}`;
  return { pid, name, version, sinceMillis, recording, ...decided, problems: all };
}
