// The rows to pick from when the user chooses something, made from the server's answers.
import type {
  Choices,
  CompareMessage,
  EditorAnswers,
  EditorMethod,
  ImplementationsMessage,
  ImportAnswer,
  JvmsMessage,
  Location,
  RecordingMessage,
  SelectMessage,
  SlowerCallers,
  Status,
  TagsOfVersions,
} from 'insitu/protocol';
import type { Ask } from './calls.ts';
import { metricName } from './chips.ts';
import { executionGroups, placeText, spanText } from './rows.ts';
import { shortHashes, shownText } from './shown-text.ts';

/** Deeper rows of a path are not moved further: lists to pick from are narrow. */
const MOST_INDENT = 12;

/** More tasks than these are not listed. */
const MOST_TASKS = 1_000;

/** A row to pick, and what picking it means. */
export type Choice<Value> = {
  readonly label: string;
  readonly description: string;
  readonly value: Value;
  readonly picked?: boolean;
};

/** The saved tasks with their shares, whatever the focus is now. */
export async function tasksOf(ask: Ask): Promise<EditorAnswers['tasks']['rows']> {
  const answer = await ask('tasks', { focus: [], limit: MOST_TASKS });
  return answer?.rows ?? [];
}

/** Wishes for a program and version, all of it: time and instances that were chosen before are another version's. */
export function executionWish(program: string | null, version: string | null): SelectMessage {
  return { program, version, instances: null, from: null, to: null };
}

/** Versions of programs; the last row takes the wish back. */
export function versionChoices(answer: Choices): Choice<SelectMessage>[] {
  const groups = executionGroups(answer).map(({ program, version, versionName, shown, instances }) => ({
    label: `${program} ${versionName}`,
    description: `${shown ? 'shown · ' : ''}${instances.length === 1 ? '1 instance' : `${instances.length} instances`}`,
    value: executionWish(program, version),
  }));
  const back = executionWish(null, null);
  return [...groups, { label: 'What fits the commit checked out', description: 'the default', value: back }];
}

export function metricChoices({ metrics }: Choices): Choice<SelectMessage>[] {
  const known = metrics.map(({ id, unit, shown }) => ({
    label: metricName(id),
    description: [id, unit, ...(shown ? ['shown'] : [])].join(' · '),
    value: { metric: id },
  }));
  return [
    ...known,
    { label: 'The default one', description: 'cpu-time where there is one, else cpu', value: { metric: null } },
  ];
}

/** By name, one row for threads of several groups; behind a row its single threads, where their names are kept. */
export function threadChoices({ threads }: Choices): Choice<string>[] {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return sharesByName(threads).flatMap(({ name, share, rows }) => [
    { label: name, description: percent(share), value: name },
    ...sharesByName(rows.flatMap(row => row.threads ?? [])).map(single => ({
      label: single.name,
      description: `${percent(single.share)} · of ${name}`,
      value: single.name,
    })),
  ]);
}

function sharesByName<Row extends { readonly name: string; readonly share: number }>(rows: readonly Row[]) {
  return [...Map.groupBy(rows, ({ name }) => name)]
    .map(([name, own]) => ({ name, share: own.reduce((sum, row) => sum + row.share, 0), rows: own }))
    .sort((a, b) => b.share - a.share);
}

/** The row that leads to the picture of the buckets over time. */
export const OVER_TIME = 'overTime';

/** The buckets of aspects and the rest; the value is the query of the bucket's samples, null where there are none. */
export function aspectChoices({
  rows,
  rest,
}: EditorAnswers['aspects']): Choice<{ readonly query: string } | null | typeof OVER_TIME>[] {
  const buckets = [
    ...rows.map(row => ({ ...row, also: row.alsoIn.map(({ name, share }) => `${name} ${share.text}`) })),
    { ...rest, name: 'no aspect', also: [], note: null },
  ];
  return [
    ...buckets.map(({ name, share, query, threads, also, note }) => ({
      label: `${share.text}  ${name}`,
      description: [
        ...(also.length === 0 ? [] : [`also in ${also.join(', ')}`]),
        ...(threads?.types[0] === undefined
          ? []
          : [`${threads.amount} of threads, ${threads.types[0].text} ${threads.types[0].words}`]),
        ...(note === null ? [] : [note]),
      ].join(' · '),
      value: query === null ? null : { query },
    })),
    { label: 'Over time', description: 'as a picture of everything', value: OVER_TIME },
  ];
}

/** Of the program and versions that are shown. */
export function instanceChoices(answer: Choices): Choice<string>[] {
  const shownGroups = executionGroups(answer).filter(({ shown }) => shown);
  return shownGroups
    .flatMap(({ instances }) => instances)
    .map(({ instance, shown, from, to }) => ({
      label: instance,
      description: spanText(from, to),
      value: instance,
      picked: shown,
    }));
}

type Span = { readonly from: number; readonly to: number };

export function windowChoices({ windows }: Choices): Choice<Span>[] {
  return windows.map(({ from, to }) => ({
    label: spanText(from, to),
    description: `${Math.max(1, Math.round((to - from) / 1000))} s`,
    value: { from, to },
  }));
}

