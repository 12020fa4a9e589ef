// Which calls of a log of traces are read: by where and for which session they ran. Session ids are compared and never kept.
import { wildcard } from '../base/wildcard.ts';

/** Patterns with `*`; a call is read that fits one of each list that is given. */
export type TraceContext = {
  readonly hosts?: readonly string[];
  readonly threads?: readonly string[];
  readonly sessions?: readonly string[];
};

/** Where a call ran; null where the log does not tell, which fits no pattern. */
export type RanIn = { readonly host: string | null; readonly thread: string | null; readonly session: string | null };

/** Decides call by call, and counts the calls that are left out. */
export class TraceFilter {
  readonly #hosts: Fits;
  readonly #threads: Fits;
  readonly #sessions: Fits;
  leftOut = 0;

  constructor({ hosts, threads, sessions }: TraceContext = {}) {
    [this.#hosts, this.#threads, this.#sessions] = [fitsOf(hosts), fitsOf(threads), fitsOf(sessions)];
  }

  fits({ host, thread, session }: RanIn): boolean {
    return this.#hosts(host) && this.#threads(thread) && this.#sessions(session);
  }

  /** The same of a call that is counted. */
  takes(ranIn: RanIn): boolean {
    const isTaken = this.fits(ranIn);
    if (!isTaken) this.leftOut++;
    return isTaken;
  }
}

type Fits = (text: string | null) => boolean;

function fitsOf(patterns: readonly string[] | undefined): Fits {
  if (patterns === undefined) return () => true;
  const all = patterns.map(wildcard);
  return text => text !== null && all.some(fits => fits(text));
}

/** The message about calls that were left out. */
export function leftOutText(calls: number): string {
  return `left out: ${calls === 1 ? '1 call' : `${calls} calls`} of other hosts, threads or sessions`;
}
