// The tool `recordings`: lists the running JVMs, and records one for a while or counts calls in it, once the user has agreed.

import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { AskFailed, reachInTurns } from '../analysis/ask.ts';
import { isoTime } from '../base/moment-text.ts';
import { Cancelled } from '../base/pause.ts';
import { printableName } from '../base/printable.ts';
import type { Problem } from '../base/problem.ts';
import { makeProcessFolder } from '../base/process-folder.ts';
import { refused } from '../features/answers/answer.ts';
import { optional, problemsOf } from '../features/answers/vocabulary.ts';
import { costText, MOST_COUNTED } from '../features/countable.ts';
import { EXECUTION, type Execution } from '../model/execution.ts';
import { described, problemsSchema } from '../model/terms.ts';
import { decideExecution, namedByEnvironment } from '../record/execution.ts';
import { type Jvm, jvmsInTurns, refusalOf } from '../record/jvms.ts';
import { RecorderProcess } from '../record/recorder-process.ts';
import { ADDED, knownPrograms, LABEL, labelSchema, nextSteps, TARGET, type TargetHome } from './target.ts';
import type { Tool } from './tool.ts';

const SECONDS = 30;
const MOST_SECONDS = 600;
/** To attach to a JVM that swaps takes long. */
const LONGEST_START_MILLIS = 30_000;
/** After the time is over, a JVM takes at most so long to write its counts. */
const LONGEST_END_MILLIS = 30_000;

const parameters = v.strictObject({
  pid: optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 'Process of the JVM; without it the JVMs are listed'),
  label: optional(labelSchema, LABEL),
  seconds: optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_SECONDS)),
    `How long; default ${SECONDS}`,
  ),
  methods: optional(
    v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MOST_COUNTED)),
    'Count and time the calls of these methods (JDK 25) in place of samples',
  ),
  agreed: optional(v.boolean(), 'The user has agreed to what the refusal without it asks'),
  ...TARGET,
});

const result = v.object({
  recorded: v.nullable(v.object({ ...ADDED, instance: EXECUTION.instance, seconds: v.number() })),
  counted: described(v.array(v.object({ method: v.string(), times: v.string() })), 'How long calls of each took'),
  problems: problemsSchema,
  jvms: v.exactOptional(
    v.array(
      v.object({
        pid: v.number(),
        name: v.string(),
        java: v.string(),
        since: v.string(),
        program: described(v.string(), 'As its data are called'),
        refusal: described(v.nullable(v.string()), 'Why it cannot be recorded'),
      }),
    ),
  ),
  advice: v.array(v.string()),
});

type Given = v.InferOutput<typeof parameters>;

export function recordTool(home: TargetHome): Tool {
  const busy = new Set<number>();
  return {
    name: 'recordings',
    title: 'Recordings of running JVMs',
    description:
      'Lists the running JVMs; with "pid" records one for some seconds, or counts calls in it, under a label.',
    parameters,
    result,
    writes: true,
    runsBeside: true,
    async answer(given, signal) {
      const wish = v.parse(parameters, given);
      const jvms = await jvmsInTurns(reachInTurns(signal).turn);
      if (wish.pid == null) return await listOfJvms(jvms, home);
      const jvm = jvms.find(({ pid }) => pid === wish.pid);
      if (jvm === undefined)
        throw refused(`no JVM ${wish.pid} runs here`, 'call "recordings" without "pid": it lists the JVMs');
      if (busy.has(jvm.pid)) throw refused(`${nameOf(jvm)} is being recorded`, 'wait until that is over');
      busy.add(jvm.pid);
      try {
        return await recorded(jvm, wish, home, signal);
      } finally {
        busy.delete(jvm.pid);
      }
    },
  };
}

async function listOfJvms(jvms: readonly Jvm[], home: TargetHome) {
  const executions = await Promise.all(jvms.map(jvm => executionOf(jvm, {}, home)));
  const rows = jvms.map((jvm, at) => ({
    ...{ pid: jvm.pid, name: jvm.name, java: jvm.javaVersion, since: isoTime(jvm.sinceMillis) ?? '' },
    ...{ program: executions[at]!.program, refusal: refusalOf(jvm) },
  }));
  return {
    ...{ recorded: null, counted: [], problems: [] },
    jvms: rows,
    advice: [
      rows.length === 0
        ? 'No JVM of this machine can be seen from here.'
        : '"pid" and "label" record one of them; ask the user first.',
    ],
  };
}

