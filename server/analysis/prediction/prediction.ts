// The type of a prediction: plain data that every face words for itself.
import type { Span } from '../../../grammar/outline.ts';
import type { CallCost, CostRule } from '../../metrics/call-cost.ts';
import type { Weight } from './frequencies.ts';

/** `body`: the sum of what the method's code calls. `assumed`: what the user said. */
export type TermCost = Omit<CallCost, 'rule'> & { readonly rule: CostRule | 'body' | 'assumed' };

/** A loop around a call. */
export type LoopAround = {
  /** Offset of its first word. */
  readonly start: number;
  /** Offset behind its header. */
  readonly headerEnd: number;
  /** Its header without needless spaces, by which an assumption names it. */
  readonly header: string;
  /** Iterations of one run of the loop; null where that is not known. */
  readonly times: number | null;
};

/** Whether something runs more or less long; 0 where that is not known. */
export type Direction = -1 | 0 | 1;

/** A call that the edit adds, takes away, makes run more or less often, or gives other numbers and texts. */
export type PredictedTerm = {
  /** Line of the text that has the call: the present one, or for `removed` the recorded one. */
  readonly line: number;
  /** Of the name in the present text; null for `removed`. */
  readonly span: Span | null;
  readonly callee: string;
  readonly change: 'added' | 'removed' | 'more or less often' | 'with other values';
  /** Times more in one run of the method; null where that is not known. */
  readonly times: Weight | null;
  readonly direction: Direction;
  /** The loops and branches that decide how often it runs, outermost first. */
  readonly around: readonly string[];
  /** Loops of the present text that it runs in, outermost first; none for `removed`. */
  readonly loops: readonly LoopAround[];
  /** null where it is not known what one call costs, for the reason. */
  readonly cost: TermCost | null;
  readonly reason: string;
  /** How often the code around the innermost loop or branch runs of which it is not known how often it runs; at least 1. */
  readonly outside: number;
  /** The query to another process that it leads to, such as `java.sql.Statement.executeQuery`, where the edit puts it into a loop; else null. */
  readonly query: string | null;
};

/**
 * `measured`: calls are gone that were counted and timed in this method. `likely`: all is known of the terms. `rough`: only ends are
 * known, or a cost by code, by assumption or of calls whose callers are not known. `unknown`: nothing is known of a term that matters most.
 */
type Reliability = 'measured' | 'likely' | 'rough' | 'unknown';

export type KnownReliability = Exclude<Reliability, 'unknown'>;

export type Ends = readonly [low: number, high: number];

/** The known parts of a sum; none where a main term is unknown. */
type Sum =
  | {
      readonly reliability: 'unknown';
      readonly change: null;
      readonly ends: null;
      readonly interval: null;
      readonly mean: null;
    }
  | {
      readonly reliability: KnownReliability;
      /** Nanoseconds that one run takes longer, as far as the terms are known, with what edited callees pass on: the middle of the ends. */
      readonly change: number;
      /** The ends of the sum; they differ where it is not known how often calls run. */
      readonly ends: Ends;
      /** The 80 % interval of the change, of the same run under the same conditions. */
      readonly interval: Ends;
      /** The 80 % interval of the method's mean over a window like the recorded ones; null where it was not timed. */
      readonly mean: Ends | null;
    };

export type PredictedMethod = Sum & {
  /** Rows of the method table; empty for a new method. */
  readonly rows: readonly number[];
  /** Row in the outline's declarations. */
  readonly declaration: number;
  readonly name: string;
  /** `Shop.review`: how assumptions name it. */
  readonly title: string;
  readonly line: number;
  /** Nanoseconds of one run as it was recorded, of one that others called where it calls itself; null where that is not known. */
  readonly measured: number | null;
  readonly direction: Direction;
  /** The ends of what edited callees pass on, a part of the change where that is known; null where they pass on nothing. */
  readonly passed: Ends | null;
  readonly terms: readonly PredictedTerm[];
  /** Terms that are not in the change, because something of them is not known. */
  readonly unknown: number;
};

export type PredictedCaller = {
  readonly row: number;
  readonly measured: number;
  /** null where nothing is known of an edited method below it, or its calls overlap in time. */
  readonly change: number | null;
  /** The ends of the change, of which it is the middle; null where the change is. */
  readonly ends: Ends | null;
  /** Whether its calls overlap in time: then a change of one of them says nothing of the whole. */
  readonly isParallel: boolean;
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
  /** The last predictions of methods whose text is unfinished now; absent without any. */
  readonly held?: readonly PredictedMethod[];
  /** Why nothing can be predicted; null where something can. */
  readonly obstacle: 'notTimed' | 'textUnknown' | null;
};

/** A term that is part of the change. */
export type KnownTerm = Pick<PredictedTerm, 'change'> & { readonly cost: TermCost; readonly times: Weight };

export function knownTerms(terms: readonly PredictedTerm[]): KnownTerm[] {
  return terms.flatMap(({ cost, times, change }) => (cost === null || times === null ? [] : [{ cost, times, change }]));
}

/** The least and the most that a term comes to. */
export function termEnds({ cost, times }: KnownTerm): Ends {
  const [least, most] = cost.ends;
  return [times.least * (times.least < 0 ? most : least), times.most * (times.most < 0 ? least : most)];
}

export function hasTwoEnds(term: KnownTerm): boolean {
  const [low, high] = termEnds(term);
  return low !== high;
}

export function unknownTerms(terms: readonly PredictedTerm[]): PredictedTerm[] {
  return terms.filter(({ cost, times }) => cost === null || times === null);
}

export function reliabilityOf(known: readonly KnownTerm[]): KnownReliability {
  const isRough = known.some(term => ['body', 'assumed', 'sums'].includes(term.cost.rule) || hasTwoEnds(term));
  if (isRough || known.length === 0) return 'rough';
  return known.every(({ cost, change }) => cost.rule === 'caller' && change === 'removed') ? 'measured' : 'likely';
}

/** The reliability of a sum is the one of its least reliable part. */
export function leastReliable(...parts: readonly KnownReliability[]): KnownReliability {
  return parts.includes('rough') ? 'rough' : parts.includes('likely') ? 'likely' : 'measured';
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

/** So many runs of a call of which it is not known how often it runs have to be small beside what is known. */
const FEW_RUNS = 10;

/** Whether the terms that are not known may be larger than the known ones, or turn their sum round. */
export function isMain(unknown: readonly PredictedTerm[], [low, high]: Ends, measured: number | null): boolean {
  const most = Math.max(Math.abs(low), Math.abs(high));
  const isSmall = !isTold(most, measured);
  return unknown.some(({ cost, direction, outside }) => {
    if (isSmall || (cost !== null && FEW_RUNS * outside * cost.mean > most)) return true;
    return cost === null && direction !== (high > 0 ? (low >= 0 ? 1 : 0) : -1);
  });
}
