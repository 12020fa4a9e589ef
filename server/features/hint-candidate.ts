// What method hints and call-site hints have in common before one of them is chosen for each line.

/** A hint that could stand on a line. The text is complete except for what other candidates of the line add. */
export type HintCandidate = {
  readonly kind: 'method' | 'lambda' | 'call';
  /** 1-based. */
  readonly line: number;
  /** Row in the outline's declarations of the method, lambda or initialiser that it is about or that calls. */
  readonly declaration: number;
  /** Weight of the samples behind it: the largest of a line stands. */
  readonly weight: number;
  /** Its share, 0 to 1, for colours. */
  readonly heat: number;
  /** The declaration's lines no longer fit what was observed. */
  readonly stale: boolean;
  /** What stands before a name that may be shortened. */
  readonly text: string;
  /** The name; empty where there is none. */
  readonly name: string;
  /** One line of plain text with counts. */
  readonly explanation: string;
};
