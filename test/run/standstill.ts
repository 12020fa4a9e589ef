// When a suite is ended: not by the clock alone, but when nothing goes on in it any more.

/** A running suite at one moment. */
export type Sight = {
  readonly seconds: number;
  /** Tests that have begun and tests that have ended, together. */
  readonly events: number;
  /** Processor time of all processes of the suite up to now. */
  readonly cpuSeconds: number;
  /** Processes that want a processor, for each processor; below 1 nobody waits. */
  readonly crowd: number;
};

/** A suite is ended when no test has begun or ended for this time */
const STILL_SECONDS = 300;
/** and the suite has used less processor time than this meanwhile. */
const STILL_CPU_SECONDS = 1;
/**
 * The time in which a test begins or ends, on a machine that nobody else uses. Where processes wait for processors, a second counts as the part of it in which
 * each process had one.
 */
const LONGEST_TEST_SECONDS = 900;

/** Watches a suite by looking at it again and again. */
export class Standstill {
  #last: Sight;
  #busySince: number;
  #usedSince = 0;
  #calmSeconds = 0;

  constructor(first: Sight) {
    this.#last = first;
    this.#busySince = first.seconds;
  }

  /** Why the suite is to be ended now, in words; null while it goes on. */
  look(now: Sight): string | null {
    const last = this.#last;
    this.#last = now;
    // A process that ends takes its time with it.
    this.#usedSince += Math.max(0, now.cpuSeconds - last.cpuSeconds);
    const isNews = now.events !== last.events;
    if (isNews || this.#usedSince >= STILL_CPU_SECONDS) {
      this.#busySince = now.seconds;
      this.#usedSince = 0;
    }
    this.#calmSeconds = isNews ? 0 : this.#calmSeconds + (now.seconds - last.seconds) / Math.max(1, now.crowd);
    if (now.seconds - this.#busySince >= STILL_SECONDS)
      return `at a standstill: for ${STILL_SECONDS / 60} min no test began or ended, and no processor time was used`;
    if (this.#calmSeconds >= LONGEST_TEST_SECONDS)
      return `no test began or ended in the time of ${LONGEST_TEST_SECONDS / 60} min of a free machine`;
    return null;
  }
}
