// Follows one JVM: reads its chunks as they are written, window by window, and hands over what each window came to.
import { formatProblem, type Problem } from '../base/problem.ts';
import { mapWindows, withJvm } from '../cct/map-windows.ts';
import { mergeProfiles } from '../cct/merge.ts';
import { PARTIAL_METHOD, type Profile } from '../cct/profile.ts';
import { limitSingleThreads } from '../cct/thread-groups.ts';
import type { EventMetric } from '../ingest/ingest.ts';
import type { KnownMetadata } from '../ingest/jfr/known-metadata.ts';
import { type LiveProfile, LiveReader } from '../ingest/jfr/live-reader.ts';
import type { ScheduledTimes } from '../ingest/jfr/scheduled-time.ts';
import type { Execution } from '../model/execution.ts';
import { decodeSnapshot, foreignIn } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Snapshot, SnapshotHeader } from '../snapshot/snapshot.ts';
import { ChunkSequence } from './chunk-sequence.ts';
import { onlyCounts } from './only-counts.ts';
import { type Redaction, redactProfile } from './redact.ts';
import { type ReadPosition, readSpooled, type Spool, type Spooled, type SpoolNote } from './spool.ts';

type FollowerOptions = {
  readonly execution: Execution;
  /** Identity of the JVM, for recordings that do not tell it. */
  readonly jvm?: string;
  /** Folder of the chunk files. */
  readonly repository: string;
  /** For people: what records, where, with which settings. */
  readonly recorder: string;
  readonly metrics: readonly EventMetric[];
  /** Of all JVMs that are followed. */
  readonly metadata: KnownMetadata;
  readonly redaction: Redaction;
  readonly spool: Spool;
  /** Length of the first window, so that there is something soon, and of the others. Milliseconds. */
  readonly firstMillis: number;
  readonly intervalMillis: number;
  /** The times of its threads since the last look, by the operating system. */
  readonly threadTimes?: () => ScheduledTimes;
  /** How many processors the JVM may use; null where that is not known. */
  readonly processors?: () => number | null;
  /** Whether sums of a method's calls (`com.acme.Shop::search`) at a moment are dropped. */
  readonly isLeftOut?: (filter: string, millis: number) => boolean;
  /** Whether numbers of calls alone are kept. */
  readonly countsOnly?: boolean;
  readonly report: (problems: readonly Problem[]) => void;
  /** Takes a window that has ended with samples in it: it waits in the spool. */
  readonly closed: (window: Spooled) => void;
};

const MOST_PROBLEMS = 20;
/**
 * A window that is open is saved no more often than this, and less often when that costs more than a two-hundredth of the time. A bit
 * less than a second, so that each look of a recorder that looks every second saves.
 */
const SAVE_MILLIS = 900;
const MOST_SAVE_MILLIS = 3000;
const SAVE_SHARE = 200;
/** Catching up goes in steps of so many bytes, some 100 ms each. */
const STEP_BYTES = 2 << 20;
/** Meanwhile a recorder that is killed must not begin at the same place for ever: it is saved more often, for a tenth of the time. */
const CATCH_UP_MILLIS = 200;
const CATCH_UP_SHARE = 10;
/** A window that could not be written when it ended is tried again after so long. */
const RETRY_MILLIS = 5000;

