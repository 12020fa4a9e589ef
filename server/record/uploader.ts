// Brings closed windows from the spool into the store, again and again until each is there; none is in the way of another.

import { existsSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../base/message-of.ts';
import type { Outcome, Problem } from '../base/problem.ts';
import { mergeProfiles } from '../cct/merge.ts';
import { limitSingleThreads } from '../cct/thread-groups.ts';
import { unitedChunks } from '../snapshot/chunks.ts';
import { commonCircumstances, withoutCircumstances } from '../snapshot/circumstances.ts';
import { foreignIn, SnapshotReader } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import { executionKey } from '../store/counting.ts';
import { contentHash } from '../store/encoded.ts';
import type { Store, StoreEntry } from '../store/store.ts';
import { readSpooled, type Spool, type Spooled } from './spool.ts';

const FIRST_WAIT_MILLIS = 500;
const LONGEST_WAIT_MILLIS = 60_000;
/** The end of the process waits no longer. */
const DRAIN_MILLIS = 100;
/** A window that the store refuses so often while it takes others is refused for its own sake. */
const MOST_REFUSALS = 3;
/** Then it is tried again no more often than this. */
const ASIDE_MILLIS = 600_000;

type Waiting = {
  readonly spool: Spool;
  readonly spooled: Spooled;
  readonly stored: ((entry: StoreEntry) => void) | null;
  /** How often the store did not take it, and how often of these it had just taken another. */
  failures: number;
  refusals: number;
  /** When it is tried again, by a clock that cannot be set. */
  dueAt: number;
  /** Whether the window must stay as it is: a newer recorder wrote what this version does not know. */
  readonly isForeign: boolean;
};

type UploaderOptions = {
  readonly store: Store;
  /** Bytes of closed windows that may wait on disk. */
  readonly mostBytes: number;
  readonly report: (problems: readonly Problem[]) => void;
};

/** One for all JVMs. */
export class Uploader {
  readonly #options: UploaderOptions;
  #waiting: Waiting[] = [];
  /** The window that is being sent stays as it is. */
  #sending: Waiting | null = null;
  #isAtWork = false;
  #isEnded = false;
  #isDraining = false;
  #isBackingOff = false;
  #wait = FIRST_WAIT_MILLIS;
  #wakeUp = new AbortController();
  /** Whether the store took what it was given last. */
  #isUp = false;
  #failedInRow = 0;
  #isToldDown = false;
  /** Why the store did not take what it was given last; empty where it did. */
  #reason = '';

  constructor(options: UploaderOptions) {
    this.#options = options;
  }

  /** How many windows wait. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Why windows wait. */
  get reason(): string {
    return this.#reason || 'the store does not answer';
  }

  /** Whether it has this window already. */
  has({ path }: Spooled): boolean {
    return this.#waiting.some(({ spooled }) => spooled.path === path);
  }

  /** Takes a closed window; `stored` is called when the store has it. */
  add(spool: Spool, spooled: Spooled, stored: ((entry: StoreEntry) => void) | null = null): void {
    const isForeign = foreignIn(readSpooled(spooled.path)?.snapshot).length > 0;
    this.#waiting.push({ spool, spooled, stored, failures: 0, refusals: 0, dueAt: 0, isForeign });
    this.#shrink();
    if (!this.#isBackingOff) this.#wakeUp.abort();
    void this.#work();
  }

  /** Waits until nothing is left, or the time is up; tells how many windows are left. */
  async drain(millis: number): Promise<number> {
    const until = performance.now() + millis;
    this.#isDraining = true;
    while (this.#waiting.length > 0 && performance.now() < until) {
      this.#wakeUp.abort();
      await pause(DRAIN_MILLIS);
    }
    this.#isDraining = false;
    return this.#waiting.length;
  }

  /** Sends nothing more: what waits is for the next recorder. */
  end(): void {
    this.#isEnded = true;
    this.#wakeUp.abort();
  }

  async #work(): Promise<void> {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    while (!this.#isEnded && this.#waiting.length > 0) {
      const next = this.#next();
      if (next === null) {
        await this.#pause(LONGEST_WAIT_MILLIS);
        continue;
      }
      this.#sending = next;
      const problems = await this.#put(next);
      this.#sending = null;
      if (problems === null) {
        this.#waiting = this.#waiting.filter(each => each !== next);
        continue;
      }
      this.#noteFailure(next, problems);
      // One may be refused for its own sake; a second one tells that the store is down.
      if (this.#failedInRow > 1 || this.#next() === next) await this.#backOff();
    }
    this.#isAtWork = false;
  }

  /** The window that has failed least, of these the one that has waited longest; null while all that wait were put aside. */
  #next(): Waiting | null {
    const now = performance.now();
    const due = this.#waiting.filter(({ dueAt }) => this.#isDraining || dueAt <= now);
    return due.reduce<Waiting | null>(
      (best, each) => (best === null || each.failures < best.failures ? each : best),
      null,
    );
  }

  /** null when it need not be sent again; else what is in the way. */
  async #put({ spool, spooled, stored, failures }: Waiting): Promise<readonly Problem[] | null> {
    const read = readSpooled(spooled.path);
    // Merged into another, or cleared away with the spool.
    if (read === null && !existsSync(spooled.path)) return null;
    if (read === null) return [{ severity: 'error', message: 'the window cannot be read', file: spooled.path }];
    const { store, report } = this.#options;
    const { value: entry, problems } = await store.put(read.snapshot).catch(failed);
    if (entry === null) return problems;
    if (this.#isToldDown && (failures > 0 || this.#failedInRow > 1))
      report([{ severity: 'info', message: 'the store takes snapshots again', file: store.location }]);
    this.#isUp = true;
    this.#isToldDown = false;
    this.#reason = '';
    this.#failedInRow = 0;
    this.#wait = FIRST_WAIT_MILLIS;
    this.#remove(spool, spooled);
    stored?.(entry);
    return null;
  }

  #noteFailure(waiting: Waiting, problems: readonly Problem[]): void {
    waiting.failures++;
    this.#reason = problems[0]?.message ?? 'the store does not say why';
    this.#failedInRow++;
    if (this.#isUp) waiting.refusals++;
    this.#isUp = false;
    if (!this.#isToldDown) this.#options.report(problems);
    this.#isToldDown = true;
    if (waiting.refusals < MOST_REFUSALS) return;
    waiting.dueAt = performance.now() + ASIDE_MILLIS;
    if (waiting.refusals > MOST_REFUSALS) return;
    const message = `the store refuses this window and takes others: ${problems[0]?.message ?? 'it does not say why'}`;
    const remedy = problems[0]?.remedy ?? 'check the store';
    this.#options.report([{ severity: 'error', message, file: waiting.spooled.path, remedy }]);
  }

  async #backOff(): Promise<void> {
    // Recorders of many machines must not come back all at once.
    const wait = this.#wait * (0.5 + Math.random() / 2);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MILLIS);
    this.#isBackingOff = true;
    await this.#pause(wait);
    this.#isBackingOff = false;
  }

  async #pause(millis: number): Promise<void> {
    if (this.#isEnded) return;
    this.#wakeUp = new AbortController();
    await pause(millis, null, { signal: this.#wakeUp.signal }).catch(() => undefined);
  }

  /** A stored window that cannot be removed here is stored once more by the next recorder, which changes nothing. */
  #remove(spool: Spool, spooled: Spooled): void {
    try {
      spool.remove(spooled);
    } catch (error) {
      const message = `what is stored cannot be removed from the spool: ${messageOf(error)}`;
      this.#options.report([{ severity: 'warning', message, file: spooled.path, remedy: 'let this user write there' }]);
    }
  }

  #bytes(): number {
    return this.#waiting.reduce((sum, { spooled }) => sum + spooled.bytes, 0);
  }

  /** Merges the oldest windows of a JVM when too much waits. */
  #shrink(): void {
    for (let bytes = this.#bytes(); bytes > this.#options.mostBytes; ) {
      const pair = this.#mergeable();
      const merged = pair === null ? null : this.#merged(...pair);
      if (pair === null || merged === null) {
        this.#drop();
        return;
      }
      const [older, newer] = pair;
      this.#waiting = this.#waiting.filter(each => each !== older).map(each => (each === newer ? merged : each));
      const message = 'the spool is full: its oldest windows were merged into one';
      this.#options.report([{ severity: 'warning', message, file: older.spool.folder, remedy: 'check the store' }]);
      const after = this.#bytes();
      if (after >= bytes) return;
      bytes = after;
    }
  }

  /** The oldest two windows of a JVM that may become one which the store takes. */
  #mergeable(): [Waiting, Waiting] | null {
    const oldest = new Map<string, Waiting>();
    for (const each of this.#waiting) {
      if (each === this.#sending || each.refusals >= MOST_REFUSALS || each.isForeign) continue;
      const { spool, spooled } = each;
      const kind = `${spool.folder} ${executionKey(spooled.note.execution)}`;
      const before = oldest.get(kind);
      if (before !== undefined && before.spooled.bytes + spooled.bytes <= this.#options.store.mostBytes)
        return [before, each];
      oldest.set(kind, each);
    }
    return null;
  }

  #merged(older: Waiting, newer: Waiting): Waiting | null {
    try {
      return mergeWaiting(older, newer);
    } catch {
      // No room even for the one that two would become.
      return null;
    }
  }

  /** Drops a window; one that the store refuses anyway goes first. */
  #drop(): void {
    const idle = this.#waiting.filter(each => each !== this.#sending);
    const waiting = idle.find(({ refusals }) => refusals >= MOST_REFUSALS) ?? idle[0];
    if (waiting === undefined || this.#waiting.length < 2) return;
    this.#remove(waiting.spool, waiting.spooled);
    this.#waiting = this.#waiting.filter(each => each !== waiting);
    const message = 'the spool is full: its oldest window is lost';
    const remedy = 'check the store, or give the spool more room with --spool-size';
    this.#options.report([{ severity: 'error', message, file: waiting.spooled.path, remedy }]);
  }
}

