// What one row of the benchmark table is: a measurement with its peer and its target.

export type BenchFigure = {
  readonly value: number;
  readonly unit: string;
  readonly peer?: { readonly name: string; readonly value: number };
  /** The target in words, `≤ 60 ms`. */
  readonly wanted?: string;
  /** Whether the target was met. */
  readonly ok?: boolean;
};

export type BenchRow = {
  readonly name: string;
  run(options: { readonly quick: boolean }): Promise<BenchFigure[]>;
};
