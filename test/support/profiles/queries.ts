// Queries that the server takes in steps, asked at once.

import type { Outcome } from '../../../server/base/problem.ts';
import type { MethodTable } from '../../../server/cct/profile.ts';
import type { Amount } from '../../../server/metrics/analysis.ts';
import {
  calleeSteps,
  callerSteps,
  effectiveSampleSteps,
  lineSteps,
  resultOf,
  type Steps,
  threadSteps,
} from '../../../server/metrics/around-method.ts';
import { taskAmountSteps } from '../../../server/metrics/focus.ts';
import { expressionTime } from '../../../server/metrics/match-expression.ts';
import { amountAtLinesSteps, amountsByCalleeSteps, selfAtLinesSteps } from '../../../server/metrics/queries.ts';
import { matchTaskSteps, type Task, type TaskMatches } from '../../../server/metrics/task.ts';

const atOnce =
  <A extends unknown[], T>(query: (...args: A) => Steps<T>) =>
  (...args: A): T =>
    resultOf(query(...args));

export const selfAmount = atOnce(selfAtLinesSteps);
export const amountAtLines = atOnce(amountAtLinesSteps);
export const calleesOf = atOnce(calleeSteps);
export const callersOf = atOnce(callerSteps);
export const linesOf = atOnce(lineSteps);
export const threadsOf = atOnce(threadSteps);
export const effectiveSamples = atOnce(effectiveSampleSteps);
export const taskAmounts = atOnce(taskAmountSteps);

export function amountsByCallee<K>(...args: Parameters<typeof amountsByCalleeSteps<K>>): Map<K, Amount> {
  return resultOf(amountsByCalleeSteps(...args));
}

export function matchTask(methods: MethodTable, task: Task): Outcome<TaskMatches> {
  return resultOf(matchTaskSteps(methods, task, expressionTime()));
}
