// Which types of time a recording can tell, by the events that it has, and which events it lacks.
import type { TimeType } from '../../model/time-types.ts';
import { metricOf } from './event-table.ts';

/** Types of time by the metrics of the events that tell them. Events have thresholds, so these parts are lower bounds. */
export const TYPE_OF_METRIC: Readonly<Record<string, TimeType>> = {
  lock: ':MONITOR',
  wait: ':WAIT',
  park: ':PARK',
  sleep: ':SLEEP',
  socket: ':IO',
  file: ':IO',
};

/** Tells, now and then, what part of all processors each thread had. */
export const THREAD_LOAD = 'jdk.ThreadCPULoad';

/** A missing fact, and how it is recorded. */
type Untold = { readonly message: string; readonly remedy: string };

/** The events of a whole recording. */
export class ToldTypes {
  /** Whether any event came that tells how long threads ran. */
  isRunTold = false;
  /** By the event of a wait: whether it was off in all chunks so far. */
  readonly #isOff = new Map<string, boolean>();

  /** An event that a chunk can have. */
  note(event: string, isOff: boolean): void {
    if (metricOf(event)! in TYPE_OF_METRIC) this.#isOff.set(event, isOff && this.#isOff.get(event) !== false);
  }

  /** One for each type that the recording does not tell, or not in full. */
  untold(): readonly Untold[] {
    const waits = [...new Set(Object.values(TYPE_OF_METRIC))].flatMap(type => {
      const events = [...this.#isOff].filter(([event]) => TYPE_OF_METRIC[metricOf(event)!] === type);
      const off = events.flatMap(([event, isOff]) => (isOff ? [event] : []));
      if (off.length === 0) return [];
      const part = off.length < events.length ? ' in full' : '';
      return [
        {
          message: `${type} is not recorded${part}: ${off.join(', ')} ${off.length === 1 ? 'is' : 'are'} off`,
          remedy: on(off),
        },
      ];
    });
    if (this.isRunTold) return waits;
    return [{ message: `:RUN is not recorded: there is no ${THREAD_LOAD}`, remedy: on([THREAD_LOAD]) }, ...waits];
  }
}

function on(events: readonly string[]): string {
  const settings = events.map(event => `${event}#enabled=true`);
  return `record with ${settings.join(',')}, or with the settings that insitu record --print-settings writes`;
}
