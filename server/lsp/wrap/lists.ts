// Answers that are lists of both servers' items: hints, lenses, actions. Items stay as they were written; what comes too late is asked for again.
import { type Both, both, LATE, type Patience } from './both.ts';
import { envelopeOf, spanOf } from './envelope.ts';
import { bodyOf, type Frame, frameOf } from './frames.ts';
import type { Answer } from './server-end.ts';
import { itemsOf, withId, withItems } from './splice.ts';

/** How both servers are asked; each is called once at most. */
export type Asking = {
  readonly java: () => Promise<Answer>;
  readonly own: () => Promise<Answer>;
};

export type ListRule = {
  readonly patience: Patience;
  /** Makes the client ask again; null where it cannot be told to. */
  readonly refresh: (() => void) | null;
};

/** What comes too late for an answer, for the next question of the same words. */
type TooLate = { readonly java?: Promise<Answer>; readonly own?: Promise<Answer> };

/** So many questions are remembered; who asks more looks at the latest. */
const MOST_QUESTIONS = 100;

export class ListAnswers {
  readonly #tooLate = new Map<string, TooLate>();

  /** Another text has other answers. */
  textChanged(): void {
    this.#tooLate.clear();
  }

  /**
   * The answer for the client's request `id`; null when nobody has one.
   * @param question method and parameters as they are written.
   */
  async answer(id: string, question: string, asking: Asking, { patience, refresh }: ListRule): Promise<Frame | null> {
    const known = this.#tooLate.get(question) ?? {};
    const java = known.java ?? asking.java();
    const own = known.own ?? asking.own();
    const found = await both(java, own, {
      patience,
      adds: answer => hasItems(answer),
      gone: answer => answer === null,
    });
    if (refresh !== null) this.#keep(question, known, { java, own }, found, refresh);
    const javaAnswer = found.java === LATE ? null : answerTo(found.java, id);
    return joined(id, javaAnswer, found.own === LATE ? null : found.own);
  }

  /** Whoever asks the same before it is there waits for it too; it is given out once. */
  #keep(
    question: string,
    known: TooLate,
    { java, own }: Required<TooLate>,
    found: Both<Answer, Answer>,
    refresh: () => void,
  ): void {
    const late: TooLate = { ...(found.java === LATE && { java }), ...(found.own === LATE && { own }) };
    this.#tooLate.delete(question);
    if (found.java !== LATE && found.own !== LATE) return;
    this.#tooLate.set(question, late);
    const [oldest] = this.#tooLate.keys();
    if (this.#tooLate.size > MOST_QUESTIONS && oldest !== undefined) this.#tooLate.delete(oldest);
    for (const side of ['java', 'own'] as const) {
      const coming = late[side];
      if (coming === undefined || coming === known[side]) continue;
      // An edit meanwhile takes this away, and what comes then is of no use.
      void coming.then(answer => {
        if (this.#tooLate.get(question)?.[side] === coming && hasItems(answer)) refresh();
      });
    }
  }
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
  if (java !== null && more !== null && spanOf(bodyOf(java), 'result') !== null) return withItems(java, more, 'result');
  if (more === null) return null;
  return frameOf(Buffer.concat([Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":[`), more, Buffer.from(']}')]));
}
