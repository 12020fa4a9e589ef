// What a prediction is: plain data that every face words for itself.
import type { Span } from '../../../grammar/outline.ts';
import type { CallCost, CostRule } from '../../metrics/call-cost.ts';
import type { LoopAround, Weight } from './call-weights.ts';

/** `body`: the sum of what the method's code calls. `assumed`: what the user said. */
export type TermCost = Omit<CallCost, 'rule'> & { readonly rule: CostRule | 'body' | 'assumed' };

/** A call that the edit adds, takes away, or makes run more or less often. */
export type PredictedTerm = {
  /** Line of the text that has the call: the present one, or for `removed` the recorded one. */
  readonly line: number;
  /** Of the name in the present text; null for `removed`. */
  readonly span: Span | null;
  readonly callee: string;
  readonly change: 'added' | 'removed' | 'more or less often';
  /** Times more in one run of the method; null where that is not known. */
  readonly times: Weight | null;
  /** What decides how often it runs, outermost first. */
  readonly around: readonly string[];
  /** Loops of the present text that it runs in, outermost first; none for `removed`. */
  readonly loops: readonly LoopAround[];
  /** null where it is not known what one call costs, for the reason. */
  readonly cost: TermCost | null;
  readonly reason: string;
};

export type Reliability = 'measured' | 'likely' | 'rough';

export type PredictedMethod = {
  /** Rows of the method table; empty for a new method. */
  readonly rows: readonly number[];
  /** Row in the outline's declarations. */
  readonly declaration: number;
  readonly name: string;
  /** `Shop.review`: how assumptions name it. */
  readonly title: string;
  readonly line: number;
  /** Nanoseconds of one run as it was recorded; null where that is not known. */
  readonly measured: number | null;
  /** Nanoseconds that one run takes longer, as far as the terms are known, with what edited callees pass on. */
  readonly change: number;
  /** What of it edited callees pass on. */
  readonly passed: number;
  readonly interval: readonly [low: number, high: number];
  readonly reliability: Reliability;
  readonly terms: readonly PredictedTerm[];
  /** Terms that are not in the change, because something of them is not known. */
  readonly unknown: number;
};

export type PredictedCaller = {
  readonly row: number;
  readonly measured: number;
  /** null where its calls overlap in time: then a change of one of them says nothing of the whole. */
  readonly change: number | null;
  /** Rows of the changed methods and of their callers that it calls: through them it changes. */
  readonly through: readonly number[];
};

/** A changed method of which nothing is predicted. */
export type UnpredictedMethod = Pick<PredictedMethod, 'declaration' | 'name' | 'line'> & {
  /** Why nothing is predicted: `its code has more than 200,000 characters`. */
  readonly reason: string;
};

export type PredictedFile = {
  readonly methods: readonly PredictedMethod[];
  /** Methods of any file that call them, directly or through others; the largest change first. */
  readonly callers: readonly PredictedCaller[];
  /** Changed methods that are too large. */
  readonly unpredicted: readonly UnpredictedMethod[];
  /** Why nothing can be predicted; null where something can. */
  readonly obstacle: 'notTimed' | 'textUnknown' | null;
};

/** A term that is part of the change. */
export type KnownTerm = { readonly cost: TermCost; readonly times: Weight };

export function knownTerms(terms: readonly PredictedTerm[]): KnownTerm[] {
  return terms.flatMap(({ cost, times }) => (cost === null || times === null ? [] : [{ cost, times }]));
}

export function reliabilityOf(known: readonly KnownTerm[], hasTwoEnds: boolean): Reliability {
  const isRough = known.some(({ cost: { rule } }) => rule === 'body' || rule === 'assumed');
  if (hasTwoEnds || isRough || known.length === 0) return 'rough';
  return known.every(({ cost }) => cost.rule === 'caller') ? 'measured' : 'likely';
}

/** Smaller changes are not told, as a part of the method and in nanoseconds. */
const LEAST_PART = 0.01;
const LEAST_NANOS = 1e6;

/** Whether a change is told of a method that takes so long. */
export function isTold(change: number, measured: number | null): boolean {
  const size = Math.abs(change);
  return size >= LEAST_NANOS || size >= LEAST_PART * (measured ?? Number.POSITIVE_INFINITY);
}

/** An unknown number of iterations is told where so many would be. */
const TOLD_ITERATIONS = 100;

/** Whether it matters how often a term runs that is known but for that. */
export function asksIterations({ cost, times }: PredictedTerm, measured: number | null): boolean {
  return times === null && cost !== null && isTold(TOLD_ITERATIONS * cost.mean, measured);
}
