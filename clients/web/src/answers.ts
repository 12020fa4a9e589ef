// Asks again whenever a question changes, keeps the last answer, and drops outdated ones: for views that are no pictures.
import { effect, type Signal, signal } from '@preact/signals';
import type { Answers, AskNamed, Look, MethodKey, Question, Share, ViewAmount, ViewProblem } from 'insitu/views';
import { useEffect, useMemo } from 'preact/hooks';
import { type AnswerTo, isAborted, problemOf } from './ask.ts';
import { ask, data, failure, lastNews, revision } from './page-state.ts';

/** A question with a query that is wrong, and its flaw. */
export type Mistake<Asked> = { readonly question: Asked; readonly problem: ViewProblem };

/**
 * `question` reads signals; null asks nothing and shows nothing.
 * @param mistake is told of a query that is wrong, in place of the page; null when it is right.
 */
export function useAnswer<Asked extends Question>(
  question: () => Asked | null,
  mistake?: Signal<Mistake<Asked> | null>,
): Signal<AnswerTo<Asked> | null> {
  const answer = useMemo(() => signal<AnswerTo<Asked> | null>(null), []);
  useEffect(() => {
    let running: AbortController | null = null;
    const stop = effect(() => {
      const wanted = revision.value === '' || data.value === null ? null : question();
      running?.abort();
      if (wanted === null) {
        answer.value = null;
        return;
      }
      const mine = new AbortController();
      running = mine;
      ask(wanted, mine.signal).then(
        got => {
          if (mine.signal.aborted) return;
          answer.value = got;
          failure.value = null;
          if (mistake !== undefined) mistake.value = null;
          lastNews.value = Date.now();
        },
        error => {
          if (isAborted(error) || mine.signal.aborted) return;
          const problem = problemOf(error);
          const isMistake = mistake !== undefined && problem.range !== undefined;
          if (mistake !== undefined) mistake.value = isMistake ? { question: wanted, problem } : null;
          failure.value = isMistake ? null : problem;
          if (isMistake) lastNews.value = Date.now();
        },
      );
    });
    return () => {
      stop();
      running?.abort();
    };
  }, []);
  return answer;
}

type NamedWish = {
  readonly look: Look;
  readonly of?: MethodKey | null;
  /** Parameters of the answer's own. Where they are undefined, the answer has no limit. */
  readonly more?: Readonly<Record<string, unknown>>;
};

/** An answer of the table, about what is looked at; `wish` reads signals, and null asks nothing. @param mistake see `useAnswer` */
export function useNamedAnswer<Name extends keyof Answers>(
  name: Name,
  wish: () => NamedWish | null,
  mistake?: Signal<Mistake<AskNamed<Name>> | null>,
): Signal<Answers[Name] | null> {
  return useAnswer<AskNamed<Name>>(() => {
    const wanted = wish();
    if (wanted === null) return null;
    const { look, of, more } = wanted;
    const parameters = { ...choiceOf(look), ...ofMethod(of), limit: MOST_ROWS, ...more };
    return { ask: 'answer', answer: name, parameters };
  }, mistake) as Signal<Answers[Name] | null>;
}

const MOST_ROWS = 10_000;

/** A look as answers take it. A metric that these data lack is left to the server. */
export function choiceOf({ metric, ...others }: Look): Record<string, unknown> {
  return { ...(data.value?.metrics.some(({ id }) => id === metric) && { metric }), ...others };
}

export function ofMethod(of: MethodKey | null | undefined): Record<string, unknown> {
  return of == null ? {} : { method: `id:${of}` };
}

/** A share as an amount and its whole, for texts that are written of both. */
export function amountsOf({ share, count, of }: Share): {
  readonly part: ViewAmount;
  readonly whole: ViewAmount;
} {
  return {
    part: { weight: share, count: count ?? Number.POSITIVE_INFINITY },
    whole: { weight: of === 0 ? 0 : 1, count: of ?? Number.POSITIVE_INFINITY },
  };
}
