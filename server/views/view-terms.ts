// The terms of the page's questions and answers: what is looked at, amounts, methods, problems.

/** Which part of the data is looked at. An absent key restricts nothing; without a metric it is the one that hints show. */
export type Look = {
  readonly metric?: string;
  /** Patterns with `*`. */
  readonly threads?: readonly string[];
  /** Milliseconds since the epoch; windows that have a moment in common count whole. */
  readonly from?: number;
  readonly to?: number;
  /** As `--focus` and the editor's focus take it. */
  readonly focus?: readonly string[];
  /** A query by call paths: only stacks that satisfy it count. They stay whole, and shares stay those of all samples. */
  readonly path?: string;
};

/** In the metric's unit, and in samples. */
export type ViewAmount = { readonly weight: number; readonly count: number };

/** 48 bits of a hash of class, name and descriptor as 8 characters of base64url: it outlives loads, versions and sessions. */
export type MethodKey = string;

export type MethodInfo = {
  readonly key: MethodKey;
  /** Binary name with dots; empty for frames without a class. */
  readonly className: string;
  readonly name: string;
  /** `int, String`; null where the format has no descriptor. */
  readonly parameters: string | null;
  /** In no package of the project. */
  readonly library: boolean;
};

export type ViewProblem = {
  readonly message: string;
  readonly remedy: string;
  /** Why there are no data at all, where that is the problem: nothing was recorded or is chosen, or it is being read. */
  readonly noData?: 'nothing' | 'reading';
};
