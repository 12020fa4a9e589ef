// What a test says of the difference of two shares.

/**
 * `notTested`: there are too few JVMs for a test. `cannotTell`: the test neither finds a change nor excludes one. `same`: it excludes a
 * change that matters. `slower`, `faster`: the share grew or shrank by more than equal JVMs differ. Samples of one JVM are no evidence,
 * because JVMs of one version differ by more than sampling.
 */
export type Verdict = 'notTested' | 'cannotTell' | 'same' | 'slower' | 'faster';

/** Whether the difference has a direction that may be drawn in colour and with an arrow. */
export function isDirected(verdict: Verdict): boolean {
  return verdict === 'slower' || verdict === 'faster';
}
