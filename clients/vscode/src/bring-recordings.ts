// Commands that bring recordings in: files that are imported or compared with, and JVMs that are recorded.
import type {
  Choices,
  CompareMessage,
  CountCallsAnswer,
  ImportAnswer,
  ImportMessage,
  JvmsMessage,
  RecordAnswer,
  SelectMessage,
  Status,
  Subject,
} from 'insitu/protocol';
import * as vscode from 'vscode';
import type { Ask } from './calls.ts';
import { shownSource } from './chips.ts';
import { importText, jvmChoices, noJvmText, programFor } from './choices.ts';
import { withTitles } from './no-data.ts';
import { confirm, inform, warn } from './notices.ts';
import { pick, tell } from './picking.ts';

/** Ends of names of what can be read; anything else may be chosen too. */
const RECORDINGS = {
  Recordings: [
    ...['jfr', 'cct', 'collapsed', 'folded', 'pb', 'pprof', 'tdump', 'dat', 'txt', 'json', 'jsons'],
    ...['gz', 'zst', 'zip', 'log'],
  ],
  'All files': ['*'],
};

export async function recordingWish(): Promise<CompareMessage | null> {
  const files = await vscode.window.showOpenDialog({
    title: 'Compare with a recording or snapshot',
    openLabel: 'Compare',
    filters: RECORDINGS,
  });
  const file = files?.[0];
  return file === undefined ? null : { file: file.fsPath };
}

type Importing = {
  readonly ask: Ask;
  readonly select: (wish: SelectMessage) => Promise<void>;
  readonly compareWith: (wish: CompareMessage) => Promise<void>;
};

export async function importRecording({ ask, select, compareWith }: Importing): Promise<void> {
  const files = await vscode.window.showOpenDialog({
    title: 'Recordings to import',
    canSelectMany: true,
    openLabel: 'Import',
    filters: RECORDINGS,
  });
  if (files === undefined || files.length === 0) return;
  const [known, status] = [await ask<Choices>('choices', {}), await ask<Status>('status', {})];
  if (known === null || status === null) return;
  const program = await vscode.window.showInputBox({
    title: 'Program that was recorded',
    value: programFor(known, status),
    prompt: 'A service, a job: one thing that runs.',
    validateInput: text => (text.trim() === '' ? 'Every recording is of a program.' : null),
  });
  if (program === undefined) return;
  const version = await vscode.window.showInputBox({
    title: 'Version that was recorded',
    prompt:
      'A tag or commit of the project. Empty: what "version" in the settings says, else the commit that is checked out.',
  });
  if (version === undefined) return;
  const wish: ImportMessage = {
    files: files.map(({ fsPath }) => fsPath),
    program: program.trim(),
    ...(version.trim() === '' ? {} : { version: version.trim() }),
  };
  const answer = await ask<ImportAnswer>('importRecording', wish);
  if (answer === null) return;
  const tags = shownSource(await ask<Status>('status', {}))?.tags;
  const said = withTitles(`insitu: ${importText(answer, tags)}`);
  const { imported, program: of, version: as } = answer;
  const buttons = imported === 0 ? [] : [SHOW, COMPARE];
  const chosen = await (answer.problems.length > 0 ? warn(said, ...buttons) : inform(said, ...buttons));
  if (chosen === SHOW) await select({ program: of, version: as });
  else if (chosen === COMPARE) await compareWith({ version: as });
}

const SHOW = 'Show';
const COMPARE = 'Compare with it';

/** Records one of the JVMs beside the server; what it records is shown as it comes. */
export async function record(ask: Ask): Promise<void> {
  const pid = await pickedJvm(ask, 'Record a JVM', false);
  const answer = pid && (await ask<RecordAnswer>('record', { pid }));
  if (answer) tell(answer.problems);
}

/** Counts the calls of a method for a minute, once the user knows what that costs. The server tells what came of it. */
export async function countCalls(ask: Ask, subject: Subject): Promise<void> {
  const pid = await pickedJvm(ask, 'Count calls in a JVM', true);
  if (pid === null) return;
  const cost = 'Each call takes about 75 ns longer while its calls are counted: for 60 seconds.';
  const answered = await confirm(cost, COUNT);
  const answer = answered === COUNT && (await ask<CountCallsAnswer>('countCalls', { ...subject, pid }));
  if (answer) tell([...(answer.text === null ? [] : [`${answer.text}.`]), ...answer.problems]);
}

const COUNT = 'Count';

async function pickedJvm(ask: Ask, title: string, withRecorded: boolean): Promise<number | null> {
  const jvms = await ask<JvmsMessage>('jvms', {});
  if (jvms === null) return null;
  const choices = jvmChoices(jvms, withRecorded);
  if (choices.length > 0) return (await pick(title, choices))?.value ?? null;
  tell([noJvmText(jvms)]);
  return null;
}
