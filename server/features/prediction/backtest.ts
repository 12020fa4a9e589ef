// Predictions that a later version's data have answered: what an edit was predicted to cost, and what it came to.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { pairKey } from '../../analysis/pairing.ts';
import type { PredictedFile, PredictedMethod } from '../../analysis/prediction/prediction.ts';
import type { TimedMethods } from '../../analysis/prediction/timed-methods.ts';
import { timedMethods } from '../../analysis/questions/prediction.ts';
import { methodName } from '../../cct/method-names.ts';

/** One changed method; all times in nanoseconds of one run. */
export type AnsweredPrediction = {
  /** `Shop.review`. */
  readonly method: string;
  /** From the root of the repository, as the later version has it. */
  readonly path: string;
  readonly line: number;
  /** As it took in the earlier version. */
  readonly before: number;
  readonly predicted: number;
  /** The 80 % interval of the mean of its runs. */
  readonly interval: readonly [low: number, high: number];
  readonly measured: number;
  /** Runs that were measured in the later version. */
  readonly runs: number;
  readonly reliability: PredictedMethod['reliability'];
  /** Terms that were not in the prediction, because something of them is not known. */
  readonly unknown: number;
};

/** What became of the predictions of one file, by the data of the version that has its text; methods that were not timed in both are left out. */
export class Backtest {
  readonly #timed: TimedMethods;
  readonly #rows: ReadonlyMap<string, number>;

  constructor(later: LoadedData) {
    this.#timed = timedMethods(later);
    const { methods } = later.profile;
    this.#rows = new Map(Array.from({ length: methods.length }, (_, row) => [pairKey(methodName(methods, row)), row]));
  }

  answered(file: PredictedFile, path: string, earlier: LoadedData): AnsweredPrediction[] {
    return file.methods.flatMap(({ rows, title, line, measured: before, change, mean, reliability, unknown }) => {
      const row = rows
        .map(each => this.#rows.get(pairKey(methodName(earlier.profile.methods, each))))
        .find(each => each !== undefined);
      const after = row === undefined ? null : this.#timed.of(row);
      if (before === null || after === null || change === null || mean === null) return [];
      return {
        ...{ method: title, path, line, before, predicted: before + change, interval: mean },
        ...{ measured: after.mean, runs: after.count, reliability, unknown },
      };
    });
  }
}

/** A prediction that is off by no more than this factor is called right. */
const CLOSE = 1.4;

export function isClose({ predicted, measured }: AnsweredPrediction): boolean {
  return predicted > 0 && measured <= CLOSE * predicted && predicted <= CLOSE * measured;
}

export function isInside({ interval: [low, high], measured }: AnsweredPrediction): boolean {
  return low <= measured && measured <= high;
}

/** `9 of 12 within × 1.4, 10 in their 80 % interval`. */
export function backtestText(answered: readonly AnsweredPrediction[]): string {
  const close = answered.filter(isClose).length;
  const inside = answered.filter(isInside).length;
  return `${close} of ${answered.length} within × ${CLOSE}, ${inside} in their 80 % interval`;
}
