// The table of answers as operations: one adapter for the requests and commands of all of them.

import * as v from 'valibot';
import type { CancellationToken } from 'vscode-languageserver/node';
import { AskFailed } from '../../analysis/ask.ts';
import { completeChosen } from '../../answering/chosen-data.ts';
import { type AnswersHome, StoredAnswers } from '../../answering/stored-answers.ts';
import { formatProblem, type Problem } from '../../base/problem.ts';
import { type Answer, type AnswerContext, refused } from '../../features/answers/answer.ts';
import { ANSWERS } from '../../features/answers/answer-table.ts';
import { type Data, factLines, isData, isRows, originText, tableOf } from '../../features/answers/answer-text.ts';
import { checked } from '../../features/answers/checked.ts';
import { typeCalled } from '../../mapping/source-index.ts';
import { sourceKey } from '../../workspace/data/source.ts';
import type { Configuration } from '../../workspace/settings/configuration.ts';
import { reachOf } from '../gather.ts';
import type { Session } from '../session.ts';
import type { Page } from '../showing/page-text.ts';
import { ask } from './about.ts';
import { type Operation, WrongParameters } from './operation.ts';

/** A place is found only as far as the sources are indexed by then. */
const INDEX_MILLIS = 1_000;

export function answerOperation(answer: Answer): Operation {
  const { name } = answer;
  return {
    name,
    commandOnly: false,
    run: async (session, given, door, token) => {
      const refusal = (problems: readonly Problem[]) =>
        new WrongParameters(
          `${door === 'command' ? 'insitu.' : 'insitu/'}${name}: ${problems.map(formatProblem).join('; ')}`,
        );
      const { quiet, others } = withoutQuiet(given);
      const { value, problems } = checked(answer.parameters, others);
      if (value === null) throw refusal(problems);
      try {
        const answered = await inTime(token, async signal =>
          answer.answer(await answersIn(session, token), value, signal),
        );
        if (door === 'command' && quiet !== true && !token.isCancellationRequested)
          await session.pages.show(pageOf(answer, answered));
        return answered;
      } catch (error) {
        if (error instanceof AskFailed) throw refusal(error.problems);
        throw error;
      }
    },
  };
}

/** Gives any answer by its name: also the answers whose names are those of operations that begin at a position. */
export const askAnswer: Operation = {
  name: 'ask',
  commandOnly: false,
  run: async (session, given, door, token) => {
    const { value, problems } = checked(ASKED, given ?? {});
    if (value === null)
      throw new WrongParameters(
        `${door === 'command' ? 'insitu.' : 'insitu/'}ask: ${problems.map(formatProblem).join('; ')}`,
      );
    const { answer: name, parameters, quiet } = value;
    const answer = ANSWERS.find(each => each.name === name)!;
    return answerOperation(answer).run(session, { ...parameters, ...(quiet != null && { quiet }) }, door, token);
  },
};

const ASKED = v.strictObject({
  answer: v.picklist(ANSWERS.map(({ name }) => name)),
  parameters: v.nullish(v.record(v.string(), v.unknown())),
  quiet: v.nullish(v.boolean()),
});

/** `quiet` is a parameter of every operation. */
function withoutQuiet(given: unknown): { readonly quiet?: unknown; readonly others: unknown } {
  if (!isData(given)) return { others: given };
  const { quiet, ...others } = given;
  return { quiet, others };
}

async function inTime<T>(token: CancellationToken, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const listener = token.onCancellationRequested(() => stop.abort());
  try {
    return await work(stop.signal);
  } finally {
    listener.dispose();
  }
}

/** The context over the first folder of the workspace, with unsaved texts and what the user looks at. */
async function answersIn(session: Session, token: CancellationToken): Promise<AnswerContext> {
  const { workspace } = session;
  await ask({ session, token, asksPerson: false }, {});
  const view = workspace.view();
  const configuration = view.configuration(null);
  if (configuration === null) throw refused('no folder is open', 'open the folder of a project');
  return new StoredAnswers({
    ...homeOf(session, configuration),
    ...{ choice: view.choice(null), reach: reachOf(session, token) },
  });
}

/** Settings, sources with their unsaved texts, and what is loaded or can be. */
export function homeOf(
  session: Session,
  configuration: Configuration,
): Omit<AnswersHome, 'choice' | 'reach' | 'shown'> {
  const { workspace } = session;
  const { files } = workspace;
  return {
    ...{ configuration, root: workspace.view().folders[0] ?? configuration.root },
    load: async (source, metric) => {
      const key = sourceKey(source);
      const shown = workspace.view().loads.find(load => load.key === key)?.state?.data;
      if (shown != null && (metric === undefined || shown.metric.id === metric)) return shown;
      return completeChosen((await session.load(source)) ?? { value: null, problems: [] }, metric);
    },
    textOf: path => files.file(path)?.text ?? null,
    fileOf: async className => {
      files.begin();
      await files.whenComplete(INDEX_MILLIS);
      await files.fetch([className]);
      return files.filesOfClass(className)[0]?.path ?? null;
    },
    typeCalled: async name => {
      files.begin();
      await files.whenComplete(INDEX_MILLIS);
      return typeCalled(files.indexed(), name);
    },
  };
}

function pageOf({ name, title }: Answer, { origin, rows, total, leftOut, ...others }: Data): Page {
  // Of an answer with several lists, the first one is the table.
  const [list, shown] = Array.isArray(rows)
    ? ['rows', rows.filter(isData)]
    : (Object.entries(others).find((entry): entry is [string, Data[]] => isRows(entry[1])) ?? ['rows', []]);
  const facts = Object.fromEntries(Object.entries(others).filter(([fact]) => fact !== list));
  const { head, cells } = tableOf(shown);
  return {
    file: name,
    title,
    intro: [
      ...(isData(origin) ? [originText(origin)] : []),
      ...factLines(facts).map(([fact, text]) => `${fact}: ${text}`),
      ...(Number(leftOut) > 0 ? [`${leftOut} of ${total} rows are left out.`] : []),
    ],
    // The last column has the name of the row; in answers it is the first one.
    head: [...head.slice(1), ...head.slice(0, 1)],
    rows: cells.map(([first = '', ...more]) => ({ cells: more, name: first, place: null })),
    whenEmpty: 'There are no rows.',
  };
}
