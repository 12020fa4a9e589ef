// One JVM or folder that is followed: decides its next step, so that none waits for another.

import { setTimeout as pause } from 'node:timers/promises';
import { inTime } from '../base/in-time.ts';
import { messageOf } from '../base/message-of.ts';
import type { Problem } from '../base/problem.ts';
import type { Store } from '../store/store.ts';
import { unlessEnded } from './attach.ts';
import type { CallTimer } from './call-timer.ts';
import { type FlightRecording, findRecording, recordsNothing, rotateChunk, stopRecording } from './flight-recording.ts';
import type { FlightSettings } from './flight-settings.ts';
import type { Follower } from './follower.ts';
import { isRunning, type Jvm } from './jvms.ts';
import type { SchedulerTimes } from './scheduler-times.ts';
import type { Spool } from './spool.ts';
import type { ThreadDumps } from './thread-dumps.ts';

/** A JVM writes something every second; when it has been silent for so long its recording may have ended. */
const SILENCE_MILLIS = 15_000;
/** A JVM that is left is not waited for longer than this. */
const STOP_MILLIS = 5000;
/** Windows that could not be kept when a JVM ended are tried again after so long. */
const RETRY_MILLIS = 5000;
/** When the recorder ends, it is tried so often until then. */
const CLOSE_MILLIS = 500;

export type FollowedOptions = {
  /** null for a folder. */
  readonly jvm: Jvm | null;
  readonly name: string;
  readonly recording: Pick<FlightRecording, 'repository' | 'isOurs' | 'isStreamed'>;
  readonly follower: Follower;
  readonly spool: Spool;
  readonly dumps: ThreadDumps | null;
  readonly times?: Pick<SchedulerTimes, 'look'> | null;
  readonly calls?: Pick<CallTimer, 'look' | 'end'> | null;
  readonly store: Store;
  readonly settings: FlightSettings;
  readonly report: (problems: readonly Problem[]) => void;
  /** The JVM is gone, and its last window handed over. */
  readonly left: () => void;
  /** After so many events it is full; never when absent. */
  readonly mostEvents?: number;
  readonly full?: () => void;
  /** Is called when the JVM records otherwise than before: this one is to be closed, and another one to follow that recording. */
  readonly moved: (recording: FlightRecording) => void;
};

/** Call `poll` every second until it has left, or `leave`, or `close`. */
export class Followed {
  readonly options: FollowedOptions;
  /** The work under way with JVM and disk; one thing at a time. */
  #task: Promise<void> | null = null;
  /** The work under way with the store: nothing waits for it longer than for a JVM. */
  #showing: Promise<unknown> | null = null;
  #isAsking = false;
  /** Whether the recording that was followed is over and all of it read. */
  #isOver = false;
  #isClosed = false;
  #isFull = false;
  #heardAt = performance.now();
  #leaveAt = 0;

  constructor(options: FollowedOptions) {
    this.options = options;
  }

  /** Whether it is to be polled again at once: there is more to be read. */
  get isCatchingUp(): boolean {
    return !this.#isClosed && this.options.follower.isCatchingUp;
  }

