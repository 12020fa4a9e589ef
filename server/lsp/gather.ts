// Asks for what features need before they write, so that they find everything answered.
import type { CancellationToken } from 'vscode-languageserver/node';
import { AskFailed, type Door, gatherBy, type Need, type Reach, type Subject } from '../analysis/ask.ts';
import { completeData, type LoadedData } from '../analysis/loaded-data.ts';
import type { AnswerTo, ParametersOf, QuestionName } from '../analysis/questions/question-table.ts';
import { Cancelled, turns } from '../base/pause.ts';
import { openNeed } from '../features/needs.ts';
import type { RequestLog } from './request.ts';

/** The means of asking. */
type Asking = { readonly questions: Door; readonly log: RequestLog };

/**
 * Asks for what is not known yet, a second time where the first fails: the thread may have been replaced. False when the request was
 * cancelled before all was answered. Rejects with `AskFailed`, when there is no answer.
 */
export async function gather(
  { questions, log }: Asking,
  needs: readonly Need[],
  token?: CancellationToken,
): Promise<boolean> {
  try {
    await askNeeds(questions, needs, token).catch(error => {
      if (!(error instanceof AskFailed)) throw error;
      log.error(error.message);
      return askNeeds(questions, needs, token);
    });
    return token?.isCancellationRequested !== true;
  } catch (error) {
    if (error instanceof Cancelled) return false;
    throw error;
  }
}

/** Whether anything was answered that was not known before; a failure is a line in the log. */
export async function gatherNew({ questions, log }: Asking, needs: readonly Need[]): Promise<boolean> {
  try {
    return await askNeeds(questions, needs);
  } catch (error) {
    if (error instanceof AskFailed) log.error(error.message);
    else if (!(error instanceof Cancelled)) throw error;
    return false;
  }
}

/** False where all is known. */
async function askNeeds(questions: Door, needs: readonly Need[], token?: CancellationToken): Promise<boolean> {
  const open = needs.flatMap(need => openNeed(need) ?? []);
  if (open.length === 0) return false;
  await untilCancelled(token, options => {
    const ask: Reach['ask'] = (data, name, parameters) => questions.ask(data, name, parameters, options);
    return Promise.all(open.map(need => gatherBy(ask, need)));
  });
  return true;
}

/** The way of a feature to numbers while it answers a request; rejects with `Cancelled` when the request is cancelled. */
export function reachOf({ questions }: Pick<Asking, 'questions'>, token: CancellationToken): Reach {
  return {
    ask: (data, name, parameters, baseline) =>
      askAbout(questions, data, { name, parameters, token, ...(baseline && { baseline }) }),
    turn: turns(() => token.isCancellationRequested),
  };
}

type Asked<N extends QuestionName> = {
  readonly name: N;
  readonly parameters: ParametersOf<N>;
  readonly token: CancellationToken;
  /** Of questions that compare two trees. */
  readonly baseline?: LoadedData;
};

/** The answer to one question of a request. Rejects with `Cancelled`, or with `AskFailed` when there is no answer. */
export function askAbout<N extends QuestionName>(
  questions: Door,
  subject: Subject,
  { name, parameters, token, baseline }: Asked<N>,
): Promise<AnswerTo<N>> {
  return untilCancelled(token, options =>
    questions.ask(subject, name, parameters, { ...options, ...(baseline && { baseline }) }),
  );
}

/** The same data looked at without their focus; the very data where they have none. */
export async function withoutFocus(questions: Door, data: LoadedData, token: CancellationToken): Promise<LoadedData> {
  const { dataset, selection } = data;
  const { focus = [], tasks: _tasks, ...others } = selection;
  if (focus.length === 0) return data;
  const subject = { dataset, selection: { ...others, metric: data.metric.id } };
  const selected = await askAbout(questions, subject, { name: 'look', parameters: null, token });
  return completeData({ folded: dataset.folded, selected });
}

/** Lets a request's cancellation end what it asks. A request that a person waits for has a token, and goes first. */
export async function untilCancelled<T>(
  token: CancellationToken | undefined,
  ask: (options: { readonly signal: AbortSignal; readonly urgent: boolean }) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const listener = token?.onCancellationRequested(() => stop.abort());
  try {
    return await ask({ signal: stop.signal, urgent: token !== undefined });
  } catch (error) {
    // The other questions are of no use any more.
    stop.abort();
    throw error;
  } finally {
    listener?.dispose();
  }
}
