// Questions about names: which were perhaps meant, and whether a focus that the user wrote fits any method.
import type { Outcome, Problem } from '../../base/problem.ts';
import { expressionTime } from '../../metrics/match-expression.ts';
import { nearestNames } from '../../metrics/nearest-names.ts';
import { methodNames, type Task } from '../../metrics/task.ts';
import type { Aspect } from '../paths/resolve-query.ts';
import { focusOf } from '../selection.ts';
import type { Question } from './question.ts';

type NearestWish = {
  readonly wanted: string;
  readonly among: 'methods' | 'classes';
  /** Names that did not run and may have been meant as well. */
  readonly besides: readonly string[];
  readonly most: number;
};

/** Names most like the one wanted, best first. */
export const nearest: Question<NearestWish, readonly string[]> = (
  { profile: { methods } },
  { wanted, among, besides, most },
  pause,
) => {
  const names =
    among === 'methods'
      ? methodNames(methods, pause).filter(name => name !== null)
      : Array.from(methods.className, row => methods.strings[row]!);
  return nearestNames([...besides, ...names], wanted, most, pause);
};

type FocusWish = {
  readonly specs: readonly string[];
  readonly saved: readonly Task[];
  readonly aspects: readonly Aspect[];
};

/** Whether every text of a focus means a method; the value is false with problems where one does not. */
export const focusFits: Question<FocusWish, Outcome<boolean>> = ({ profile, analysis }, wish, pause) => {
  const time = expressionTime();
  const { specs, saved: tasks, aspects } = wish;
  for (const spec of specs) {
    const problems: Problem[] = [];
    focusOf(profile, analysis.index, { focus: [spec], tasks, aspects }, problems, time, pause);
    if (problems.some(({ severity }) => severity === 'error')) return { value: false, problems };
  }
  return { value: true, problems: [] };
};