  /** Reads what is new, and begins what is to be done; neither raises nor waits. */
  poll(): void {
    if (this.#isClosed) return;
    const { follower, jvm, dumps, times, calls } = this.options;
    const isGone = jvm !== null && !isRunning(jvm);
    try {
      if (follower.poll()) this.#heardAt = performance.now();
      // The chunks of a JVM that is gone are read to their end.
      if (!isGone) this.#countEvents();
    } catch (error) {
      this.#fail('the recording cannot be read', error);
    }
    if (!isGone) {
      dumps?.take();
      times?.look();
      calls?.look(follower.tracedCalls);
      this.#wake();
    }
    if (this.#task !== null) return;
    const work = this.#due(isGone);
    if (work === null) return;
    this.#task = work()
      .catch(error => this.#fail('what was read cannot be kept on disk', error, ROOM))
      .finally(() => {
        this.#task = null;
      });
  }

  #countEvents(): void {
    const { follower, mostEvents, full } = this.options;
    if (mostEvents === undefined || this.#isFull || follower.eventCount < mostEvents) return;
    this.#isFull = true;
    follower.countedInPart();
    full?.();
  }

  /** The recorder ends: ends our recording, reads what is left, and ends the window. Tells whether all is kept. */
  async leave(): Promise<boolean> {
    const { jvm, calls } = this.options;
    try {
      await inTime(calls?.end() ?? Promise.resolve(), STOP_MILLIS);
      if (jvm !== null && isRunning(jvm)) await this.#readLast(jvm);
    } catch (error) {
      this.#fail('what it recorded last cannot be read', error);
    }
    return await this.close();
  }

  /** Reads what the JVM writes when its recording ends, which may be because the JVM does. */
  async #readLast(jvm: Jvm): Promise<void> {
    const { follower, recording, report } = this.options;
    const answer = await inTime(recording.isOurs ? stopRecording(jvm) : recordsNothing(jvm), STOP_MILLIS);
    if (answer === undefined) return;
    // One that cannot be asked any more may be about to end.
    const isEnding = answer.value || answer.problems.length > 0;
    const until = performance.now() + STOP_MILLIS;
    while (isEnding && isRunning(jvm) && follower.isReading && performance.now() < until) {
      follower.readAll();
      await pause(20);
    }
    if (!isRunning(jvm)) return;
    report(answer.problems);
    this.#isOver = answer.value && recording.isOurs;
    if (!answer.value && !recording.isStreamed) {
      const rotated = await inTime(rotateChunk(jvm), STOP_MILLIS);
      report(unlessEnded(rotated?.problems ?? []));
    }
  }

  /** Ends the window, whatever else is under way; tried again for a while where that fails. Tells whether all is kept. */
  async close(): Promise<boolean> {
    await inTime(this.#task ?? Promise.resolve(), STOP_MILLIS);
    await inTime(this.options.calls?.end() ?? Promise.resolve(), STOP_MILLIS);
    for (const until = performance.now() + STOP_MILLIS; ; await pause(CLOSE_MILLIS)) {
      try {
        await this.#finish();
        return true;
      } catch (error) {
        if (performance.now() < until) continue;
        this.#isClosed = true;
        this.#fail('the last window stays as it was saved', error);
        return false;
      }
    }
  }

  /** The one way to the end: reads what is there, and brings the window to its end. What cannot be kept raises, and is kept for the next time. */
  async #finish(): Promise<void> {
    const { follower, dumps, jvm } = this.options;
    await inTime(this.#showing ?? Promise.resolve(), STOP_MILLIS);
    const more = (await dumps?.profile()) ?? null;
    if (this.#isClosed) return;
    // Asked before the last reading: behind the end of a JVM nothing comes.
    const isForGood = this.#isOver || (jvm !== null && !isRunning(jvm));
    try {
      follower.close(more, isForGood);
    } finally {
      dumps?.forget();
    }
    this.#isClosed = true;
  }

  #due(isGone: boolean): (() => Promise<void>) | null {
    const { follower } = this.options;
    if (isGone) return performance.now() < this.#leaveAt ? null : () => this.#end();
    if (follower.isDue) return () => this.#roll();
    return follower.wantsSave ? () => this.#save() : null;
  }

  /** Data that cannot be kept on disk now are written again later: they exist nowhere else any more. */
  async #end(): Promise<void> {
    this.#leaveAt = performance.now() + RETRY_MILLIS;
    if (this.#isClosed) return;
    await this.#finish();
    const { follower, jvm, name, left, report } = this.options;
    if (!follower.hasRead) {
      const message = 'it ended before anything that it did could be read';
      report([{ severity: 'warning', message, file: `JVM ${jvm?.pid} (${name})`, remedy: OWN_RECORDING }]);
    }
    left();
  }

  async #roll(): Promise<void> {
    const { follower, jvm, recording, dumps } = this.options;
    if (jvm !== null && !recording.isStreamed)
      await this.#rotate(jvm).catch(error => this.#fail('its chunk cannot be finished', error));
    await inTime(this.#showing ?? Promise.resolve(), STOP_MILLIS);
    const more = (await dumps?.profile()) ?? null;
    if (this.#isClosed) return;
    follower.readAll();
    try {
      follower.roll(more);
    } finally {
      dumps?.forget();
    }
  }

  async #save(): Promise<void> {
    const { follower, store } = this.options;
    const cpu = process.cpuUsage();
    const encoded = follower.save();
    if (encoded !== null && this.#showing === null)
      this.#showing =
        store.live
          ?.put(encoded)
          .catch(error => this.#fail('what is open cannot be shown', error))
          .finally(() => {
            this.#showing = null;
          }) ?? null;
    const { user, system } = process.cpuUsage(cpu);
    follower.saved((user + system) / 1000);
  }

  /** Makes the JVM close its chunk, which can be read afterwards. This also tells of a recording that has ended. */
  async #rotate(jvm: Jvm): Promise<void> {
    const { value: isRotated, problems } = await rotateChunk(jvm);
    this.options.report(unlessEnded(problems));
    if (!isRotated && problems.length === 0) await this.#ask(jvm, this.options.settings);
  }

  /** Its recording may have ended, by its own setting or by another tool: then ours begins. */
  #wake(): void {
    const { jvm, recording, settings } = this.options;
    if (jvm === null || !recording.isStreamed || this.#isAsking) return;
    if (performance.now() - this.#heardAt <= SILENCE_MILLIS) return;
    this.#heardAt = performance.now();
    this.#isAsking = true;
    void this.#ask(jvm, settings).finally(() => {
      this.#isAsking = false;
    });
  }

  async #ask(jvm: Jvm, settings: FlightSettings): Promise<void> {
    const { recording, report, moved } = this.options;
    try {
      const { value, problems } = await findRecording(jvm, settings);
      if (this.#isClosed) return;
      report(unlessEnded(problems).filter(({ severity }) => severity !== 'info'));
      if (value === null) return;
      if (value.isOurs !== recording.isOurs || value.repository !== recording.repository) moved(value);
    } catch (error) {
      this.#fail('it cannot be asked what it records', error);
    }
  }

  #fail(what: string, error: unknown, remedy?: string): void {
    const message = `${what}: ${messageOf(error)}`;
    const { spool, report } = this.options;
    report([{ severity: 'error', message, file: spool.folder, ...(remedy === undefined ? {} : { remedy }) }]);
  }
}

/** A recording from the start of a JVM on, in its own process, needs no recorder in time. */
export const OWN_RECORDING = 'start it with -XX:StartFlightRecording=filename=<file>, and import that file';

const ROOM = 'make room there; reading goes on and nothing is forgotten';
