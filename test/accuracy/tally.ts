// Counts right, wrong, ambiguous and missing answers to one question, and keeps examples of what went wrong by kind.

export type Verdict = 'right' | 'wrong' | 'ambiguous' | 'missing';

/** One row of the table. */
export class Tally {
  readonly question: string;
  readonly counts: Record<Verdict, number> = { right: 0, wrong: 0, ambiguous: 0, missing: 0 };
  /** Kind of miss → how many, and the first few. */
  readonly misses = new Map<string, { count: number; examples: string[] }>();

  constructor(question: string) {
    this.question = question;
  }

  get total(): number {
    return this.counts.right + this.counts.wrong + this.counts.ambiguous + this.counts.missing;
  }

  /** Share of the answers that are right, 1 without questions. */
  get rightShare(): number {
    return this.total === 0 ? 1 : this.counts.right / this.total;
  }

  get wrongShare(): number {
    return this.total === 0 ? 0 : this.counts.wrong / this.total;
  }

  /** Counts one answer; `example` is made only when it is kept. */
  add(verdict: Verdict, kind: string, example: () => string): void {
    this.counts[verdict]++;
    if (verdict === 'right') return;
    const key = `${verdict}: ${kind}`;
    const miss = this.misses.get(key) ?? { count: 0, examples: [] };
    miss.count++;
    if (miss.examples.length < EXAMPLES_MAX) miss.examples.push(example());
    this.misses.set(key, miss);
  }

  /** Adds another tally of the same question. */
  merge(other: Tally): void {
    for (const verdict of ['right', 'wrong', 'ambiguous', 'missing'] as const)
      this.counts[verdict] += other.counts[verdict];
    for (const [kind, miss] of other.misses) {
      const own = this.misses.get(kind) ?? { count: 0, examples: [] };
      own.count += miss.count;
      own.examples.push(...miss.examples.slice(0, EXAMPLES_MAX - own.examples.length));
      this.misses.set(kind, own);
    }
  }
}

const EXAMPLES_MAX = 8;
