// Asks for what features need before they write, so that they find everything answered.
import type { CancellationToken } from 'vscode-languageserver/node';
import { AskFailed, type AskOptions, type Door, type Subject } from '../analysis/ask.ts';
import { Cancelled } from '../analysis/questions/question.ts';
import type { AnswerTo, ParametersOf, QuestionName } from '../analysis/questions/table.ts';
import { type Need, openNeed } from '../features/needs.ts';
import type { RequestLog } from './request.ts';

/** What asks. */
type Asking = { readonly questions: Door; readonly log: RequestLog };

/** False when the request was cancelled before all was answered. Features ask in this thread for what could not be answered. */
export async function gather(asking: Asking, needs: readonly Need[], token?: CancellationToken): Promise<boolean> {
  return (await gathered(asking, needs, token)) !== 'cancelled';
}

/** Whether anything was answered that was not known before. */
export async function gatherNew(asking: Asking, needs: readonly Need[]): Promise<boolean> {
  return (await gathered(asking, needs)) === 'answered';
}

async function gathered(
  { questions, log }: Asking,
  needs: readonly Need[],
  token?: CancellationToken,
): Promise<'known' | 'answered' | 'failed' | 'cancelled'> {
  const open = needs.flatMap(need => openNeed(need) ?? []);
  if (open.length === 0) return token?.isCancellationRequested === true ? 'cancelled' : 'known';
  const ask = (options: AskOptions) => Promise.all(open.map(need => answerNeed(questions, need, options)));
  const found = await answered(ask, log, token);
  return typeof found === 'string' ? found : 'answered';
}

/** The answer to one question; null when the request was cancelled or, with a line in the log, when there is no answer. */
export async function askFor<N extends QuestionName>(
  { questions, log }: Asking,
  subject: Subject,
  name: N,
  parameters: ParametersOf<N>,
  token?: CancellationToken,
): Promise<AnswerTo<N> | null> {
  const found = await answered(options => questions.ask(subject, name, parameters, options), log, token);
  return found === 'cancelled' || found === 'failed' ? null : found.value;
}

/** Lets a request's cancellation end what it asks. A request that a person waits for has a token, and goes first. */
async function answered<T>(
  ask: (options: AskOptions) => Promise<T>,
  log: RequestLog,
  token: CancellationToken | undefined,
): Promise<{ readonly value: T } | 'cancelled' | 'failed'> {
  const stop = new AbortController();
  const listener = token?.onCancellationRequested(() => stop.abort());
  try {
    return { value: await ask({ signal: stop.signal, urgent: token !== undefined }) };
  } catch (error) {
    // What else was asked is of no use any more.
    stop.abort();
    if (error instanceof Cancelled) return 'cancelled';
    if (!(error instanceof AskFailed)) throw error;
    log.error(error.message);
    return 'failed';
  } finally {
    listener?.dispose();
  }
}

async function answerNeed(door: Door, { data, sets = [], around }: Need, options: AskOptions): Promise<void> {
  const { answers } = data;
  if (sets.length > 0) {
    const found = await door.ask(data, 'numbers', { sets: sets.map(justMethods) }, options);
    for (const [i, set] of sets.entries()) answers.keepNumbers(set, found[i]!);
  }
  if (around !== undefined) {
    const found = await door.ask(data, 'surroundings', around, options);
    for (const [i, methods] of around.sets.entries()) answers.keepSurroundings(methods, found[i]!);
  }
}

/** Declarations hold more than a question needs. */
function justMethods({ methods, onlyLines }: NonNullable<Need['sets']>[number]): NonNullable<Need['sets']>[number] {
  return { methods, ...(onlyLines && { onlyLines }) };
}
