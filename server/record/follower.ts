// Follows one JVM: reads its chunks as they are written, window by window, and hands over what each window came to.
import { basename } from 'node:path';
import { formatProblem, type Problem } from '../base/problem.ts';
import { mergeProfiles } from '../cct/merge.ts';
import { PARTIAL_METHOD, type Profile } from '../cct/profile.ts';
import type { EventMetric } from '../ingest/ingest.ts';
import { LiveReader } from '../ingest/jfr/live-reader.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Execution, Snapshot, SnapshotHeader } from '../snapshot/snapshot.ts';
import { type Redaction, redactProfile } from './redact.ts';
import { type ChunkFile, Repository } from './repository.ts';
import { type ReadPosition, readSpooled, type Spool, type Spooled } from './spool.ts';

/** A window that has ended with samples in it: it waits in the spool. */
export type ClosedWindow = { readonly spooled: Spooled; readonly execution: Execution; readonly startMillis: number };

export type FollowerOptions = {
  readonly execution: Execution;
  /** Folder of the chunk files. */
  readonly repository: string;
  /** For people: what records, where, with which settings. */
  readonly recorder: string;
  readonly metrics: readonly EventMetric[];
  readonly redaction: Redaction;
  readonly spool: Spool;
  /** Length of the first window, so that there is something soon, and of the others. Milliseconds. */
  readonly firstMillis: number;
  readonly intervalMillis: number;
  readonly report: (problems: readonly Problem[]) => void;
  readonly closed: (window: ClosedWindow) => void;
};

const MOST_PROBLEMS = 20;
/** A window that is open is saved no more often than this, and less often when that costs more than a two-hundredth of the time. */
const SAVE_MILLIS = 1000;
const MOST_SAVE_MILLIS = 3000;
const SAVE_SHARE = 200;
/** A chunk that a later one has followed and that changes no more is taken as it is. */
const PATIENCE_MILLIS = 5000;
/** Position in a chunk of which nothing more is wanted. */
const WHOLE = Number.MAX_SAFE_INTEGER;

