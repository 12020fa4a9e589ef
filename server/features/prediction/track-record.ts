// How well earlier predictions of a program held: whether new ones are told at all, and how wide their intervals have to be.

import type { PredictedFile, PredictedMethod } from '../../analysis/prediction/prediction.ts';
import { type AnsweredPrediction, backtestText, isClose, type Summed, summedOf } from './backtest.ts';

export type TrackRecord = {
  /** `9 of 12 within × 1.4, 10 in their 80 % interval`. */
  readonly text: string;
  /** Intervals are so many times as wide as the model has them; 1 where too few predictions were answered. */
  readonly width: number;
  /** False where earlier predictions mostly failed: hints then say nothing. */
  readonly holds: boolean;
};

/** Fewer answers than these change no interval, and silence no hint. */
const LEAST_TO_WIDEN = 20;
const LEAST_TO_ABSTAIN = 10;
/** So many of the answers have to be close. */
const LEAST_CLOSE = 0.5;
/** The limits of the factor that a few odd answers may put on intervals. */
const [NARROWEST, WIDEST] = [0.5, 5];
/** The part of answers that an interval is to hold. */
const INSIDE = 0.8;

/** null without any answer. */
export function trackRecordOf(all: readonly AnsweredPrediction[]): TrackRecord | null {
  const answered = summedOf(all);
  if (answered.length === 0) return null;
  const close = answered.filter(isClose).length;
  return {
    text: backtestText(all),
    width: answered.length < LEAST_TO_WIDEN ? 1 : widthOf(answered),
    holds: answered.length < LEAST_TO_ABSTAIN || close >= LEAST_CLOSE * answered.length,
  };
}

/** The factor by which intervals would have held 80 % of the answers. */
function widthOf(answered: readonly Summed[]): number {
  const needed = answered.map(needOf).toSorted((a, b) => a - b);
  return Math.min(WIDEST, Math.max(NARROWEST, needed[Math.ceil(INSIDE * needed.length) - 1]!));
}

/** How many times as wide the side of the interval had to be on which the answer lies. */
function needOf({ predicted, interval: [low, high], measured }: Summed): number {
  const off = Math.abs(measured - predicted);
  const side = measured > predicted ? high - predicted : predicted - low;
  return off === 0 ? 0 : side > 0 ? off / side : Number.POSITIVE_INFINITY;
}

/** The predictions with intervals as wide as the record has them. */
export function calibrated(file: PredictedFile, { width }: TrackRecord): PredictedFile {
  if (width === 1) return file;
  const widened = (method: PredictedMethod): PredictedMethod => {
    if (method.interval === null) return method;
    const { change, interval, mean, measured } = method;
    const wider = (center: number, [low, high]: readonly [number, number]) =>
      [center + (low - center) * width, center + (high - center) * width] as const;
    const [low, high] = wider(change, interval);
    // No method takes less than nothing.
    const least = measured === null ? low : Math.max(low, -measured);
    if (mean === null || measured === null) return { ...method, interval: [least, high] };
    const [from, to] = wider(measured + change, mean);
    return { ...method, interval: [least, high], mean: [Math.max(0, from), to] };
  };
  return { ...file, methods: file.methods.map(widened) };
}
