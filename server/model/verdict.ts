// The verdicts of a test about the difference of two shares, with their meanings.

/** A difference with a direction, which may be drawn in colour and with an arrow. */
export const DIRECTED = ['slower', 'faster'] as const;
export type Directed = (typeof DIRECTED)[number];

/** The column `verdict` of a picture holds places in this list. */
export const VERDICTS = ['notTested', 'cannotTell', 'same', ...DIRECTED] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Samples of one JVM are no evidence, because JVMs of one version differ by more than sampling. */
export const VERDICT_MEANING =
  'The verdict of a test over JVMs about a difference. `notTested`: there are too few JVMs. `cannotTell`: the test neither finds a change nor excludes one. `same`: it excludes a change that matters. `slower`, `faster`: the share grew or shrank by more than equal JVMs differ. A difference without direction is drawn neutral.';

export function isDirected(verdict: Verdict): verdict is Directed {
  return (DIRECTED as readonly Verdict[]).includes(verdict);
}
