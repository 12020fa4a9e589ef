// The page's face of the table of answers: the data that the page shows, under the choices that the parameters name.

import { AskFailed, type Reach } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { notRecorded } from '../answering/chosen-data.ts';
import { StoredAnswers } from '../answering/stored-answers.ts';
import { turns } from '../base/pause.ts';
import { formatProblem, type Problem } from '../base/problem.ts';
import { listedMetrics } from '../cct/processor-time.ts';
import { refused } from '../features/answers/answer.ts';
import { ANSWERS } from '../features/answers/answer-table.ts';
import { checked } from '../features/answers/checked.ts';
import { Baseline } from '../features/facts/compare.ts';
import { nearestNames } from '../metrics/nearest-names.ts';
import { NO_CHOICE } from '../workspace/data/choice.ts';
import { Refusal } from './refusal.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskAnswer } from './view-messages.ts';
import { dataUnder } from './viewed-data.ts';

export async function namedAnswer(
  host: ViewHost,
  viewed: Viewed,
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
  if (value === null) throw wholeRefusal(problems);
  const reach: Reach = {
    ask: (data, question, wish, baseline) =>
      host.door.ask(data, question, wish, { signal, ...(baseline && { baseline }) }),
    turn: turns(() => signal.aborted),
  };
  const context = new StoredAnswers({
    ...(await host.home(viewed)),
    ...{ choice: NO_CHOICE, reach },
    compared: data => comparedUnder(host, viewed, data, signal),
    shown: async ({ selection }, { program, version, metric }) => {
      if ((program ?? version) != null)
        throw refused('a page shows one program in one version', 'leave out "program" and "version"');
      const wanted = { ...selection, metric: metric ?? viewed.data.metric.id };
      const data = await dataUnder(host, viewed.data, wanted, signal);
      if (data.metric.id === wanted.metric) return data;
      throw notRecorded(
        wanted.metric,
        listedMetrics(data.profile).map(({ id }) => id),
      );
    },
  });
  try {
    return await answer.answer(context, value);
  } catch (error) {
    throw error instanceof AskFailed ? wholeRefusal(error.problems) : error;
  }
}

/** What the page compares with, under the choices of the data. */
async function comparedUnder(
  host: ViewHost,
  { baseline }: Viewed,
  data: LoadedData,
  signal: AbortSignal,
): Promise<Baseline | null> {
  if (baseline === null) return null;
  const { span: _span, ...likeness } = { ...data.selection, metric: data.metric.id };
  const { span } = baseline.data.selection;
  const before = await dataUnder(host, baseline.data, { ...likeness, ...(span && { span }) }, signal);
  return new Baseline({ data: before, pairing: baseline.pairing });
}

/** Says all problems, as other faces do. */
function wholeRefusal(problems: readonly Problem[]): Refusal {
  const [first, ...others] = problems;
  if (first === undefined || others.length > 0 || (first.place ?? first.file) !== undefined)
    return new Refusal(problems.map(formatProblem).join('; '), '');
  return new Refusal(first.message, first.remedy ?? '');
}
