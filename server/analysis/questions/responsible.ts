// The question which contexts are responsible for the difference of two trees, and where the difference is largest on the way down.
import { assert } from '../../base/assert.ts';
import {
  deltaHotPath,
  type Responsible,
  responsibleContexts,
  type Samples,
  wholesOf,
} from '../../metrics/compared/responsible.ts';
import type { Scale } from '../../metrics/compared/scaling.ts';
import { effectiveWhole } from '../../metrics/queries.ts';
import type { ComparisonWish } from '../kept-comparison.ts';
import { type ComparedBox, comparedBox } from './compared-boxes.ts';
import type { Question } from './question.ts';

type ResponsibleWish = ComparisonWish & {
  /** How many contexts at most. */
  readonly most: number;
};

type ResponsibleContext = Omit<Responsible, 'row' | 'chance'> & {
  readonly box: ComparedBox;
  /** What leads to it, root first, the root of everything left out. */
  readonly above: readonly Pick<ComparedBox, 'method' | 'methodThen'>[];
};

type ResponsibleContexts = {
  readonly scale: Scale;
  /** Scaled amounts of both trees. */
  readonly wholes: readonly [first: number, second: number];
  /** Effective samples of both. */
  readonly samples: readonly [first: number, second: number];
  /** The delta hot path, from the root on. */
  readonly path: readonly ComparedBox[];
  /** Those whose change is significant, the largest first. */
  readonly contexts: readonly ResponsibleContext[];
  /** How many there are without the limit, and how many were looked at. */
  readonly significant: number;
  readonly tested: number;
};

export const responsible: Question<ResponsibleWish, ResponsibleContexts> = (data, wish, pause, baseline) => {
  assert(baseline !== null, 'two trees are compared with a baseline');
  const { comparison, scale } = data.answers.comparison.of(data, baseline, wish, pause);
  const samples: Samples = [effectiveWhole(baseline.analysis), effectiveWhole(data.analysis)];
  const box = (row: number) => comparedBox(data, comparison, scale, row);
  const all = responsibleContexts(comparison, scale, samples, pause);
  const significant = all.filter(each => each.significant);
  return {
    scale,
    wholes: wholesOf(comparison, scale),
    samples,
    path: deltaHotPath(comparison, scale).map(box),
    contexts: significant.slice(0, wish.most).map(({ row, chance: _chance, ...change }) => {
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
    significant: significant.length,
    tested: all.length,
  };
};
