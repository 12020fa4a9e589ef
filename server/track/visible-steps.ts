// How large a step has to be so that the forks of a benchmark show it, and how many forks a smaller one needs.

/** The noise of the forks of one commit, and how many forks each commit has. */
type Measured = {
  /** Standard deviation of the forks of a commit, as a logarithm. */
  readonly noise: number;
  readonly forks: number;
};

/** The rules by which `series.ts` and `plan.ts` find steps. */
export type Finding = {
  /** A difference of so many standard errors is suspected, unless it is smaller than `leastChange`. */
  readonly suspicious: number;
  readonly leastChange: number;
  /** The number of commits on each side that are taken together. */
  readonly window: number;
  /** Forks on each side that decide about a suspected step. */
  readonly deciding: number;
};

/** Eight of ten steps are seen that exceed the deciding difference by so many standard errors. */
const POWER = 0.84;
/** Standard errors that the test over ten forks a side asks for, at 2 % of false steps. */
const DECISIVE = 2.6;

/** The smallest step that is found eight times in ten, as a part: 0.5 is half more time. */
export function leastVisible({ noise, forks }: Measured, finding: Finding): number {
  const { suspicious, leastChange, window, deciding } = finding;
  const screened = (suspicious + POWER) * noise * Math.sqrt(2 / (window * forks));
  const decided = (DECISIVE + POWER) * noise * Math.sqrt(2 / Math.max(deciding, forks));
  return Math.max(leastChange, Math.exp(Math.max(screened, decided)) - 1);
}

/** Forks of each commit that such a step needs, one at least. @param step as a part */
export function forksFor(step: number, noise: number, { suspicious, window, deciding }: Finding): number {
  const size = Math.log(1 + step);
  const needs = (errors: number) => 2 * ((errors * noise) / size) ** 2;
  const screened = Math.ceil(needs(suspicious + POWER) / window);
  const decided = Math.ceil(needs(DECISIVE + POWER));
  return Math.max(1, screened, decided <= deciding ? 1 : decided);
}
