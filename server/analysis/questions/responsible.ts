// The question which contexts are responsible for the difference of two trees, and where the difference is largest on the way down.
import { assert } from '../../base/assert.ts';
import { deltaHotPath, type Responsible, responsibleContexts, wholesOf } from '../../metrics/compared/responsible.ts';
import type { Scale } from '../../metrics/compared/scaling.ts';
import type { ComparisonWish } from '../kept-comparison.ts';
import { type ComparedBox, comparedBox } from './compared-boxes.ts';
import type { Question } from './question.ts';

type ResponsibleWish = ComparisonWish & {
  /** How many contexts at most. */
  readonly most: number;
};

type ResponsibleContext = Omit<Responsible, 'row'> & {
  readonly box: ComparedBox;
  /** What leads to it, root first, the root of everything left out. */
  readonly above: readonly Pick<ComparedBox, 'method' | 'methodThen'>[];
};

type ResponsibleContexts = {
  readonly scale: Scale;
  /** Scaled amounts of both trees. */
  readonly wholes: readonly [first: number, second: number];
  /** The delta hot path, from the root on. */
  readonly path: readonly ComparedBox[];
  /** The largest changes first. */
  readonly contexts: readonly ResponsibleContext[];
  /** How many there are without the limit. */
  readonly differing: number;
};

export const responsible: Question<ResponsibleWish, ResponsibleContexts> = (data, wish, pause, baseline) => {
  assert(baseline !== null, 'two trees are compared with a baseline');
  const { comparison, scale } = data.answers.comparison.of(data, baseline, wish, pause);
  const box = (row: number) => comparedBox(data, comparison, scale, row);
  const all = responsibleContexts(comparison, scale, pause);
  return {
    scale,
    wholes: wholesOf(comparison, scale),
    path: deltaHotPath(comparison, scale).map(box),
    contexts: all.slice(0, wish.most).map(({ row, ...change }) => {
      const above: number[] = [];
      for (let at = comparison.parentOf(row); at > 0; at = comparison.parentOf(at)) above.push(at);
      return {
        ...change,
        box: box(row),
        above: above.reverse().map(at => {
          const { method, methodThen } = box(at);
          return { method, methodThen };
        }),
      };
    }),
    differing: all.length,
  };
};
