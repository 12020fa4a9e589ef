// The page's face of the table of answers: the data that the page shows, under the choices that the parameters name.

import { AskFailed, type Reach } from '../analysis/ask.ts';
import type { Baseline } from '../analysis/baseline.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { notRecorded } from '../answering/chosen-data.ts';
import { StoredAnswers } from '../answering/stored-answers.ts';
import { turns } from '../base/pause.ts';
import { present } from '../base/present.ts';
import { formatProblem, type Problem } from '../base/problem.ts';
import type { Answer, AnswerContext } from '../features/answers/answer.ts';
import { ANSWERS } from '../features/answers/answer-table.ts';
import { checked } from '../features/answers/checked.ts';
import { QueryRefused } from '../features/answers/paths.ts';
import { nearestNames } from '../metrics/nearest-names.ts';
import { NO_CHOICE } from '../workspace/data/choice.ts';
import { Refusal } from './refusal.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskAnswer } from './view-messages.ts';
import { dataUnder, viewedUnder } from './viewed-data.ts';

export async function namedAnswer(
  host: ViewHost,
  shown: Viewed,
  { answer: name, parameters }: AskAnswer,
  signal: AbortSignal,
): Promise<object> {
  const answer = ANSWERS.find(each => each.name === name);
  if (answer === undefined) {
    const names = ANSWERS.map(each => each.name);
    const near = nearestNames(names, name, 1).map(each => `did you mean ${each}?`);
    throw new Refusal(`there is no answer "${name.slice(0, 100)}"`, near[0] ?? `known: ${names.join(', ')}`);
  }
  const { value, problems } = checked(answer.parameters, parameters);
  if (value === null) throw new Refusal(...wordsOf(problems));
  try {
    const viewed = looksAtData(answer) ? await viewedUnder(host, shown, value) : shown;
    return await answer.answer(await contextOf(host, viewed, { signal, urgent: answer.whileTyping === true }), value);
  } catch (error) {
    if (error instanceof QueryRefused) throw new Refusal(...wordsOf(error.problems), { range: error.mistake });
    throw error instanceof AskFailed ? new Refusal(...wordsOf(error.problems)) : error;
  }
}

export async function contextOf(
  host: ViewHost,
  viewed: Viewed,
  { signal, urgent }: { readonly signal: AbortSignal; readonly urgent: boolean },
): Promise<AnswerContext> {
  const reach: Reach = {
    ask: (data, question, wish, baseline) =>
      host.door.ask(data, question, wish, { signal, urgent, ...(baseline && { baseline }) }),
    turn: turns(() => signal.aborted),
  };
  return new StoredAnswers({
    ...(await host.home(viewed)),
    ...{ choice: NO_CHOICE, reach },
    compared: data => comparedUnder(host, viewed, data, signal),
    shown: async ({ selection }, { metric }) => {
      const wanted = { ...selection, metric: metric ?? viewed.data.metric.id };
      const data = await dataUnder(host, viewed.data, wanted, signal);
      if (data.metric.id === wanted.metric) return data;
      throw notRecorded(wanted.metric, data);
    },
  });
}

/** Answers about data alone take a metric. */
function looksAtData({ parameters }: Answer): boolean {
  return 'entries' in parameters && Object.hasOwn(Object(parameters.entries), 'metric');
}

/** The baseline of the page, under the choices of the data. */
async function comparedUnder(
  host: ViewHost,
  { baseline }: Viewed,
  data: LoadedData,
  signal: AbortSignal,
): Promise<Baseline | null> {
  if (baseline === null) return null;
  const { from: _from, to: _to, ...likeness } = { ...data.selection, metric: data.metric.id };
  const { from, to } = baseline.data.selection;
  const before = await dataUnder(host, baseline.data, { ...likeness, ...present({ from, to }) }, signal);
  return { data: before, pairing: baseline.pairing };
}

/** Says all problems, as other faces do. */
function wordsOf(problems: readonly Problem[]): readonly [message: string, remedy: string] {
  const [first, ...others] = problems;
  if (first === undefined || others.length > 0 || (first.place ?? first.file) !== undefined)
    return [problems.map(formatProblem).join('; '), ''];
  return [first.message, first.remedy ?? ''];
}
