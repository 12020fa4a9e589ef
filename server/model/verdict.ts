// What a test says of the difference of two shares: the list of verdicts, with their meanings.

/** The share grew or shrank by more than equal JVMs differ: such a difference may be drawn in colour and with an arrow. */
export const DIRECTED = ['slower', 'faster'] as const;
export type Directed = (typeof DIRECTED)[number];

/**
 * `notTested`: there are too few JVMs for a test. `cannotTell`: the test neither finds a change nor excludes one. `same`: it excludes a
 * change that matters. `slower`, `faster`: the share grew or shrank. Samples of one JVM are no evidence, because JVMs of one version differ
 * by more than sampling. The column `verdict` of a picture holds places in this list.
 */
export const VERDICTS = ['notTested', 'cannotTell', 'same', ...DIRECTED] as const;
export type Verdict = (typeof VERDICTS)[number];

export function isDirected(verdict: Verdict): verdict is Directed {
  return (DIRECTED as readonly Verdict[]).includes(verdict);
}