/** One JVM. `poll` again and again, `save` now and then, `close` at the end. */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #repository: Repository;
  readonly #reader: LiveReader;
  #chunk: ChunkFile | null = null;
  #quietSince = 0;
  /** Of the window that an earlier recorder began and did not end. */
  #carried: Profile | null = null;
  #sequence = 1;
  /** The chunk that an earlier recorder was reading. */
  #resume: ReadPosition | null = null;
  #startMillis = 0;
  #opened = 0;
  #length: number;
  #problems: Problem[] = [];
  #lastSave = 0;
  #isFresh = true;
  #lastPosition: ReadPosition | null = null;
  #saveEvery = SAVE_MILLIS;
  #hasNew = false;
  #isToldDepth = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#repository = new Repository(options.repository);
    this.#reader = new LiveReader({ metrics: options.metrics, report: message => this.#note(message) });
    this.#length = options.firstMillis;
    this.#takeOver();
    this.#begin();
  }

  /** Reads what is new; true when there was something. */
  poll(): boolean {
    this.#repository.look();
    let any = false;
    for (;;) {
      if (this.#chunk === null && !this.#next()) return any;
      const before = this.#reader.position;
      const state = this.#reader.read();
      if (this.#reader.position > before) {
        any = true;
        this.#hasNew = true;
        this.#quietSince = performance.now();
      }
      const isLeft =
        state !== 'finished' && this.#isFollowed() && performance.now() - this.#quietSince > PATIENCE_MILLIS;
      if (state === 'broken' || isLeft) this.#reader.giveUp();
      if (state !== 'finished' && state !== 'broken' && !isLeft) return any;
      this.#lastPosition = { ...this.#positionIn(this.#chunk!), byte: WHOLE };
      this.#repository.done(this.#chunk!);
      this.#chunk = null;
    }
  }

  /** Whether the window has lasted long enough. Counted by a clock that nobody sets. */
  get isDue(): boolean {
    return performance.now() - this.#opened >= this.#length;
  }

  /** Whether the open window should be saved now. */
  get wantsSave(): boolean {
    return this.#hasNew && performance.now() - this.#lastSave >= this.#saveEvery;
  }

  /** Saves the open window, and gives the provisional snapshot of what it has so far; null while it has nothing. */
  save(): Snapshot | null {
    const snapshot = this.#snapshot(false);
    this.#spoolOpen(snapshot);
    this.#hasNew = false;
    this.#lastSave = performance.now();
    return snapshot;
  }

  /** Tells how many milliseconds of work saving took in all, the store's part included: the next waits as that demands. */
  saved(workMillis: number): void {
    this.#saveEvery = Math.min(MOST_SAVE_MILLIS, Math.max(SAVE_MILLIS, SAVE_SHARE * workMillis));
  }

  /**
   * Ends the window and begins the next; the ended one, when it has samples, is in the spool.
   * @param more what was seen of the JVM besides its recording
   */
  roll(more: Profile | null = null): void {
    const snapshot = this.#snapshot(true, more);
    if (snapshot !== null) {
      const note = this.#spoolNote(this.#sequence);
      const spooled = this.#options.spool.saveClosed(note, encodeSnapshot(snapshot));
      const { execution } = this.#options;
      const startMillis = this.#startMillis;
      this.#carried = null;
      this.#sequence++;
      this.#begin();
      // Before the ended window can leave the spool, the next one knows where reading goes on.
      this.#spoolOpen(null);
      this.#options.closed({ spooled, execution, startMillis });
    } else {
      this.#begin();
      this.#spoolOpen(null);
    }
    this.#length = this.#options.intervalMillis;
  }

  /** The JVM is gone or is left alone: what is left is read, and the window ends. */
  close(more: Profile | null = null): void {
    this.poll();
    this.#reader.giveUp();
    const snapshot = this.#snapshot(true, more);
    if (snapshot !== null) {
      const spooled = this.#options.spool.saveClosed(this.#spoolNote(this.#sequence), encodeSnapshot(snapshot));
      this.#options.closed({ spooled, execution: this.#options.execution, startMillis: this.#startMillis });
    }
    this.#repository.close();
  }

  /** The JVM will not come back: nothing has to be known about where reading ended. */
  forget(): void {
    for (const each of this.#options.spool.list()) if (each.isOpen) this.#options.spool.remove(each);
  }

  /** Whether a chunk is not finished yet. */
  get isReading(): boolean {
    return this.#chunk !== null;
  }

  /** Goes on where an earlier recorder ended. */
  #takeOver(): void {
    const last = this.#options.spool.list().at(-1);
    if (last === undefined) return;
    const read = readSpooled(last.path);
    this.#resume = last.note.position;
    this.#sequence = last.isOpen ? last.note.sequence : last.note.sequence + 1;
    if (!last.isOpen || read === null || read.snapshot.length === 0) return;
    const { value, problems } = decodeSnapshot(read.snapshot, last.path);
    this.#carried = value?.profile ?? null;
    this.#startMillis = value?.header.startMillis ?? 0;
    this.#problems.push(...problems, ...(value?.header.problems ?? []));
  }

  #begin(): void {
    const now = Date.now();
    const { intervalMillis } = this.#options;
    if (this.#carried === null) this.#startMillis = this.#isFresh ? this.#earliest(now) : now;
    this.#isFresh = false;
    // Windows of all JVMs end together, so that their times unite.
    const length = this.#length;
    this.#length = Math.max(1000, Math.min(length, length - (now % Math.min(length, intervalMillis))));
    if (this.#length < length / 2) this.#length += length;
    this.#reader.begin({ startMillis: this.#startMillis, endMillis: now + this.#length });
    this.#opened = performance.now();
    this.#isToldDepth = false;
  }

  /** When what is there to be read began: a recording that ran before has some of its past in its chunks. */
  #earliest(now: number): number {
    const start = this.#resume === null ? (this.#repository.files()[0]?.startNanos() ?? 0n) : 0n;
    return start === 0n ? now : Math.min(now, Number(start / 1_000_000n));
  }

  /** Takes the next chunk that has begun; false when there is none. */
  #next(): boolean {
    for (const file of this.#repository.files()) {
      const start = file.startNanos();
      if (start === 0n) return false;
      const resume = this.#resume;
      const known = resume === null ? 0n : BigInt(resume.startNanos);
      if (resume !== null && (start < known || (start === known && resume.byte === WHOLE))) {
        this.#repository.done(file);
        continue;
      }
      const isSame = resume !== null && start === known;
      if (resume !== null && !isSame && resume.byte !== WHOLE)
        this.#note('the JVM has removed what it wrote while nobody followed it');
      this.#chunk = file;
      this.#resume = null;
      this.#reader.open(file, isSame ? resume.byte : 0);
      this.#quietSince = performance.now();
      return true;
    }
    return false;
  }

  /** Whether another chunk has begun after the one at hand. */
  #isFollowed(): boolean {
    return this.#repository.files().some(file => file !== this.#chunk && file.startNanos() > this.#chunk!.startNanos());
  }

  #position(): ReadPosition | null {
    const chunk = this.#chunk;
    return chunk === null ? (this.#resume ?? this.#lastPosition) : this.#positionIn(chunk);
  }

  #positionIn(chunk: ChunkFile): ReadPosition {
    return { file: basename(chunk.name), startNanos: String(chunk.startNanos()), byte: this.#reader.position };
  }

  #spoolNote(sequence: number) {
    const { execution } = this.#options;
    return { sequence, execution, startMillis: this.#startMillis, position: this.#position() };
  }

  #spoolOpen(snapshot: Snapshot | null): void {
    const bytes = snapshot === null ? new Uint8Array(0) : encodeSnapshot(snapshot);
    this.#options.spool.saveOpen(this.#spoolNote(this.#sequence), bytes);
  }

  /** What the window has so far, or came to; null when that is nothing. */
  #snapshot(isEnd: boolean, more: Profile | null = null): Snapshot | null {
    const elapsed = performance.now() - this.#opened;
    const nowMillis = Math.round(Math.min(this.#startMillis + elapsed + 1, Number.MAX_SAFE_INTEGER));
    const isEmpty = this.#reader.isEmpty && this.#carried === null && more === null;
    const { execution, recorder, redaction } = this.#options;
    if (isEmpty && !isEnd) return null;
    const live = isEnd ? this.#reader.end(Date.now()) : this.#reader.soFar(Date.now());
    if (isEmpty && live.profile.metrics.length === 0) return null;
    const own = [live.profile, ...(more === null ? [] : [more])].map(each => redactProfile(each, redaction));
    const profile = mergeProfiles([...(this.#carried === null ? [] : [this.#carried]), ...own]);
    this.#tellDepth(live.profile);
    const problems = [...this.#problems];
    if (live.lostBytes > 0) problems.push(warning(`the JVM dropped ${live.lostBytes} bytes of events`));
    if (profile.losses.lostSamples > 0) problems.push(warning(`the JVM lost ${profile.losses.lostSamples} samples`));
    const endMillis = Math.max(nowMillis, profile.windows.at(-1)?.endMillis ?? 0, this.#startMillis + 1);
    const header: SnapshotHeader = {
      execution,
      startMillis: Math.min(this.#startMillis, profile.windows[0]?.startMillis ?? this.#startMillis),
      endMillis,
      recorder,
      debugNonSafepoints: live.debugNonSafepoints,
      problems: problems.slice(-MOST_PROBLEMS),
      replaces: [],
    };
    if (isEnd) this.#problems = [];
    return isEnd ? { header, profile } : { header: { ...header, provisional: true }, profile };
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

function warning(message: string): Problem {
  return { severity: 'warning', message };
}
