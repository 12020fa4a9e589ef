// The table of answers as operations: one adapter for the requests and commands of all of them.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { AskFailed } from '../../analysis/ask.ts';
import type { Baseline } from '../../analysis/baseline.ts';
import { completeChosen } from '../../answering/chosen-data.ts';
import { type AnswersHome, StoredAnswers } from '../../answering/stored-answers.ts';
import { NOTHING_RECORDED } from '../../base/problem.ts';
import { type Answer, type AnswerContext, NothingThere, refused } from '../../features/answers/answer.ts';
import { type Data, isData } from '../../features/answers/answer-text.ts';
import { checked } from '../../features/answers/checked.ts';
import { pathOfUri } from '../../mapping/file-uris.ts';
import { typeCalled } from '../../mapping/source-index.ts';
import { givenMethodNameSchema } from '../../model/document-terms.ts';
import { describeBaseline } from '../../workspace/data/choice.ts';
import { sourceKey } from '../../workspace/data/source.ts';
import type { Configuration } from '../../workspace/settings/configuration.ts';
import { reachOf } from '../gather.ts';
import type { Session } from '../session.ts';
import { type Asked, ask, askCompared, hasData, placesOf } from './about.ts';
import { forEditors } from './answer-for-editors.ts';
import { answerPage } from './answer-page.ts';
import { type Context, type Operation, refusal, titleAt } from './operation.ts';
import { ABOUT, SUBJECT } from './operation-parameters.ts';

/** A place is found only as far as the sources are indexed by then. */
const INDEX_MILLIS = 1_000;
/** Parameters that choose other data than those shown. */
const CHOOSING = ['program', 'version', 'instances', 'from', 'to'];

export function answerOperation(answer: Answer): Operation {
  const { name } = answer;
  return {
    name,
    commandOnly: false,
    run: async (session, given, door, token) => {
      const title = titleAt(door, name);
      const { about, parameters } = readGiven(title, answer, given);
      const context = { session, token, asksPerson: door === 'command' && about.quiet !== true };
      const { value, problems } = checked(answer.parameters, parameters);
      if (value === null) throw refusal(title, problems);
      const found = await answered(context, title, answer, { about, value });
      if (context.asksPerson && !token.isCancellationRequested) {
        if ('missing' in found) session.pages.tell(`insitu: ${found.missing}`);
        else await session.pages.show(answerPage(answer, found.answer));
      }
      return 'missing' in found ? null : found.answer;
    },
  };
}

/** Parameters of every operation of an answer, in addition to the answer's own. */
const ABOUT_PLACE = v.object({ ...ABOUT, position: SUBJECT.position, quiet: v.nullish(v.boolean()) });
type GivenAbout = v.InferOutput<typeof ABOUT_PLACE>;

/** The place of a document stands for the parameters `method` and `file`; names of a method for its text. */
function readGiven(title: string, answer: Answer, given: unknown): { about: GivenAbout; parameters: unknown } {
  if (!isData(given)) return { about: {}, parameters: given };
  const { textDocument, position, quiet, ...others } = given;
  const { value: about, problems } = checked(ABOUT_PLACE, { textDocument, position, quiet });
  if (about === null) throw refusal(title, problems);
  const parameters = { ...others };
  if (isData(others.method)) parameters.method = methodText(title, others.method);
  const uri = about.textDocument?.uri ?? null;
  // A document that is no file of this machine has only an address.
  const place = uri === null ? null : (pathOfUri(uri) ?? uri);
  if (place !== null && takes(answer, 'file')) parameters.file ??= place;
  if (place !== null && about.position != null && takes(answer, 'method'))
    parameters.method ??= `${place}:${about.position.line + 1}:${about.position.character + 1}`;
  return { about, parameters };
}

function methodText(title: string, given: Data): string {
  const { value, problems } = checked(givenMethodNameSchema, given);
  if (value === null) throw refusal(title, problems);
  const { className, name, descriptor } = value;
  return `${className === '' ? '' : `${className}.`}${name}${descriptor ?? ''}`;
}

function takes({ parameters }: Answer, name: string): boolean {
  return 'entries' in parameters && Object.hasOwn(Object(parameters.entries), name);
}