function failed(error: unknown): Outcome<null> {
  const message = `the store fails: ${messageOf(error)}`;
  return { value: null, problems: [{ severity: 'error', message }] };
}

/**
 * One window of two, under the number of the newer one. It names both as replaced: the store may have either already, when its
 * answer was lost.
 */
function mergeWaiting(older: Waiting, newer: Waiting): Waiting | null {
  const [first, second] = [readSpooled(older.spooled.path), readSpooled(newer.spooled.path)];
  if (first === null || second === null) return null;
  const reader = new SnapshotReader();
  const [a, b] = [reader.read(first.snapshot).value, reader.read(second.snapshot).value];
  if (a === null || b === null) return null;
  const hashes = [first, second].map(({ snapshot }) => contentHash(snapshot));
  const header = {
    ...withoutCircumstances(b.header),
    ...commonCircumstances([a.header, b.header]),
    ...unitedChunks([a.header, b.header]),
    startMillis: Math.min(a.header.startMillis, b.header.startMillis),
    endMillis: Math.max(a.header.endMillis, b.header.endMillis),
    problems: [...a.header.problems, ...b.header.problems].slice(-20),
    replaces: [...new Set([...a.header.replaces, ...b.header.replaces, ...hashes])],
  };
  const bytes = encodeSnapshot({ header, profile: limitSingleThreads(mergeProfiles([a.profile, b.profile])) });
  const spooled = newer.spool.saveClosed({ ...second.note, startMillis: header.startMillis }, bytes);
  rmSync(older.spooled.path, { force: true });
  const stored = (entry: StoreEntry) => {
    older.stored?.(entry);
    newer.stored?.(entry);
  };
  return { ...newer, spooled, stored };
}
