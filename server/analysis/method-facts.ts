// The numbers of a set of methods, as the question for them answers.
import type { LineRanges } from '../mapping/observed-lines.ts';
import type { Amount } from '../metrics/analysis.ts';
import type { CalleeKind } from './callee-groups.ts';

/** Methods that are taken as one, or some lines of them. */
export type MethodsAndLines = {
  /** Rows of the method table, ascending. */
  readonly methods: readonly number[];
  /** Only what runs on these lines belongs to the set; all lines when absent. */
  readonly onlyLines?: LineRanges;
};

/** One call of one line: all callees of one method name, all of one created or initialised class, or all lambdas. */
export type CallGroup = {
  readonly line: number;
  readonly kind: CalleeKind;
  /** The method's name, or the binary name of the class that is created or initialised; empty for lambdas. */
  readonly name: string;
  /** Callee rows, heaviest first; of equal ones the first name of a class, in code-unit order. */
  readonly targets: readonly number[];
  /** Samples with the line calling any of the targets, once. */
  readonly amount: Amount;
};

export type MethodFacts = {
  /** Samples that have the set's code on their stack. */
  readonly total: Amount;
  /** Samples in which its own code was running. */
  readonly self: Amount;
  /** Samples of the methods behind it: what shares of calls are taken of. Differs from `total` only where lines are given. */
  readonly methods: Amount;
  /** Calls with a known line, by line, heaviest first on each. */
  readonly calls: readonly CallGroup[];
};
