// The type of a row of the benchmark table: a measurement with its peer and its target.

type Measured = {
  /** Tells apart the figures of one row: `cold`, `shop.jfr`. */
  readonly label?: string;
  /** The median of the measurements. */
  readonly value: number;
  /** The best of the measurements, where each of them is the same work: what is left of it is the machine's. */
  readonly best?: number;
  /** `MB/s`, `ms`, `M nodes/s`, `MB`, …; for units of time less is better, which the ratio follows. */
  readonly unit: string;
};

/** Another program doing the same work, measured in the same run, in the same unit. */
export type Peer = { readonly name: string; readonly value: number };

/** A bound that an amount must not pass; or, where that takes more than the amount, a judgement that was made already. */
export type Limit =
  | { readonly most: number }
  | { readonly least: number }
  | { readonly words: string; readonly isMet: boolean | null };

/** A figure beside a peer is judged by their ratio alone, which machines have in common. */
type BesidePeer = Measured & { readonly peer: Peer; readonly limit?: { readonly timesPeer: number } };

type Alone = Measured & {
  readonly peer?: undefined;
  readonly limit?: Limit;
  /** Whether a machine that is half as fast may take twice as much; absent, the unit tells: times and rates. */
  readonly isWork?: boolean;
};

export type BenchFigure = BesidePeer | Alone;

/** An area is a file `test/bench/<area>.ts` that exports `rows: readonly BenchRow[]`; it runs in a process of its own. */
export type BenchRow = {
  readonly name: string;
  /**
   * With `quick` a few seconds at most; all rows of all areas share 50 s then, an hour with `long`, and half an hour otherwise.
   * Rejects when it cannot measure.
   */
  run(options: { readonly quick: boolean; readonly long?: boolean }): Promise<BenchFigure[]>;
};

/** The middle value; the mean of the two middle ones of an even number. NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle]!;
  return middle === 0 ? Number.NaN : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Milliseconds of each of `times` runs, after `warmUp` runs that do not count. */
export async function millisecondsOf(times: number, warmUp: number, work: () => unknown): Promise<number[]> {
  const measured: number[] = [];
  for (let at = -warmUp; at < times; at++) {
    const started = performance.now();
    await work();
    if (at >= 0) measured.push(performance.now() - started);
  }
  return measured;
}
