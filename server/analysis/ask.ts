// The one door to numbers: asks a question of the table about data, in this thread or, by `QuestionThread`, in another.
import { Cancelled, noPause, type Pause, type Turn, turns } from '../base/pause.ts';
import { formatProblem, type Problem, withoutNotes } from '../base/problem.ts';
import { Answers } from './answers.ts';
import type { HeldDataset, LoadedData, MethodValues } from './loaded-data.ts';
import type { MethodFacts, MethodsAndLines } from './method-facts.ts';
import { type AnswerTo, type ParametersOf, type QuestionName, questions } from './questions/question-table.ts';
import { analyseData, valuesOf, withMetric } from './select-data.ts';
import type { Selection } from './selection.ts';
import type { SurroundingFact, Surroundings, SurroundingsWish } from './surroundings-answer.ts';

/** The subject of a question. */
export type Subject = { readonly dataset: HeldDataset; readonly selection: Selection };

export type AskOptions = {
  /** Ends the question. */
  readonly signal?: AbortSignal;
  /** A person waits for it: it goes before others. */
  readonly urgent?: boolean;
  /** Of questions that compare two trees: what the subject is compared with. */
  readonly baseline?: Subject;
};

/** Asks questions. Rejects with `Cancelled`, or with `AskFailed` when there is no answer. */
export type Door = {
  ask<N extends QuestionName>(
    subject: Subject,
    name: N,
    parameters: ParametersOf<N>,
    options?: AskOptions,
  ): Promise<AnswerTo<N>>;
};

/** The interface of a feature that asks as it goes on: answers about data, and turns between pieces of its own work. */
export type Reach = {
  /** @param baseline of questions that compare two trees. */
  ask<N extends QuestionName>(
    data: LoadedData,
    name: N,
    parameters: ParametersOf<N>,
    baseline?: LoadedData,
  ): Promise<AnswerTo<N>>;
  readonly turn: Turn;
};

/** For commands, which keep no editor waiting: everything is answered in this thread. */
export const inlineReach: Reach = {
  ask: async (data, name, parameters, baseline) => answer(data, name, parameters, noPause, baseline ?? null),
  turn: async () => {},
};

/** Answers in this thread too, and lets messages in between questions. Rejects with `Cancelled` once the signal aborts. */
export function reachInTurns(signal: AbortSignal): Reach {
  const turn = turns(() => signal.aborted);
  return {
    ask: async (data, name, parameters, baseline) => {
      await turn();
      if (signal.aborted) throw new Cancelled();
      return inlineReach.ask(data, name, parameters, baseline);
    },
    turn,
  };
}

/** Why a question has no answer, for people. */
export class AskFailed extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(formatProblem).join('; '));
    this.name = 'AskFailed';
    this.problems = problems;
  }
}

/** Answers about one look at data. */
export type Need = {
  readonly data: LoadedData;
  /** Sets whose numbers are needed. */
  readonly sets?: readonly MethodsAndLines[];
  readonly around?: SurroundingsWish;
};

/** Asks for what is needed, and keeps the answers with the data. */
export async function gatherBy(ask: Reach['ask'], { data, sets = [], around }: Need): Promise<void> {
  const { answers } = data;
  if (sets.length > 0) {
    const found = await ask(data, 'numbers', { sets: sets.map(justMethods) });
    for (const [i, set] of sets.entries()) answers.keepNumbers(set, found[i]!);
  }
  if (around !== undefined) {
    const found = await ask(data, 'surroundings', around);
    for (const [i, methods] of around.sets.entries()) answers.keepSurroundings(methods, found[i]!);
  }
}

/** Declarations hold more than a question needs. */
function justMethods({ methods, onlyLines }: MethodsAndLines): MethodsAndLines {
  return { methods, ...(onlyLines && { onlyLines }) };
}

/** Answers in this thread, about data that are at hand. */
export function answer<N extends QuestionName>(
  data: LoadedData,
  name: N,
  parameters: ParametersOf<N>,
  pause: Pause = noPause,
  baseline: LoadedData | null = null,
): AnswerTo<N> {
  return questions[name](data, parameters, pause, baseline);
}

/**
 * The data that questions about the subject are answered from. The values of all methods are worked out when a question first needs them: a
 * picture does not. Its selection names the metric. Throws `AskFailed` where the selection means nothing in the Dataset.
 */
export function lookAt({ dataset, selection: wanted }: Subject): LoadedData {
  const { folded, provenance, ...named } = dataset;
  const selection = withMetric(folded, wanted);
  const { value: analysis, problems } = analyseData(folded, selection);
  if (analysis === null) throw new AskFailed(problems);
  const { index: _index, sites: _sites, ...kept } = folded;
  let values: MethodValues | null = null;
  return {
    ...kept,
    ...named,
    selection,
    selectionProblems: withoutNotes(problems),
    analysis,
    provenance,
    get values() {
      values ??= valuesOf(folded, analysis);
      return values;
    },
    metric: folded.profile.metrics[analysis.selection.metric]!,
    answers: new Answers(),
    dataset,
  };
}

/** The numbers of a set of methods, as they were gathered or from tables. They do not depend on any text. */
export function factsOf(data: LoadedData, set: MethodsAndLines): MethodFacts {
  const { answers } = data;
  const known = answers.numbersOf(set);
  if (known !== undefined) return known;
  if (answers.lacksNumbersOf(set)) answers.beforeWalk(`numbers of ${set.methods.length} methods`);
  const [found] = answer(data, 'numbers', { sets: [set] });
  answers.keepNumbers(set, found!);
  return found!;
}

/** One thing around the methods of a declaration, on all its lines, as it was gathered. */
export function aroundFact<Fact extends SurroundingFact>(
  data: LoadedData,
  { methods }: Pick<MethodsAndLines, 'methods'>,
  fact: Fact,
): Surroundings[Fact] {
  const known: Surroundings[Fact] | undefined = data.answers.surroundingsOf(methods)[fact];
  if (known !== undefined) return known;
  data.answers.beforeWalk(fact);
  const [found = {}] = answer(data, 'surroundings', { sets: [methods], facts: [fact] });
  data.answers.keepSurroundings(methods, found);
  return found[fact]!;
}
