// Decides when stores that are asked over the net are asked again: seldom, and soon after something is expected to be new.

/** All in milliseconds. */
export type Asking = {
  /** At the latest after so long. */
  readonly everyMillis: number;
  /** From the end of a window until it can be expected to lie in the store. */
  readonly lagMillis: number;
  /** Until asking again where more may come, at first; twice as long each further time. Nothing is asked sooner. */
  readonly againMillis: number;
};

/** The times of the last answers, and the ends that they expect. */
type Answered = {
  readonly askedAt: number;
  readonly answeredAt: number;
  /** Whether they held something that is not read yet. */
  readonly hasNews: boolean;
  /** When windows are expected to end. */
  readonly ends: readonly number[];
};

/** Moments by the clock of the system, in milliseconds since the epoch: by that recorders end their windows, at full minutes mostly. */
export class AskingTimes {
  readonly #asking: Asking;
  /** An end that is still to be asked about. */
  #expected = Number.POSITIVE_INFINITY;
  /** Until more is looked for than was expected; 0 where nothing is new. */
  #wait = 0;
  /** Whether something was expected that has not come. */
  #isAwaited = false;
  /** Until then a recorder that has just begun may show by a second window how long windows are. */
  #unforeseenUntil = 0;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** When to ask next. */
  after({ askedAt, answeredAt, hasNews, ends }: Answered): number {
    const { everyMillis, lagMillis, againMillis } = this.#asking;
    const wasExpected = this.#expected + lagMillis <= askedAt;
    this.#expected = Math.min(wasExpected ? Number.POSITIVE_INFINITY : this.#expected, ...ends);
    // Expected windows may come late, and windows of many JVMs one after the other.
    const isOpen = hasNews || (this.#isAwaited && 2 * this.#wait < everyMillis);
    this.#wait = wasExpected ? againMillis : isOpen ? Math.max(againMillis, 2 * this.#wait) : 0;
    this.#isAwaited = this.#wait > 0 && !hasNews;
    if (ends.length > 0) this.#unforeseenUntil = 0;
    else if (hasNews) this.#unforeseenUntil = answeredAt + everyMillis;
    const left = this.#unforeseenUntil - answeredAt;
    // More than that is left when the clock was set back.
    const second = left > 0 && left <= everyMillis ? answeredAt + 2 * againMillis : Number.POSITIVE_INFINITY;
    const again = this.#wait === 0 ? Number.POSITIVE_INFINITY : answeredAt + this.#wait;
    const round = answeredAt + everyMillis - modulo(answeredAt - lagMillis, everyMillis);
    // An answer that took long is followed by a pause as long, but no longer than usual: waiting is no work.
    const rest = Math.min(everyMillis, Math.max(againMillis, answeredAt - askedAt));
    return Math.max(answeredAt + rest, Math.min(round, again, second, this.#expected + lagMillis));
  }
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
