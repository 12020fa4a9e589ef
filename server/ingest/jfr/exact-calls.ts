// The state that events about single methods (jdk.MethodTrace, jdk.MethodTiming) need from chunk to chunk.
import type { ProfileBuilder } from '../../cct/builder.ts';
import { NO_THREAD } from './chunk-threads.ts';
import type { EventRule } from './event-table.ts';
import { MethodTimings } from './method-timings.ts';
import { OwnTimes } from './own-times.ts';

/** Chunks of one JVM agree within this on when its clock stood at zero. */
const CLOCK_TOLERANCE_MILLIS = 1000;

/** Gathered over the chunks of a file. */
export class ExactCalls {
  readonly ownTimes = new OwnTimes();
  readonly timings = new MethodTimings();
  /** How many single calls were added so far. */
  traced = 0;
  #zeroMillis = Number.NaN;

  /** Begins a chunk whose clock stood at zero at `zeroMillis`: another moment than before means another JVM. */
  continueAt(zeroMillis: number): void {
    if (!(Math.abs(zeroMillis - this.#zeroMillis) < CLOCK_TOLERANCE_MILLIS)) {
      this.ownTimes.forget();
      this.timings.forget();
    }
    this.#zeroMillis = zeroMillis;
  }

  /** As `finish`, for what a growing recording has told since the last time. */
  flush(builder: ProfileBuilder, rules: readonly EventRule[]): void {
    this.finish(builder, rules);
    this.timings.beginAnew();
  }

  /** Adds what is known only at the end of the file. */
  finish(builder: ProfileBuilder, rules: readonly EventRule[]): void {
    const rule = rules.find(each => each.summary);
    const thread = () => builder.threads.thread('', NO_THREAD, false);
    if (rule !== undefined) this.timings.addTo(builder, rule, thread);
  }
}
