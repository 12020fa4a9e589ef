// Answers that are lists of both servers' items: hints, lenses, actions. Items stay as they were written; what comes too late is asked for again.

import { type Frame, frameOf } from '../lsp/wire/split-messages.ts';
import { both, LATE, type Patience } from './both.ts';
import { envelopeOf } from './envelope.ts';
import { type Answer, CANCELLED, errorFrame } from './server-end.ts';
import { isThere, itemsOf, withId, withItems } from './splice.ts';

/** A request of the client, and how both servers are asked; each is called once at most. */
type ListQuestion = {
  readonly id: string;
  readonly method: string;
  /** Method and parameters as they are written, without what is another one each time. */
  readonly words: string;
  readonly java: () => Promise<Answer>;
  readonly own: () => Promise<Answer>;
  /** Tells that the client wants no answer any more. */
  readonly signal: AbortSignal;
};

type ListRule = {
  readonly patience: Patience;
  /** Makes the client ask again; null where it cannot be told to. */
  readonly refresh: (() => void) | null;
};

type Side = 'java' | 'own';

/** A question that one of the servers did not answer in time: what it says and what the other said are for the next one of the same words. */
type Round = {
  readonly method: string;
  readonly late: Side;
  readonly coming: Promise<Answer>;
  /** The other server's answer, which the client has seen; null when the server would answer something else by now. */
  given: Promise<Answer> | null;
  /** Whether the late answer has come: then the seen answer is of use again, since both can be given together. */
  hasCome: boolean;
};

/** So many questions are remembered: a client with more of them looks at the latest. */
const MOST_QUESTIONS = 100;
/** A client that is told to ask again, and does not within this time, looks at something else by now. */
const KEPT_MILLIS = 2_000;

export class ListAnswers {
  readonly #rounds = new Map<string, Round>();
  /** The client's requests that were answered while one of the servers still works on them for the next question. */
  readonly #lateIds = new Set<string>();
  /** Counts up. */
  #textChanges = 0;
  /** The same for each server's own changes, by server and method. */
  readonly #refreshes = new Map<string, number>();

  /** Another text has other answers. */
  textChanged(): void {
    this.#textChanges++;
    this.#rounds.clear();
  }

  /** A server has the client ask anew, for it has other answers now to requests of this method. */
  refreshed(side: Side, method: string): void {
    const key = `${side} ${method}`;
    this.#refreshes.set(key, (this.#refreshes.get(key) ?? 0) + 1);
    for (const [words, round] of this.#rounds) {
      if (round.method !== method) continue;
      if (round.late === side) this.#rounds.delete(words);
      else round.given = null;
    }
  }

  /** Whether a request was answered and goes on for the next question: it is too late to cancel it. */
  isLate(id: string): boolean {
    return this.#lateIds.has(id);
  }

  /** The answer for the client; null when neither server has one. */
  async answer(question: ListQuestion, { patience, refresh }: ListRule): Promise<Frame | null> {
    const { id, method, words, signal } = question;
    const round = this.#rounds.get(words);
    const kept = keptOf(round);
    const asked = { java: kept.java ?? question.java(), own: kept.own ?? question.own() };
    const asOf = { java: this.#changes('java', method), own: this.#changes('own', method) };
    const coming = both(asked.java, asked.own, {
      patience,
      adds: answer => hasItems(answer),
      gone: answer => answer === null,
    });
    // The servers know an earlier question by its own number, and cannot be told of this one's.
    const found = await (round === undefined ? coming : Promise.race([coming, aborted(signal)]));
    if (found === null) return errorFrame(id, CANCELLED, 'cancelled');
    if (refresh !== null && !signal.aborted) {
      // The late answer stays for a moment: a refresh for another file has the client ask for this one again too.
      if (round?.hasCome !== true && this.#rounds.get(words) === round) this.#rounds.delete(words);
      const late = found.java === LATE ? 'java' : found.own === LATE ? 'own' : null;
      const isStill = (side: Side): boolean => asOf[side] === this.#changes(side, method);
      const other = late === 'java' ? 'own' : 'java';
      if (late !== null && isStill(late))
        this.#keep(
          question,
          { late, coming: asked[late], given: isStill(other) ? asked[other] : null },
          round,
          refresh,
        );
    }
    const java = found.java === LATE ? null : answerTo(found.java, id);
    return joined(id, java, found.own === LATE ? null : found.own);
  }

  #changes(side: Side, method: string): number {
    return this.#textChanges + (this.#refreshes.get(`${side} ${method}`) ?? 0);
  }

  /** A second request for the same waits for the answer of the first. */
  #keep(
    { id, method, words }: ListQuestion,
    halves: Pick<Round, 'late' | 'coming' | 'given'>,
    before: Round | undefined,
    refresh: () => void,
  ): void {
    if (before?.coming === halves.coming) {
      before.given = halves.given;
      this.#rounds.set(words, before);
      return;
    }
    const round: Round = { method, ...halves, hasCome: false };
    this.#rounds.set(words, round);
    const [oldest] = this.#rounds.keys();
    if (this.#rounds.size > MOST_QUESTIONS && oldest !== undefined) this.#rounds.delete(oldest);
    this.#lateIds.add(id);
    void round.coming.then(answer => {
      this.#lateIds.delete(id);
      this.#come(words, round, answer, refresh);
    });
  }

  /** A change meanwhile takes it away, and what comes then is of no use; nor is what adds nothing. */
  #come(words: string, round: Round, answer: Answer, refresh: () => void): void {
    const forget = (): void => {
      if (this.#rounds.get(words) === round) this.#rounds.delete(words);
    };
    if (!hasItems(answer)) forget();
    if (this.#rounds.get(words) !== round) return;
    round.hasCome = true;
    refresh();
    setTimeout(forget, KEPT_MILLIS).unref();
  }
}

/** The answers that need not be asked for anew. */
function keptOf(round: Round | undefined): { readonly [side in Side]?: Promise<Answer> } {
  if (round === undefined) return {};
  const { late, coming, given, hasCome } = round;
  const other = late === 'java' ? 'own' : 'java';
  return { [late]: coming, ...(hasCome && given !== null && { [other]: given }) };
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(null), { once: true }));
}

/** An answer to an earlier question, as one to this. */
function answerTo(answer: Answer, id: string): Answer {
  return answer === null ? null : withId(answer, envelopeOf(answer), id);
}

function hasItems(answer: Answer): boolean {
  return answer !== null && (itemsOf(answer, 'result')?.length ?? 0) > 0;
}

/** The Java server's answer as it came where ours adds nothing, else with our items behind its own. */
function joined(id: string, java: Answer, own: Answer): Frame | null {
  const more = own === null ? null : itemsOf(own, 'result');
  if (java !== null && (more === null || more.length === 0)) return java;
  if (java !== null && more !== null && isThere(java, 'result')) return withItems(java, more, 'result');
  if (more === null) return null;
  return frameOf(Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":[`), more, Buffer.from(']}'));
}