type Wanted = { readonly about: GivenAbout; readonly value: Record<string, unknown> };

/** `missing`: there are no data, or nothing that ran stands at the place that was given. */
async function answered(
  context: Context,
  title: string,
  answer: Answer,
  { about, value }: Wanted,
): Promise<{ readonly answer: Data } | { readonly missing: string }> {
  const { session } = context;
  const compares = takes(answer, 'baseline') && value.baseline == null;
  const of = about.textDocument == null ? {} : { textDocument: about.textDocument };
  const asked = await (compares ? askCompared : ask)(context, of);
  const isChosen = CHOOSING.some(name => value[name] != null);
  if (!hasData(asked) && !isChosen && takes(answer, 'metric'))
    return { missing: `${NOTHING_RECORDED.message}; ${NOTHING_RECORDED.remedy}` };
  // Paths of answers are relative to the first folder.
  const root = session.workspace.view().folders[0] ?? '';
  try {
    const found = await answer.answer(answersIn(context, asked, root), value);
    return { answer: forEditors(found, root) };
  } catch (error) {
    if (error instanceof NothingThere && about.position != null)
      return { missing: 'no method at this place was seen running' };
    if (error instanceof AskFailed) throw refusal(title, error.problems);
    throw error;
  }
}

/** Answers from unsaved texts and the data on screen. */
function answersIn(context: Context, asked: Asked, root: string): AnswerContext {
  const { session, token } = context;
  const view = session.workspace.view();
  const configuration = view.configuration(asked.uri);
  if (configuration === null) throw refused('no folder is open', 'open the folder of a project');
  return new StoredAnswers({
    ...homeOf(session, configuration),
    ...{ choice: view.choice(asked.uri), reach: reachOf(session, token) },
    ...(asked.data && { usual: asked.data }),
    ...(asked.uri !== null && { about: pathOfUri(asked.uri) }),
    baseline: asked.wanted?.baseline?.wish ?? null,
    compared: data => (data === asked.data ? shownBaseline(asked) : null),
    places: (data, rows) => {
      const document = data === asked.data ? asked.document : null;
      return placesOf(context, { ...asked, data, document }, { rows, root });
    },
  });
}

/** Null without a baseline. Methods are paired by their names until git knows the renames. */
function shownBaseline({ wanted }: Asked): Baseline | null {
  if (wanted === null || wanted.baseline === null) return null;
  const { compared, wish } = wanted.baseline;
  if (compared === null) throw refused(`${describeBaseline(wish)} has not been read yet`, 'ask again in some seconds');
  return compared;
}

/** Settings, sources with their unsaved texts, and what is loaded or can be. */
export function homeOf(
  session: Session,
  configuration: Configuration,
): Omit<AnswersHome, 'choice' | 'reach' | 'shown'> {
  const { workspace } = session;
  const { files } = workspace;
  const root = workspace.view().folders[0] ?? configuration.root;
  return {
    ...{ configuration, root, reader: 'editor' },
    load: async (source, metric) => {
      const key = sourceKey(source);
      const shown = workspace.view().loads.find(load => load.key === key)?.state?.data;
      if (shown != null && (metric === undefined || shown.metric.id === metric)) return shown;
      return completeChosen((await session.load(source)) ?? { value: null, problems: [] }, metric);
    },
    viewed: (path, data) => {
      const view = workspace.view();
      const document = view.document(path) ?? view.document(pathToFileURL(resolve(root, path)).href);
      return document?.state.data === data ? document : null;
    },
    mayRead: path => files.mayRead(path),
    textOf: path => files.file(path)?.text ?? null,
    fileOf: async className => {
      files.begin();
      await files.whenComplete(INDEX_MILLIS);
      await files.fetch([className]);
      return files.filesOfClass(className)[0]?.path ?? null;
    },
    filesOf: async className => {
      files.begin();
      await files.whenComplete(INDEX_MILLIS);
      await files.fetch([className]);
      return files.filesOfClass(className).flatMap(({ path }) => path ?? []);
    },
    typeCalled: async name => {
      files.begin();
      await files.whenComplete(INDEX_MILLIS);
      return typeCalled(files.indexed(), name);
    },
  };
}