/** The span from the earliest to the latest of the chosen windows; null for none or all of them. */
export function spanOf(chosen: readonly Span[], all: number): Span | null {
  if (chosen.length === 0 || chosen.length === all) return null;
  return {
    from: Math.min(...chosen.map(({ from }) => from)),
    to: Math.max(...chosen.map(({ to }) => to)),
  };
}

/** The baselines to choose from; `file` stands for a recording that is asked for next. */
export function baselineChoices(answer: Choices): Choice<CompareMessage | 'file'>[] {
  const others = executionGroups(answer).filter(({ shown }) => !shown);
  const versions = others.map(({ program, version, versionName }) => ({
    label: versionName,
    description: `version of ${program}`,
    value: { version },
  }));
  // A single window is all that is shown.
  const windows = answer.windows.length < 2 ? [] : windowChoices(answer);
  return [
    ...versions,
    ...windows.map(({ label, value }) => ({ label, description: 'time of what is shown', value: { window: value } })),
    { label: 'A recording or snapshot on this machine …', description: '', value: 'file' },
    { label: 'Nothing', description: 'no arrows', value: {} },
  ];
}

/** Methods whose share moved, to go to; the value is the place. */
export function movedChoices({ rows }: EditorAnswers['moved']): Choice<EditorMethod>[] {
  return rows.map(({ method, change }) => ({
    label: `${change.text}  ${method.label}`,
    description: `${(change.baseline * 100).toFixed(1)} % to ${(change.current * 100).toFixed(1)} %`,
    detail: placeText(method),
    value: method,
  }));
}

/** The slowest first; the value is the place. */
export function slowerChoices({ rows }: SlowerCallers): Choice<EditorMethod>[] {
  return rows.map(({ method, text }) => ({
    label: `${text}  ${method.label}`,
    description: placeText(method),
    value: method,
  }));
}

/** Heaviest first; the value is the place. */
export function implementationChoices(found: ImplementationsMessage): Choice<Location>[] {
  return found.map(row => ({
    label: `${row.share.text}  ${row.label}`,
    description: placeText(row),
    value: row.location,
  }));
}

/** Classes of threads, the threads of each below it. */
export function threadRows({ rows }: EditorAnswers['threads']): Choice<null>[] {
  return rows.flatMap(({ name, group, names, share, ofItsTime, threads }) => [
    {
      label: `${(ofItsTime ?? share).text}  ${name}`,
      description: [
        `${share.count} samples`,
        ...(names > 1 ? [`${names} threads`] : []),
        ...(group === '' || group === name ? [] : [`group ${group}`]),
      ].join(' · '),
      value: null,
    },
    ...threads.map(thread => ({
      label: `\u00a0\u00a0${thread.name}`,
      description: `${thread.share.count} samples`,
      value: null,
    })),
  ]);
}

/** Which program a recording is of, where none is named: the one that is shown or set, else one called after the project. */
export function programFor({ project, executions }: Choices, { sources }: Status): string {
  const shown = executions.find(each => each.shown)?.program;
  return shown ?? sources.find(source => source.project === project)?.program ?? project;
}

/** The result of an import, in sentences. */
/** @param tags by version */
export function importText({ imported, program, version, problems }: ImportAnswer, tags: TagsOfVersions = {}): string {
  const count = imported === 1 ? '1 recording' : `${imported} recordings`;
  return [
    `imported ${count}${imported > 0 ? ` as ${shownText(program)} ${shortHashes(shownText(version), tags)}` : ''}.`,
    ...problems,
  ].join(' ');
}

/** JVMs that can be recorded, the youngest first. */
export function jvmChoices(jvms: JvmsMessage, withRecorded = false): Choice<number>[] {
  return jvms
    .filter(({ refusal, recorded }) => refusal === null && (withRecorded || !recorded))
    .sort((a, b) => b.sinceMillis - a.sinceMillis)
    .map(({ pid, name, arguments: given, sinceMillis }) => ({
      label: name,
      description: [`${pid}`, `since ${new Date(sinceMillis).toLocaleString()}`, ...(given === '' ? [] : [given])].join(
        ' · ',
      ),
      value: pid,
    }));
}

/** Why there is none to choose. */
export function noJvmText(jvms: JvmsMessage): string {
  const refused = jvms.find(({ refusal }) => refusal !== null);
  if (refused !== undefined)
    return `No JVM can be recorded; ${shownText(refused.name)} (${refused.pid}): ${refused.refusal}.`;
  return 'No JVM can be seen on the machine of the server, or all are recorded already.';
}

/** The text of the item in the status bar about recordings; null where there are none. */
export function recordingText(recordings: readonly RecordingMessage[]): { text: string; tooltip: string } | null {
  if (recordings.length === 0) return null;
  const text = recordings.length === 1 ? '$(record) rec' : `$(record) rec ${recordings.length}`;
  return { text, tooltip: [...recordings.map(each => each.text), 'Click to end.'].join('\n') };
}

/** The heaviest path, each method below its caller; the value is the place. */
export function pathChoices({ rows }: EditorAnswers['heaviestPath']): Choice<EditorMethod>[] {
  return rows.map(({ method, ofAll, self }, depth) => ({
    label: `${'\u00a0'.repeat(2 * Math.min(depth, MOST_INDENT))}${ofAll.text}  ${method.label}`,
    description: [...(self.count === 0 ? [] : [`self ${self.text}`]), placeText(method)].join(' · '),
    value: method,
  }));
}
