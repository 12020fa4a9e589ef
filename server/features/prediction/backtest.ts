// Predictions that a later version's data have answered: what an edit was predicted to cost, and what it came to.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { pairKey } from '../../analysis/pairing.ts';
import {
  knownTerms,
  type PredictedFile,
  type PredictedMethod,
  type PredictedTerm,
  termEnds,
} from '../../analysis/prediction/prediction.ts';
import type { TimedMethods } from '../../analysis/prediction/timed-methods.ts';
import { timedMethods } from '../../analysis/questions/prediction.ts';
import { methodName } from '../../cct/method-names.ts';
import { termCause } from './prediction-text.ts';

/** One changed method; all times in nanoseconds of one run. */
export type AnsweredPrediction = {
  /** `Shop.review`. */
  readonly method: string;
  /** From the root of the repository, as the later version has it. */
  readonly path: string;
  readonly line: number;
  /** As it took in the earlier version. */
  readonly before: number;
  /** null where a main term is unknown: that is no miss. */
  readonly predicted: number | null;
  /** The 80 % interval of the mean of its runs; null where nothing is predicted. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly measured: number;
  /** Runs that were measured in the later version. */
  readonly runs: number;
  readonly reliability: PredictedMethod['reliability'];
  /** Terms that were not in the prediction, because something of them is not known. */
  readonly unknown: number;
  /** The effect of the edit, or why nothing is predicted: `Shop.rank added × 5, and 2 more`. */
  readonly cause: string;
};

/** A prediction with a sum. */
export type Summed = AnsweredPrediction & {
  readonly predicted: number;
  readonly interval: readonly [low: number, high: number];
};

export function summedOf(answered: readonly AnsweredPrediction[]): Summed[] {
  return answered.filter((each): each is Summed => each.predicted !== null && each.interval !== null);
}

/** The outcomes of the predictions of one file, by the data of the version that has its text; methods that were not timed in both are left out. */
export class Backtest {
  readonly #timed: TimedMethods;
  readonly #rows: ReadonlyMap<string, number>;

  constructor(later: LoadedData) {
    this.#timed = timedMethods(later);
    const { methods } = later.profile;
    this.#rows = new Map(Array.from({ length: methods.length }, (_, row) => [pairKey(methodName(methods, row)), row]));
  }

  answered(file: PredictedFile, path: string, earlier: LoadedData): AnsweredPrediction[] {
    return file.methods.flatMap((method): AnsweredPrediction[] => {
      const { rows, title, line, measured: before, change, mean, reliability, unknown } = method;
      const row = rows
        .map(each => this.#rows.get(pairKey(methodName(earlier.profile.methods, each))))
        .find(each => each !== undefined);
      const after = row === undefined ? null : this.#timed.of(row);
      if (before === null || after === null) return [];
      return [
        {
          ...{ method: title, path, line, before, predicted: change === null ? null : before + change, interval: mean },
          ...{ measured: after.mean, runs: after.count, reliability, unknown, cause: causeOf(method) },
        },
      ];
    });
  }
}

/** The largest term, or the first one that is unknown. */
function causeOf({ change, terms }: PredictedMethod): string {
  const sizeOf = (term: PredictedTerm) =>
    Math.max(0, ...knownTerms([term]).map(each => Math.max(...termEnds(each).map(Math.abs))));
  const unknown = terms.filter(({ cost, times }) => cost === null || times === null);
  const [first] = change === null ? unknown : terms.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  if (first === undefined) return '';
  const others = terms.length - 1;
  return `${termCause(first)}${others > 0 ? `, and ${others} more` : ''}`;
}

/** A prediction that is off by no more than this factor is called right. */
const CLOSE = 1.4;

export function isClose({ predicted, measured }: Summed): boolean {
  return predicted > 0 && measured <= CLOSE * predicted && predicted <= CLOSE * measured;
}

export function isInside({ interval: [low, high], measured }: Summed): boolean {
  return low <= measured && measured <= high;
}

/** `9 of 12 within × 1.4, 10 in their 80 % interval; 3 not predicted`. */
export function backtestText(answered: readonly AnsweredPrediction[]): string {
  const summed = summedOf(answered);
  const left = answered.length - summed.length;
  const close = summed.filter(isClose).length;
  const inside = summed.filter(isInside).length;
  const text = `${close} of ${summed.length} within × ${CLOSE}, ${inside} in their 80 % interval`;
  return left === 0 ? text : `${text}; ${left} not predicted`;
}
