// The target of imported and recorded data: the configured store, or one for this session alone, under a label.

import * as v from 'valibot';
import type { SessionRecordings } from '../answering/session-recordings.ts';
import { firstNames, printableName } from '../base/printable.ts';
import { refused } from '../features/answers/answer.ts';
import { optional } from '../features/answers/vocabulary.ts';
import { EXECUTION_OF_PROJECT } from '../model/execution.ts';
import { described } from '../model/terms.ts';
import { openStore } from '../store/open-store.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';

/** Characters of a label or a name. */
const LONGEST_NAME = 100;
/** A sentence names at most so many programs. */
const MOST_PROGRAMS = 20;

const nameSchema = v.pipe(v.string(), v.regex(/\S/, 'a name'), v.maxLength(LONGEST_NAME));

export const LABEL =
  'Version of the data, for "version" and "baseline": any name, a commit, or "worktree" for the files on disk';

/** The parameters of tools that add data. */
export const TARGET = {
  program: optional(nameSchema, 'Default: the configured or only program'),
  instance: optional(nameSchema, 'Name of the JVM, for one alone; default: as it is recorded'),
  session: optional(
    v.boolean(),
    'For this session alone: nothing is stored, and the label hides a version of that name',
  ),
};

const { instance: _instance, ...withoutInstance } = EXECUTION_OF_PROJECT;

/** The fields of the answers of these tools that describe the data. */
export const ADDED = {
  ...withoutInstance,
  session: described(v.boolean(), 'Read for this session alone'),
};

export const labelSchema = nameSchema;

/** The needs that tools that add data have of the server. */
export type TargetHome = {
  /** Absolute path of the project. */
  readonly root: string;
  /** The configuration as it is now. Throws `AskFailed`. */
  readonly configuration: () => Configuration;
  readonly session: SessionRecordings;
};

/** The named program, the configured one, or the only one that has data. Rejects with `AskFailed`. */
export async function programFor(
  configuration: Configuration,
  session: SessionRecordings,
  named: string | null | undefined,
): Promise<string> {
  const known = named ?? configuration.settings.program;
  if (known !== null && known !== '') return known;
  const programs = await knownPrograms(configuration, session);
  const [only] = programs;
  if (only !== undefined && programs.length === 1) return only;
  const names = firstNames(programs.map(printableName), MOST_PROGRAMS);
  throw refused('which program was recorded?', `name it as "program"${programs.length === 0 ? '' : `: ${names}`}`);
}

/** Programs that have data, in the store or for the session. */
export async function knownPrograms(
  { store, project }: Configuration,
  session: SessionRecordings,
): Promise<readonly string[]> {
  const programs = new Set<string>();
  for (const location of [store, ...(session.store === null ? [] : [session.store])]) {
    const opened = openStore(location).value;
    const listed = opened === null ? [] : (await opened.list({ project })).value;
    for (const { execution } of listed) programs.add(execution.program);
  }
  return [...programs];
}

/** How an agent goes on with data of a label. */
export function nextSteps(label: string): readonly string[] {
  const version = JSON.stringify(label);
  return [
    `Every tool looks at it with "version": ${version}; "compare" with a "baseline" tests it against another label or version, with recordings of at least four JVMs a side.`,
  ];
}
