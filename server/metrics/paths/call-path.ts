// The data types of a query by call paths: elements, paths, conditions over paths, all resolved to rows of one table of methods.

/** One element of a path, and the call that leads to it. */
export type PathElement = {
  /** One byte a method row: 1 where the method belongs to the element. */
  readonly methods: Uint8Array;
  /** A set of methods (pattern, class, aspect), not one method with its overloads. */
  readonly isSet: boolean;
  /** One or more calls lead to it, not one. Of a path's first element without a thread it has no meaning. */
  readonly isExtended: boolean;
};

/** A sequence of call specs: each begins at or below the end of the one before. */
export type CallPath = {
  /** The path begins at the thread: its first element is the outermost frame, unless it is extended. */
  readonly fromThread: boolean;
  /** One byte a thread row, 1 where the path may run; every thread when null. */
  readonly threads: Uint8Array | null;
  /** Empty only with `fromThread`. */
  readonly elements: readonly PathElement[];
};

/** Which samples count. Paths are numbered in the order of the text. */
export type PathCondition =
  | { readonly kind: 'path'; readonly path: number }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly PathCondition[] }
  | { readonly kind: 'not'; readonly operand: PathCondition };

export type PathQuery = {
  readonly paths: readonly CallPath[];
  readonly condition: PathCondition;
  /** Samples without it count neither in the amount nor in the whole; null when all count. */
  readonly where: PathCondition | null;
};

/** A query holds at most so many paths: a table has a byte for each combination of them. */
export const MOST_PATHS = 16;
