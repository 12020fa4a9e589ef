// One JVM or folder that is followed: what is to be done about it now, so that none waits for another.
import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from '../base/problem.ts';
import type { Store } from '../store/store.ts';
import { type FlightRecording, findRecording, rotateChunk, stopRecording } from './flight-recording.ts';
import type { Tier } from './flight-settings.ts';
import type { Follower } from './follower.ts';
import { isRunning, type Jvm } from './jvms.ts';
import type { Spool } from './spool.ts';
import type { ThreadDumps } from './thread-dumps.ts';
import { within } from './within.ts';

/** A JVM writes something every second; when it has been silent for so long its recording may have ended. */
const SILENCE_MILLIS = 15_000;
/** A JVM that is left is not waited for longer than this. */
const STOP_MILLIS = 5000;
/** What could not be kept when a JVM ended is tried again after so long. */
const RETRY_MILLIS = 5000;

export type FollowedOptions = {
  /** null for a folder. */
  readonly jvm: Jvm | null;
  readonly name: string;
  readonly recording: Pick<FlightRecording, 'repository' | 'isOurs' | 'isStreamed'>;
  readonly follower: Follower;
  readonly spool: Spool;
  readonly dumps: ThreadDumps | null;
  readonly store: Store;
  readonly tier: Tier;
  readonly report: (problems: readonly Problem[]) => void;
  /** The JVM is gone, and its last window in the spool. */
  readonly left: () => void;
  /** It records otherwise than it did: this one is to be closed, and another one to follow that. */
  readonly moved: (recording: FlightRecording) => void;
};

/** Call `poll` every second until it has left, or `leave`, or `close`. */
export class Followed {
  readonly options: FollowedOptions;
  /** What is under way with disk and store; one thing at a time. */
  #task: Promise<void> | null = null;
  #isAsking = false;
  #isClosed = false;
  #heardAt = performance.now();
  #leaveAt = 0;

  constructor(options: FollowedOptions) {
    this.options = options;
  }

  /** Reads what is new, and begins what is to be done; neither raises nor waits. */
  poll(): void {
    if (this.#isClosed) return;
    const { follower, jvm, dumps } = this.options;
    const isGone = jvm !== null && !isRunning(jvm);
    try {
      if (follower.poll()) this.#heardAt = performance.now();
    } catch (error) {
      this.#fail('the recording cannot be read', error);
    }
    if (!isGone) {
      dumps?.take();
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

  /** The recorder ends: ends our recording, and reads what is left. */
  async leave(): Promise<void> {
    const { jvm } = this.options;
    let isForGood = jvm !== null && !isRunning(jvm);
    try {
      if (jvm !== null && !isForGood) isForGood = await this.#readLast(jvm);
    } catch (error) {
      this.#fail('what it recorded last cannot be read', error);
    }
    await this.close(isForGood);
  }

  /** Whether the JVM records nothing any more and all is read that it has recorded. */
  async #readLast(jvm: Jvm): Promise<boolean> {
    const { follower, recording, report } = this.options;
    const hasEnded = recording.isOurs && ((await within(STOP_MILLIS, this.#endRecording(jvm))) ?? false);
    const until = performance.now() + STOP_MILLIS;
    while (hasEnded && follower.isReading && performance.now() < until) {
      follower.poll();
      await pause(20);
    }
    if (!hasEnded && !recording.isStreamed) report((await within(STOP_MILLIS, rotateChunk(jvm)))?.problems ?? []);
    return hasEnded;
  }

  /** Reads what is there, and ends the window. */
  async close(isForGood: boolean): Promise<void> {
    const { follower, dumps } = this.options;
    await within(STOP_MILLIS, this.#task ?? Promise.resolve());
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      const more = (await dumps?.profile()) ?? null;
      try {
        follower.close(more, isForGood);
      } finally {
        dumps?.forget();
      }
    } catch (error) {
      this.#fail('the last window stays as it was saved', error);
    }
  }

  #due(isGone: boolean): (() => Promise<void>) | null {
    const { follower } = this.options;
    if (isGone) return performance.now() < this.#leaveAt ? null : () => this.#end();
    if (follower.isDue) return () => this.#roll();
    return follower.wantsSave ? () => this.#save() : null;
  }

  /** What cannot be kept on disk now is tried again: nobody else has it any more. */
  async #end(): Promise<void> {
    this.#leaveAt = performance.now() + RETRY_MILLIS;
    const { follower, dumps, left } = this.options;
    const more = (await dumps?.profile()) ?? null;
    if (this.#isClosed) return;
    try {
      follower.close(more, true);
    } finally {
      dumps?.forget();
    }
    this.#isClosed = true;
    left();
  }

  async #roll(): Promise<void> {
    const { follower, jvm, recording, dumps } = this.options;
    if (jvm !== null && !recording.isStreamed)
      await this.#rotate(jvm).catch(error => this.#fail('its chunk cannot be finished', error));
    const more = (await dumps?.profile()) ?? null;
    if (this.#isClosed) return;
    follower.poll();
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
    const put = encoded === null ? null : store.live?.put(encoded);
    const { user, system } = process.cpuUsage(cpu);
    follower.saved((user + system) / 1000);
    await put;
  }

  /** What has been recorded can be read afterwards. A recording that has ended is found out by that. */
  async #rotate(jvm: Jvm): Promise<void> {
    const { value: isRotated, problems } = await rotateChunk(jvm);
    this.options.report(problems);
    if (!isRotated && problems.length === 0) await this.#ask(jvm, this.options.tier);
  }

  /** Its recording may have ended, by its own setting or by somebody: then ours begins. */
  #wake(): void {
    const { jvm, recording, tier } = this.options;
    if (jvm === null || !recording.isStreamed || this.#isAsking) return;
    if (performance.now() - this.#heardAt <= SILENCE_MILLIS) return;
    this.#heardAt = performance.now();
    this.#isAsking = true;
    void this.#ask(jvm, tier).finally(() => {
      this.#isAsking = false;
    });
  }

  async #ask(jvm: Jvm, tier: Tier): Promise<void> {
    const { recording, report, moved } = this.options;
    try {
      const { value, problems } = await findRecording(jvm, tier);
      if (this.#isClosed) return;
      report(problems.filter(({ severity }) => severity !== 'info'));
      if (value === null) return;
      if (value.isOurs !== recording.isOurs || value.repository !== recording.repository) moved(value);
    } catch (error) {
      this.#fail('it cannot be asked what it records', error);
    }
  }

  /** Whether the JVM records nothing any more. */
  async #endRecording(jvm: Jvm): Promise<boolean> {
    const { value, problems } = await stopRecording(jvm);
    this.options.report(problems);
    return value;
  }

  #fail(what: string, error: unknown, remedy?: string): void {
    const message = `${what}: ${error instanceof Error ? error.message : String(error)}`;
    const { spool, report } = this.options;
    report([{ severity: 'error', message, file: spool.folder, ...(remedy === undefined ? {} : { remedy }) }]);
  }
}

const ROOM = 'make room there; reading goes on and nothing is forgotten';
