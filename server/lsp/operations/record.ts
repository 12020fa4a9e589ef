// Operations that record JVMs of this machine: list them, begin, and end; a recording is shown as soon as it has data.

import * as v from 'valibot';
import { momentText } from '../../base/moment-text.ts';
import { printableLine, printableName } from '../../base/printable.ts';
import type { Execution } from '../../model/execution.ts';
import { EXECUTION_NAMES } from '../../model/execution.ts';
import { decideExecution, namedByEnvironment } from '../../record/execution.ts';
import { TIERS } from '../../record/flight-settings.ts';
import { type Jvm, jvmsInTurns, refusalOf } from '../../record/jvms.ts';
import { reachOf } from '../gather.ts';
import type { JvmsMessage, RecordAnswer, RecordMessage, StopRecordingAnswer } from '../protocol.ts';
import type { Session } from '../session.ts';
import { type Asked, ask } from './about.ts';
import { tellLines } from './chosen.ts';
import { type Context, operation, WrongParameters } from './operation.ts';
import { ABOUT, integer } from './operation-parameters.ts';

/** The highest process id of Linux. */
const HIGHEST_PID = 4_194_304;
/** Arguments are cut here where a person chooses: questions have one line for each. */
const LONGEST_ARGUMENTS = 60;

export const pid = integer(1, HIGHEST_PID);

export const jvms = operation({
  name: 'jvms',
  parameters: {},
  answer: async (context): Promise<JvmsMessage> => {
    const { recordings } = context.session;
    return (await jvmsOf(context)).map(jvm => ({
      pid: jvm.pid,
      name: jvm.name,
      arguments: jvm.args,
      sinceMillis: jvm.sinceMillis,
      javaVersion: jvm.javaVersion,
      refusal: refusalOf(jvm),
      recorded: recordings.has(jvm.pid),
    }));
  },
  show: ({ session }, rows) =>
    session.pages.show({
      file: 'jvms',
      title: 'JVMs of this machine',
      intro: [],
      head: ['process', 'Java', 'since', 'recorded', 'program and arguments'],
      rows: rows.map(jvm => ({
        cells: [
          `${jvm.pid}`,
          jvm.javaVersion,
          momentText(jvm.sinceMillis),
          jvm.recorded ? 'recorded' : (jvm.refusal ?? ''),
        ],
        name: `${jvm.name} ${jvm.arguments}`.trim(),
        place: null,
      })),
      whenEmpty: NO_JVM,
    }),
});

export const record = operation({
  name: 'record',
  parameters: {
    ...ABOUT,
    pid: v.nullish(pid),
    tier: v.nullish(v.picklist(TIERS)),
    program: EXECUTION_NAMES.program,
    version: EXECUTION_NAMES.version,
  },
  answer: async (context, wish): Promise<RecordAnswer> => {
    const { session } = context;
    const isFree = (each: Jvm) => !session.recordings.has(each.pid);
    const jvm = await askedJvm(context, wish.pid, { question: 'which JVM is to be recorded?', isFree });
    if (typeof jvm === 'string') return { recording: null, problems: [jvm] };
    const { pid } = jvm;
    const refusal = session.recordings.has(pid) ? 'it is recorded already' : refusalOf(jvm);
    if (refusal !== null) return { recording: null, problems: [`JVM ${pid} (${printableName(jvm.name)}): ${refusal}`] };
    const asked = await ask(context, wish);
    const { execution, store, folder } = placeOf(session, asked, jvm, wish);
    // Another request may have started a recording while the data were waited for.
    if (session.recordings.has(pid)) return { recording: null, problems: [`JVM ${pid} is recorded already`] };
    const started = await session.recordings.start({ jvm, tier: wish.tier ?? 'standard', execution, store, folder });
    if (started.recording === null)
      return { recording: null, problems: [started.problem ?? 'it could not be recorded'] };
    showProgress(session, jvm);
    void showRecorded(session, asked.uri, pid, execution);
    return { recording: started.recording, problems: [] };
  },
  show: ({ session }, { recording, problems }) =>
    tellLines(session, [...(recording === null ? [] : [recording.text]), ...problems]),
});