/** The execution that the command line would store the JVM under, with the label as its version. */
async function executionOf(
  jvm: Jvm,
  { label, program, instance }: Partial<Pick<Given, 'label' | 'program' | 'instance'>>,
  { configuration, session }: TargetHome,
): Promise<Execution> {
  const current = configuration();
  const { project, settings } = current;
  const [only, ...others] = await knownPrograms(current, session);
  const named = program ?? settings.program ?? (others.length === 0 ? only : undefined);
  const flags = { project, program: named ?? undefined, version: label ?? undefined, instance: instance ?? undefined };
  return decideExecution(jvm, { flags, environment: namedByEnvironment(process.env), file: {}, folder: project })
    .execution;
}

async function recorded(jvm: Jvm, wish: Given, home: TargetHome, signal: AbortSignal) {
  const { label, methods, agreed, session: isForSession } = wish;
  const seconds = wish.seconds ?? SECONDS;
  const refusal = refusalOf(jvm);
  if (refusal !== null) throw refused(`${nameOf(jvm)}: ${refusal}`, 'name another "pid"');
  if (label == null) throw refused('the data need a name', 'give a "label"');
  // All faces ask in these words.
  const question =
    methods == null
      ? `record ${nameOf(jvm)} for ${seconds} s? It is sampled every 10 ms meanwhile, and nothing is installed in it`
      : costText(methods, seconds, false);
  if (agreed !== true)
    throw refused(
      `nobody has agreed: ${question}`,
      'ask your user in these words, then repeat the call with "agreed": true',
    );
  const execution = await executionOf(jvm, wish, home);
  const { project, program, version, instance } = execution;
  // Only methods with samples are counted: the counts go where the samples are.
  const isInSession = methods == null ? isForSession === true : home.session.has(program, version);
  const store = isInSession ? home.session.open() : home.configuration().store;
  const place = ['--project', project, '--program', program, '--version', version, '--instance', instance];
  const which = ['--store', store, ...place, '--pid', String(jvm.pid)];
  const spool = makeProcessFolder('spool');
  try {
    const command: [string, ...string[]] =
      methods == null
        ? ['record', ...which, '--spool', spool]
        : ['count', '--yes', ...which, '--for', `${seconds}s`, ...methods];
    const millis = 1_000 * seconds + (methods == null ? 0 : LONGEST_END_MILLIS);
    const { stored, counted, problems } = await run(command, millis, home.root, signal);
    if (signal.aborted) throw new Cancelled();
    if (stored === 0 && !problems.includes(FOLLOWED)) throw new AskFailed(problems.length > 0 ? problems : [NOTHING]);
    if (isInSession) home.session.add(program, version);
    return {
      recorded: { program, version, instance, session: isInSession, seconds },
      ...{ counted, problems: problemsOf(problems) },
      advice: nextSteps(version),
    };
  } finally {
    rmSync(spool, { recursive: true, force: true });
  }
}

const NOTHING: Problem = {
  severity: 'error',
  message: 'nothing was recorded',
  remedy: 'record for longer ("seconds"), or while there is load',
};

const FOLLOWED: Problem = {
  severity: 'info',
  message: 'the recorder that follows the JVM stores the calls with its next window',
};

/** The outcome of a process that recorded. */
type Run = {
  /** The number of snapshots. */
  readonly stored: number;
  readonly counted: readonly { readonly method: string; readonly times: string }[];
  readonly problems: readonly Problem[];
};

/** Runs a recorder until it has ended or, so long after it began, is let go; sooner when `signal` aborts. */
async function run(
  [command, ...args]: readonly [string, ...string[]],
  millis: number,
  folder: string,
  signal: AbortSignal,
): Promise<Run> {
  const problems: Problem[] = [];
  const counted: { method: string; times: string }[] = [];
  let stored = 0;
  const begun = Promise.withResolvers<void>();
  const over = new AbortController();
  const recorder = new RecorderProcess([command, ...args], folder, {
    event: event => {
      if (event.kind === 'following' || event.kind === 'counting') begun.resolve();
      if (event.kind === 'stored') stored += 1;
      if (event.kind === 'followed') problems.push(FOLLOWED);
      if (event.kind === 'counted') counted.push(...event.rows);
      if (event.kind === 'problem' && event.problem.severity !== 'info') problems.push(event.problem);
      if (event.kind === 'left') over.abort();
    },
    ended: reason => {
      if (reason !== '' && problems.length === 0) problems.push({ severity: 'error', message: reason });
      begun.resolve();
      over.abort();
    },
  });
  const early = AbortSignal.any([over.signal, signal]);
  await Promise.race([begun.promise, pause(LONGEST_START_MILLIS, null, { signal: early }).catch(() => undefined)]);
  await pause(millis, null, { signal: early }).catch(() => undefined);
  await recorder.stop();
  return { stored, counted, problems };
}

function nameOf({ pid, name }: Jvm): string {
  return `JVM ${pid} (${printableName(name)})`;
}
