// Brings closed windows from the spool into the store: oldest first, again and again until each is there.
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from '../base/problem.ts';
import { mergeProfiles } from '../cct/merge.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import { contentHash } from '../store/encoded.ts';
import type { Store, StoreEntry } from '../store/store.ts';
import { readSpooled, type Spool, type Spooled } from './spool.ts';

const FIRST_WAIT_MILLIS = 500;
const LONGEST_WAIT_MILLIS = 60_000;
/** Nobody waits long at the end. */
const DRAIN_MILLIS = 100;

type Waiting = {
  readonly spool: Spool;
  readonly spooled: Spooled;
  readonly stored: ((entry: StoreEntry) => void) | null;
};

export type UploaderOptions = {
  readonly store: Store;
  /** Bytes of closed windows that may wait on disk. */
  readonly mostBytes: number;
  readonly report: (problems: readonly Problem[]) => void;
};

/** One for all JVMs. */
export class Uploader {
  readonly #options: UploaderOptions;
  #waiting: Waiting[] = [];
  #isAtWork = false;
  #wait = FIRST_WAIT_MILLIS;
  #wakeUp = new AbortController();
  #isToldDown = false;

  constructor(options: UploaderOptions) {
    this.#options = options;
  }

  /** How many windows wait. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Takes a closed window; `stored` is called when the store has it. */
  add(spool: Spool, spooled: Spooled, stored: ((entry: StoreEntry) => void) | null = null): void {
    this.#waiting.push({ spool, spooled, stored });
    this.#shrink();
    void this.#work();
  }

  /** Waits until nothing is left, or the time is up; tells how many windows are left. */
  async drain(millis: number): Promise<number> {
    const until = performance.now() + millis;
    while (this.#waiting.length > 0 && performance.now() < until) {
      this.#wakeUp.abort();
      await pause(DRAIN_MILLIS);
    }
    return this.#waiting.length;
  }

  async #work(): Promise<void> {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    while (this.#waiting.length > 0) {
      const first = this.#waiting[0]!;
      if (await this.#put(first)) {
        this.#waiting = this.#waiting.filter(each => each !== first);
        this.#wait = FIRST_WAIT_MILLIS;
        this.#isToldDown = false;
        continue;
      }
      this.#wakeUp = new AbortController();
      // Recorders of many machines must not come back all at once.
      const wait = this.#wait * (0.5 + Math.random() / 2);
      await pause(wait, null, { signal: this.#wakeUp.signal }).catch(() => undefined);
      this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MILLIS);
    }
    this.#isAtWork = false;
  }

  async #put({ spool, spooled, stored }: Waiting): Promise<boolean> {
    const read = readSpooled(spooled.path);
    if (read === null) {
      // Merged into another, or somebody has cleared the spool away.
      return true;
    }
    const { value: entry, problems } = await this.#options.store.put(read.snapshot);
    if (entry === null) {
      if (!this.#isToldDown) this.#options.report(problems);
      this.#isToldDown = true;
      return false;
    }
    if (this.#isToldDown) {
      const message = 'the store takes snapshots again';
      this.#options.report([{ severity: 'info', message, file: this.#options.store.location }]);
    }
    spool.remove(spooled);
    stored?.(entry);
    return true;
  }

  /** Merges the oldest windows of a JVM when too much waits; one that is being sent now stays as it is. */
  #shrink(): void {
    let bytes = this.#waiting.reduce((sum, { spooled }) => sum + spooled.bytes, 0);
    const idle = () => this.#waiting.slice(this.#isAtWork ? 1 : 0);
    while (bytes > this.#options.mostBytes) {
      const older = idle().find(
        (each, i, all) =>
          all.findIndex(other => other.spool === each.spool) !== i ||
          all.some((other, k) => k > i && other.spool === each.spool),
      );
      const newer = older && idle().find(each => each !== older && each.spool === older.spool);
      if (older === undefined || newer === undefined) {
        this.#drop(idle()[0]);
        return;
      }
      const merged = mergeWaiting(older, newer);
      if (merged === null) {
        this.#drop(older);
        return;
      }
      this.#waiting = this.#waiting.filter(each => each !== older).map(each => (each === newer ? merged : each));
      const message = 'the spool is full: its oldest windows were merged into one';
      this.#options.report([{ severity: 'warning', message, file: older.spool.folder, remedy: 'check the store' }]);
      const after = this.#waiting.reduce((sum, { spooled }) => sum + spooled.bytes, 0);
      if (after >= bytes) return;
      bytes = after;
    }
  }

  #drop(waiting: Waiting | undefined): void {
    if (waiting === undefined || this.#waiting.length < 2) return;
    waiting.spool.remove(waiting.spooled);
    this.#waiting = this.#waiting.filter(each => each !== waiting);
    const message = 'the spool is full: its oldest window is lost';
    const remedy = 'check the store, or give the spool more room with --spool-size';
    this.#options.report([{ severity: 'error', message, file: waiting.spooled.path, remedy }]);
  }
}

/**
 * One window of two, under the number of the newer one. It names both as replaced: the store may have either already, when its
 * answer was lost.
 */
function mergeWaiting(older: Waiting, newer: Waiting): Waiting | null {
  const [first, second] = [readSpooled(older.spooled.path), readSpooled(newer.spooled.path)];
  if (first === null || second === null) return null;
  const [a, b] = [decodeSnapshot(first.snapshot).value, decodeSnapshot(second.snapshot).value];
  if (a === null || b === null) return null;
  const hashes = [first, second].map(({ snapshot }) => contentHash(snapshot));
  const header = {
    ...b.header,
    startMillis: Math.min(a.header.startMillis, b.header.startMillis),
    endMillis: Math.max(a.header.endMillis, b.header.endMillis),
    problems: [...a.header.problems, ...b.header.problems].slice(-20),
    replaces: [...new Set([...a.header.replaces, ...b.header.replaces, ...hashes])],
  };
  const bytes = encodeSnapshot({ header, profile: mergeProfiles([a.profile, b.profile]) });
  const spooled = newer.spool.saveClosed({ ...second.note, startMillis: header.startMillis }, bytes);
  rmSync(older.spooled.path, { force: true });
  const stored = (entry: StoreEntry) => {
    older.stored?.(entry);
    newer.stored?.(entry);
  };
  return { spool: newer.spool, spooled, stored };
}
