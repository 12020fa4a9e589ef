// The question what ran on each line of a method: itself, and with what it calls.
import type { Outcome } from '../../base/problem.ts';
import { type Amount, NO_AMOUNT } from '../../metrics/analysis.ts';
import { linesOf } from '../../metrics/around-method.ts';
import { selfLinesOf } from '../../metrics/self-lines.ts';
import { NO_METHOD, rowOfKey } from './method-list.ts';
import type { Question } from './question.ts';

type LineTimes = {
  /** Row of the method. */
  readonly method: number;
  readonly whole: Amount;
  /** Ascending, as they were recorded; 0 is unknown. */
  readonly lines: readonly { readonly line: number; readonly total: Amount; readonly self: Amount }[];
};

/** `of`: key of a method. */
export const lineTimes: Question<{ readonly of: string }, Outcome<LineTimes | null>> = (data, { of }, pause) => {
  const { analysis, values, lines: seen } = data;
  const row = rowOfKey(data, of);
  if (row === null) return { value: null, problems: [NO_METHOD] };
  const self = new Map(selfLinesOf(seen, values.selfLines, [row]).map(({ line, amount }) => [line, amount]));
  const lines = linesOf(analysis, [row], pause).map(({ line, amount }) => ({
    line,
    total: amount,
    self: self.get(line) ?? NO_AMOUNT,
  }));
  return { value: { method: row, whole: analysis.whole, lines }, problems: [] };
};
