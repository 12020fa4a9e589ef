// The question what stands around one set of methods: callers, callees, lines, threads, and the set in the other metrics.
import {
  type CallSite,
  calleeMethodSteps,
  calleeSteps,
  callerSteps,
  effectiveSampleSteps,
  type LineAndAmount,
  lineSteps,
  type MethodAndAmount,
  type ThreadAndAmount,
  threadSteps,
} from '../../metrics/around-method.ts';
import { type Question, resultWith } from './question.ts';

export type Surroundings = {
  /** Heaviest first, as all lists but that of lines. */
  readonly callers: readonly MethodAndAmount[];
  /** By callee and line. */
  readonly callees: readonly CallSite[];
  /** Callees whatever the line. */
  readonly calleeMethods: readonly MethodAndAmount[];
  /** In the order of lines; 0 is unknown. */
  readonly lines: readonly LineAndAmount[];
  readonly threads: readonly ThreadAndAmount[];
  /** How many equally weighted samples carry the same sampling error. */
  readonly effectiveSamples: number;
};

/** One of the things that stand around a method. */
export type SurroundingFact = keyof Surroundings;

export type SurroundingsWish = {
  /** Rows of the method table that are taken as one method. */
  readonly methods: readonly number[];
  readonly facts: readonly SurroundingFact[];
};

/** Those facts that are asked for. */
export const surroundings: Question<SurroundingsWish, Partial<Surroundings>> = (
  { analysis },
  { methods, facts },
  pause,
) => {
  const has = (fact: SurroundingFact) => facts.includes(fact);
  return {
    ...(has('callers') && { callers: resultWith(callerSteps(analysis, methods), pause) }),
    ...(has('callees') && { callees: resultWith(calleeSteps(analysis, methods), pause) }),
    ...(has('calleeMethods') && { calleeMethods: resultWith(calleeMethodSteps(analysis, methods), pause) }),
    ...(has('lines') && { lines: resultWith(lineSteps(analysis, methods), pause) }),
    ...(has('threads') && { threads: resultWith(threadSteps(analysis, methods), pause) }),
    ...(has('effectiveSamples') && { effectiveSamples: resultWith(effectiveSampleSteps(analysis, methods), pause) }),
  };
};
