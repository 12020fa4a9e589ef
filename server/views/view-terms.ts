// The terms of the page's questions and answers: amounts, methods, problems, scalings.

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
  /** The part of a query that is wrong: offsets, the end exclusive. */
  readonly range?: { readonly from: number; readonly to: number };
};

/** How amounts of both versions are made comparable: see `Scaling` in the server. */
export const SCALINGS = ['share', 'perSecond', 'absolute', 'anchored'] as const;