/**
 * One JVM. `poll` again and again, at once while it `isCatchingUp`, `save` whenever it `wantsSave`, `close` at the end. What cannot be
 * written raises, and is kept.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #chunks: ChunkSequence;
  readonly #reader: LiveReader;
  /** The data of the open window besides the reader's: of an earlier recorder, or of an end that could not be written. */
  #carried: Profile | null = null;
  #lostBytes = 0;
  #sequence = 1;
  #startMillis = 0;
  /** When the window before ended. */
  #endedMillis = 0;
  /** When the open one shall end, by a clock that cannot be set. */
  #dueAt = 0;
  /** Windows that have ended while it is not written yet where reading goes on. */
  readonly #ended: Spooled[] = [];
  #problems: Problem[] = [];
  #lastSave = performance.now();
  /** Whether there was more to be read than one step has, ever since the beginning. */
  #isCatchingUp = true;
  readonly #wasRead: boolean;
  #isFresh = true;
  #saveEvery = CATCH_UP_MILLIS;
  /** How many bytes had been read when the open window was saved. */
  #savedBytes = 0;
  #isToldDepth = false;
  /** Events of the windows that have ended. */
  #endedEvents = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
    const { repository, metrics, metadata, jvm, isLeftOut } = options;
    const report = (message: string) => this.#note(message);
    const given = { ...(jvm !== undefined && { jvm }), ...(isLeftOut !== undefined && { isLeftOut }) };
    this.#reader = new LiveReader({ metrics, metadata, report, ...given });
    const resume = this.#takeOver();
    this.#wasRead = resume !== null;
    this.#chunks = new ChunkSequence(repository, this.#reader, resume, message => this.#note(message));
    this.#begin(options.firstMillis);
  }

  /** Reads what is new, while catching up one step of it; true when there was something. */
  poll(): boolean {
    try {
      const left = this.#isCatchingUp ? STEP_BYTES : Number.POSITIVE_INFINITY;
      const read = this.#chunks.read(left);
      if (read >= left) return true;
      this.#caughtUp();
      return read > 0;
    } catch (error) {
      this.#caughtUp();
      throw error;
    }
  }

  /** Reads all that there is; true when there was something. */
  readAll(): boolean {
    this.#caughtUp();
    let any = false;
    // A look opens no more than some of many files.
    while (this.poll()) any = true;
    return any;
  }

  /** Whether there is more to be read right now. */
  get isCatchingUp(): boolean {
    return this.#isCatchingUp;
  }

  /** Saves the read data at the next chance, so that a recorder that is killed soon does not begin there again. */
  #caughtUp(): void {
    if (!this.#isCatchingUp) return;
    this.#isCatchingUp = false;
    this.#lastSave = Number.NEGATIVE_INFINITY;
  }

  /** Whether the window has lasted long enough. Counted by a clock that cannot be set. */
  get isDue(): boolean {
    return performance.now() >= this.#dueAt;
  }

  /** Whether the open window should be saved now. */
  get wantsSave(): boolean {
    const isWanted = this.#chunks.bytesRead > this.#savedBytes || this.#ended.length > 0;
    return isWanted && performance.now() - this.#lastSave >= this.#saveEvery;
  }

  /** Saves the open window, and gives the bytes of the provisional snapshot of what it has so far; null while it has nothing. */
  save(): Uint8Array | null {
    const snapshot = this.#soFar();
    const bytes = snapshot === null ? null : encodeSnapshot(snapshot);
    this.#saveOpen(bytes);
    this.#savedBytes = this.#chunks.bytesRead;
    this.#lastSave = performance.now();
    return bytes;
  }

  /** Tells how many milliseconds of work saving took in all, the store's part included: the next waits as that demands. */
  saved(workMillis: number): void {
    const [least, share] = this.#isCatchingUp ? [CATCH_UP_MILLIS, CATCH_UP_SHARE] : [SAVE_MILLIS, SAVE_SHARE];
    this.#saveEvery = Math.min(MOST_SAVE_MILLIS, Math.max(least, share * workMillis));
  }

  /**
   * Ends the window and begins the next; the ended one, when it has samples, is in the spool.
   * @param more what was seen of the JVM besides its recording
   */
  roll(more: Profile | null = null): void {
    this.#saveEnded(more);
    this.#begin(this.#options.intervalMillis);
    this.#saveOpen(null);
  }

  /**
   * The JVM is gone or is left alone: the rest is read, and the window ends.
   * @param isForGood whether no recorder will go on reading: then nothing has to be known about where it ended
   */
  close(more: Profile | null, isForGood: boolean): void {
    this.readAll();
    if (isForGood) this.#reader.giveUp();
    this.#saveEnded(more);
    if (isForGood) this.#forget();
    else this.#saveOpen(null);
    this.#chunks.close();
  }

  #forget(): void {
    for (const each of this.#options.spool.list()) {
      if (each.isOpen && foreignIn(readSpooled(each.path)?.snapshot).length === 0) this.#options.spool.remove(each);
    }
    this.#handOver();
  }

  /** Events that were read so far, of the metric with most. */
  get eventCount(): number {
    return this.#endedEvents + this.#reader.eventCount;
  }

  /** Single calls that were read so far. */
  get tracedCalls(): number {
    return this.#reader.tracedCalls;
  }

  /** Notes that only a part of the calls was counted. */
  countedInPart(): void {
    this.#note(`counting ended after ${this.eventCount.toLocaleString('en')} calls: all numbers are lower bounds (≥)`);
  }

  /** The number of the open window. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Whether anything of the JVM was ever read, by an earlier recorder too. */
  get hasRead(): boolean {
    return this.#wasRead || this.#chunks.bytesRead > 0;
  }

  /** Whether a chunk is not finished yet. */
  get isReading(): boolean {
    return this.#chunks.isReading;
  }

  /** Takes what an earlier recorder has left, and gives the position at which it ended. */
  #takeOver(): ReadPosition | null {
    const last = this.#options.spool.list().at(-1);
    if (last === undefined) return null;
    const read = readSpooled(last.path);
    const { position } = last.note;
    this.#reader.resume(last.note.totals ?? []);
    this.#sequence = last.isOpen ? last.note.sequence : last.note.sequence + 1;
    if (!last.isOpen || read === null || read.snapshot.length === 0) return position;
    if (foreignIn(read.snapshot).length > 0) {
      // Saving the window again would lose a part of it: it waits for a newer recorder, and this one begins the next.
      this.#sequence++;
      return position;
    }
    const { value, problems } = decodeSnapshot(read.snapshot, last.path);
    this.#carried = value?.profile ?? null;
    this.#startMillis = value?.header.startMillis ?? 0;
    this.#problems.push(...problems, ...(value?.header.problems ?? []));
    return position;
  }

  /** Begins a window of about this length: windows of all JVMs end together, so that their times unite. */
  #begin(aboutMillis: number): void {
    const now = Math.max(Date.now(), this.#endedMillis);
    if (this.#carried === null) this.#startMillis = this.#isFresh ? this.#chunks.earliestMillis(now) : now;
    this.#isFresh = false;
    const left = Math.max(1000, aboutMillis - (now % aboutMillis));
    const length = left < aboutMillis / 2 ? left + aboutMillis : left;
    this.#reader.begin({ startMillis: this.#startMillis, endMillis: now + length });
    this.#dueAt = performance.now() + length;
    this.#isToldDepth = false;
  }

  #spoolNote(): SpoolNote {
    const { execution } = this.#options;
    const { position } = this.#chunks;
    const { totals } = this.#reader;
    return { sequence: this.#sequence, execution, startMillis: this.#startMillis, position, totals };
  }

  #saveOpen(snapshot: Uint8Array | null): void {
    this.#options.spool.saveOpen(this.#spoolNote(), snapshot ?? new Uint8Array(0));
    this.#handOver();
  }

  /** Before an ended window can leave the spool, it is written there where reading goes on. */
  #handOver(): void {
    for (const ended of this.#ended.splice(0)) this.#options.closed(ended);
  }

  /** Writes what the window came to; when that fails, all of it is still there for the next time. */
  #saveEnded(more: Profile | null): void {
    this.#dueAt = performance.now() + RETRY_MILLIS;
    const snapshot = this.#whole(more);
    if (snapshot === null) return;
    this.#ended.push(this.#options.spool.saveClosed(this.#spoolNote(), encodeSnapshot(snapshot)));
    this.#endedMillis = snapshot.header.endMillis;
    this.#carried = null;
    this.#lostBytes = 0;
    this.#problems = [];
    this.#sequence++;
  }

  /** The data of the window so far; null while there are none. */
  #soFar(): Snapshot | null {
    if (this.#reader.isEmpty && this.#carried === null) return null;
    const nowMillis = Math.max(Date.now(), this.#startMillis + 1);
    const live = this.#reader.soFar(nowMillis);
    const { header, profile } = this.#snapshot(live, this.#merged([live.profile], nowMillis), nowMillis);
    return { header: { ...header, provisional: true }, profile };
  }

  /** The data of the whole window; null where there are none. The follower keeps them from now on, since the reader has forgotten them. */
  #whole(more: Profile | null): Snapshot | null {
    const nowMillis = Math.max(Date.now(), this.#startMillis + 1);
    this.#endedEvents += this.#reader.eventCount;
    const live = this.#reader.end(nowMillis, this.#options.threadTimes?.() ?? null);
    const parts = [live.profile, ...(more === null ? [] : [more])].filter(({ metrics }) => metrics.length > 0);
    if (parts.length === 0 && this.#carried === null) return null;
    this.#carried = this.#merged(parts, nowMillis);
    this.#lostBytes += live.lostBytes;
    return this.#snapshot({ ...live, lostBytes: 0 }, this.#carried, nowMillis);
  }

  #merged(parts: readonly Profile[], nowMillis: number): Profile {
    const { redaction, jvm } = this.#options;
    const told = parts.map(part => {
      const ended = endingBy(redactProfile(part, redaction), nowMillis);
      return jvm === undefined ? ended : withJvm(ended, jvm);
    });
    const merged = mergeProfiles([...(this.#carried === null ? [] : [this.#carried]), ...told]);
    return limitSingleThreads(this.#options.countsOnly === true ? onlyCounts(merged) : merged);
  }

  #snapshot(live: LiveProfile, profile: Profile, nowMillis: number): Snapshot {
    const { execution, recorder } = this.#options;
    const processors = this.#options.processors?.() ?? null;
    this.#tellDepth(profile);
    const problems = [...this.#problems];
    const lostBytes = this.#lostBytes + live.lostBytes;
    if (lostBytes > 0) problems.push(warning(`the JVM dropped ${lostBytes} bytes of events`));
    if (profile.losses.lostSamples > 0) problems.push(warning(`the JVM lost ${profile.losses.lostSamples} samples`));
    const header: SnapshotHeader = {
      execution,
      startMillis: this.#startMillis,
      endMillis: Math.max(nowMillis, profile.windows.at(-1)?.endMillis ?? 0),
      recorder,
      debugNonSafepoints: live.debugNonSafepoints,
      problems: unlike(problems).slice(-MOST_PROBLEMS),
      replaces: [],
      ...(processors !== null && { processors }),
    };
    return { header, profile };
  }

  /** Cut stacks show how deep the JVM really looks, whatever its settings say. */
  #tellDepth({ tree }: Profile): void {
    if (this.#isToldDepth) return;
    const partial = tree.method.indexOf(PARTIAL_METHOD);
    if (partial < 0) return;
    let deepest = 0;
    for (let node = partial; node < tree.subtreeEnd[partial]!; node++)
      deepest = Math.max(deepest, tree.depth[node]! - 1);
    this.#isToldDepth = true;
    const message = `stacks are cut off at ${deepest} frames`;
    const remedy = 'start the JVM with -XX:FlightRecorderOptions=stackdepth=512';
    this.#problems.push({ severity: 'info', message, remedy });
  }

  #note(message: string): void {
    const problem: Problem = { severity: 'warning', message, file: this.#options.repository };
    if (this.#problems.some(each => formatProblem(each) === formatProblem(problem))) return;
    this.#problems.push(problem);
    this.#options.report([problem]);
  }
}

/** The same profile with nothing planned for later: what ends now must not cover what comes next. */
function endingBy(profile: Profile, nowMillis: number): Profile {
  return mapWindows(profile, window =>
    window.endMillis <= nowMillis ? window : { ...window, endMillis: Math.max(window.startMillis + 1, nowMillis) },
  );
}

/** Each of the problems once: an earlier recorder may have told of the same. */
function unlike(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map(problem => [formatProblem(problem), problem])).values()];
}

function warning(message: string): Problem {
  return { severity: 'warning', message };
}
