// Judges a figure: limits in times and rates after dividing by the machine's factor, figures beside a peer by their ratio alone.
import type { BenchFigure } from '../row.ts';

export type Judged = {
  /** The figure at the speed of the reference machine; absent where the machine's speed has no part in the figure. */
  readonly atReference?: number;
  /** The target in words, `≤ 60 ms`. */
  readonly wanted?: string;
  /** Whether the target was met; absent where there is none, or where it could not be told. */
  readonly ok?: boolean;
};

const DURATION = /^(ns|µs|ms|s|min)$/;
const SIZE = /^(B|KB|MB|GB|KiB|MiB|GiB)$/;
const RATE = /\/s$/;

/** @param factor how many times as long this machine takes as the reference machine. */
export function judge(figure: BenchFigure, factor: number): Judged {
  const { value, unit, peer } = figure;
  if (peer !== undefined) {
    if (figure.limit === undefined) return {};
    const { timesPeer } = figure.limit;
    return { wanted: `≥ ${timesPeer} ×`, ok: ratio(figure, peer.value) >= timesPeer };
  }
  const { limit, isWork = DURATION.test(unit) || RATE.test(unit) } = figure;
  const judged = RATE.test(unit) ? value * factor : value / factor;
  const scaled = isWork ? { atReference: judged } : {};
  if (limit === undefined) return scaled;
  if ('words' in limit) return { ...scaled, wanted: limit.words, ...(limit.isMet !== null && { ok: limit.isMet }) };
  const compared = isWork ? judged : value;
  const inWords = (sign: string, bound: number) =>
    `${sign} ${bound.toLocaleString('en-US', { maximumFractionDigits: bound >= 100 ? 0 : 2 })} ${unit}`.trimEnd();
  return 'most' in limit
    ? { ...scaled, wanted: inWords('≤', limit.most), ok: compared <= limit.most }
    : { ...scaled, wanted: inWords('≥', limit.least), ok: compared >= limit.least };
}

/** How many times better than another value: for durations and sizes less is better. */
export function ratio({ value, unit }: Pick<BenchFigure, 'value' | 'unit'>, other: number): number {
  return DURATION.test(unit) || SIZE.test(unit) ? other / value : value / other;
}
