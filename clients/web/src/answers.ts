// Asks again whenever a question changes, keeps the last answer, and drops outdated ones: for views that are no pictures.
import { effect, type Signal, signal } from '@preact/signals';
import type { Question } from 'insitu/views';
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
