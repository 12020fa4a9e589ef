// The question which methods and contexts are responsible for the difference of two trees, and where it is largest on the way down.
import { assert } from '../../base/assert.ts';
import { PARTIAL_METHOD } from '../../cct/profile.ts';
import {
  deltaHotPath,
  largeChange,
  type Responsible,
  responsibleContexts,
  wholesOf,
} from '../../metrics/compared/responsible.ts';
import type { OwnAmounts, Scale } from '../../metrics/compared/scaling.ts';
import type { Verdict } from '../../metrics/verdict.ts';
import type { ComparisonWish } from '../kept-comparison.ts';
import type { LoadedData } from '../loaded-data.ts';
import { type ComparedBox, comparedBox } from './compared-boxes.ts';
import type { Question } from './question.ts';

type ResponsibleWish = ComparisonWish & {
  /** How many methods, and how many contexts, at most. */
  readonly most: number;
};

type ResponsibleContext = Omit<Responsible, 'row'> & {
  readonly box: ComparedBox;
  /** What leads to it, root first, the root of everything left out. */
  readonly above: readonly Pick<ComparedBox, 'method' | 'methodThen'>[];
};

/** Scaled self amounts of a method over all of its contexts. */
type ChangedMethod = Pick<ComparedBox, 'method' | 'methodThen'> &
  OwnAmounts & {
    readonly presence: 'both' | 'new' | 'gone';
    readonly verdict: Verdict;
  };

type ResponsibleContexts = {
  readonly scale: Scale;
  /** Scaled amounts of both trees. */
  readonly wholes: readonly [first: number, second: number];
  /** The largest changes first. */
  readonly methods: readonly ChangedMethod[];
  /** How many there are without the limit. */
  readonly differingMethods: number;
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
  const methods = changedMethods(data, baseline, wish.became, scale).filter(largeChange(comparison, scale));
  return {
    scale,
    wholes: wholesOf(comparison, scale),
    methods: methods.slice(0, wish.most),
    differingMethods: methods.length,
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

/** Every method of both sides: those that are one method through renames and moves are one. */
function changedMethods(data: LoadedData, baseline: LoadedData, became: Int32Array, scale: Scale): ChangedMethod[] {
  const shown = data.profile.methods.length;
  const labels = shown + baseline.profile.methods.length;
  const [before, now] = [new Float64Array(labels), new Float64Array(labels)];
  const [ran, runs] = [new Uint8Array(labels), new Uint8Array(labels)];
  for (let then = PARTIAL_METHOD + 1; then < became.length; then++) {
    const label = became[then]! >= 0 ? became[then]! : shown + then;
    before[label]! += baseline.values.self.weight[then]! / scale.by[0];
    if (baseline.values.total.count[then]! > 0) ran[label] = 1;
  }
  for (let method = PARTIAL_METHOD + 1; method < shown; method++) {
    now[method] = data.values.self.weight[method]! / scale.by[1];
    if (data.values.total.count[method]! > 0) runs[method] = 1;
  }
  return Array.from(before, (_, label) => label)
    .filter(label => ran[label] === 1 || runs[label] === 1)
    .sort((a, b) => Math.abs(now[b]! - before[b]!) - Math.abs(now[a]! - before[a]!) || a - b)
    .map(label => ({
      method: label < shown ? label : -1,
      methodThen: label < shown ? -1 : label - shown,
      before: before[label]!,
      now: now[label]!,
      presence: ran[label] === 0 ? 'new' : runs[label] === 0 ? 'gone' : 'both',
      verdict: 'notTested',
    }));
}