export const stopRecording = operation({
  name: 'stopRecording',
  parameters: { pid: v.nullish(pid), back: v.nullish(v.boolean()) },
  answer: async (context, { pid, back }): Promise<StopRecordingAnswer> => {
    const { session } = context;
    const { recordings } = session;
    const running = recordings.list();
    if (pid !== undefined && !recordings.has(pid) && back !== true)
      throw new WrongParameters(`"pid" ${pid} is not being recorded from here`);
    const chosen = pid ?? (context.asksPerson && running.length > 1 ? await chosenRecording(session) : undefined);
    const ending = chosen === null ? [] : running.filter(each => chosen === undefined || each.pid === chosen);
    const problems = await Promise.all(ending.map(each => recordings.stop(each.pid)));
    const { before } = recordings;
    if (back === true && before !== null) {
      recordings.before = null;
      session.choose(before.uri, before.choice);
    }
    return { stopped: ending.length, problems: problems.filter(problem => problem !== null) };
  },
  show: ({ session }, { stopped, problems }) =>
    tellLines(session, [`${stopped} recording${stopped === 1 ? '' : 's'} ended`, ...problems]),
});

function jvmsOf({ session, token }: Context): Promise<readonly Jvm[]> {
  return jvmsInTurns(reachOf(session, token).turn);
}

const NO_JVM =
  'No JVM of this machine can be seen from here; start one, or run insitu on the machine where it runs (Linux).';

type JvmChoice = { readonly question: string; readonly isFree?: (jvm: Jvm) => boolean };

/** The JVM of a process, or the one that a person picks; a sentence where nothing is picked, or there is none to pick. */
export async function askedJvm(
  context: Context,
  pid: number | undefined,
  { question, isFree = () => true }: JvmChoice,
): Promise<Jvm | string> {
  if (pid === undefined && !context.asksPerson)
    throw new WrongParameters('"pid" is missing: which JVM? insitu/jvms lists them');
  const all = await jvmsOf(context);
  if (pid !== undefined) {
    const jvm = all.find(each => each.pid === pid);
    if (jvm === undefined) throw new WrongParameters(`"pid" ${pid} is no JVM of this machine, or has ended`);
    return jvm;
  }
  const free = all.filter(jvm => refusalOf(jvm) === null && isFree(jvm));
  if (free.length === 0)
    return all.length === 0 ? NO_JVM : 'no JVM of this machine can be recorded (insitu.jvms says why)';
  // The youngest first: questions offer only a few.
  const offers = free.sort((a, b) => b.sinceMillis - a.sinceMillis).map(jvm => ({ title: offerOf(jvm), value: jvm }));
  return (await context.session.pages.choose(question, offers)) ?? 'nothing was chosen';
}

function offerOf({ pid, name, args, sinceMillis }: Jvm): string {
  const given = args.length > LONGEST_ARGUMENTS ? `${args.slice(0, LONGEST_ARGUMENTS)}…` : args;
  return printableLine([`${name} ${given}`.trim(), pid, `since ${momentText(sinceMillis)}`].join(' · '));
}

/** The execution and the store to record to: as the command line decides them; a part without a name is that of the data on screen. */
export function placeOf(
  session: Session,
  { uri, data, wanted }: Asked,
  jvm: Jvm,
  wish: Partial<RecordMessage>,
): { readonly execution: Execution; readonly store: string; readonly folder: string } {
  const configuration = session.workspace.view().configuration(uri);
  if (configuration === null) throw new WrongParameters('no folder is open whose project this could belong to');
  const { settings, store, project, root: folder } = configuration;
  const versions = new Set(data?.provenance.executions.map(({ version }) => version));
  const { execution } = decideExecution(jvm, {
    flags: { project, program: wish.program, version: wish.version },
    environment: namedByEnvironment(process.env),
    file: {
      program: wanted?.source.wish.program ?? settings.program ?? undefined,
      version: settings.version ?? undefined,
    },
    folder: project,
    shown: { program: data?.provenance.program, version: versions.size === 1 ? [...versions][0] : undefined },
  });
  return { execution, store, folder };
}

/** Where the client shows nothing of ours, that it goes on, and a way to end it. */
function showProgress(session: Session, { pid, name }: Jvm): void {
  const end = session.recordings.endOf(pid);
  if (session.features.takesNotifications || end === null) return;
  const progress = session.beginProgress(
    `insitu: recording ${printableName(name)}`,
    () => void session.recordings.stop(pid),
  );
  end.addEventListener('abort', () => progress.end());
}

/** The user who records something wants to see it; the earlier choice is kept to go back to. */
async function showRecorded(session: Session, uri: string | null, pid: number, execution: Execution): Promise<void> {
  if (!(await session.recordings.hasData(pid))) return;
  const before = session.workspace.view().choice(uri);
  session.recordings.before ??= { uri, choice: before };
  const { from: _from, to: _to, ...choice } = before;
  const { program, version, instance } = execution;
  session.choose(uri, { ...choice, program, version, instances: [instance] });
}

function chosenRecording(session: Session): Promise<number | null> {
  const offers = session.recordings.list().map(({ pid, text }) => ({ title: text, value: pid }));
  return session.pages.choose('which recording is to end?', offers);
}
