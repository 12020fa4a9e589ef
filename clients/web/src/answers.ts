// Asks again whenever a question changes, keeps the last answer, and drops outdated ones: for views that are no pictures.
import { effect, type Signal, signal } from '@preact/signals';
import type { Answers, AskNamed, Look, MethodKey, Question, Share, ViewAmount } from 'insitu/views';
import { useEffect, useMemo } from 'preact/hooks';
import { type AnswerTo, isAborted, problemOf } from './ask.ts';
import { ask, data, failure, lastNews, revision } from './page-state.ts';

/** `question` reads signals; null asks nothing and shows nothing. */
export function useAnswer<Asked extends Question>(question: () => Asked | null): Signal<AnswerTo<Asked> | null> {
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
          lastNews.value = Date.now();
        },
        error => {
          if (!isAborted(error) && !mine.signal.aborted) failure.value = problemOf(error);
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

/** An answer of the table, about what is looked at; `wish` reads signals, and null asks nothing. */
export function useNamedAnswer<Name extends keyof Answers>(
  name: Name,
  wish: () => { readonly look: Look; readonly of?: MethodKey | null } | null,
): Signal<Answers[Name] | null> {
  return useAnswer<AskNamed<Name>>(() => {
    const wanted = wish();
    if (wanted === null) return null;
    const { look, of } = wanted;
    return { ask: 'answer', answer: name, parameters: { ...choiceOf(look), ...ofMethod(of), limit: MOST_ROWS } };
  }) as Signal<Answers[Name] | null>;
}

const MOST_ROWS = 10_000;

/** A look as answers take it. A metric that these data lack is left to the server. */
export function choiceOf({ metric, threads, from, to, focus, path }: Look): Record<string, unknown> {
  return {
    ...(data.value?.metrics.some(({ id }) => id === metric) && { metric }),
    ...{ threads, focus, path },
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(to !== undefined && { to: new Date(to).toISOString() }),
  };
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
