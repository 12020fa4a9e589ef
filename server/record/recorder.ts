// Records JVMs until told to stop: finds them, follows each, saves what is open, and brings what has ended into the store.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome, Problem } from '../base/problem.ts';
import type { EventMetric } from '../ingest/ingest.ts';
import type { Execution } from '../snapshot/snapshot.ts';
import { executionKey } from '../store/counting.ts';
import { contentHash } from '../store/encoded.ts';
import type { Store } from '../store/store.ts';
import { decideExecution, type ExecutionSources, shortened } from './execution.ts';
import { type FlightRecording, findRecording } from './flight-recording.ts';
import type { Tier } from './flight-settings.ts';
import { folderFlaw } from './folder-flaw.ts';
import { Followed, type FollowedOptions } from './followed.ts';
import { Follower } from './follower.ts';
import { JvmSearch } from './jvm-search.ts';
import { type Jvm, noJvm } from './jvms.ts';
import { bootId, startTicksOf } from './processes.ts';
import { endOpenWindows, keepPosition } from './recovery.ts';
import type { Redaction } from './redact.ts';
import { LOCK, Spool, type Spooled, type SpoolNote, takeLock } from './spool.ts';
import { ThreadDumps } from './thread-dumps.ts';
import { Tidying } from './tidying.ts';
import { Told } from './told.ts';
import { Uploader } from './uploader.ts';
import { within } from './within.ts';

/** What happens while recording, for logs and for programs that start a recorder. */
export type RecorderEvent =
  | {
      readonly kind: 'following';
      readonly pid: number | null;
      readonly name: string;
      readonly execution: Execution;
    }
  | { readonly kind: 'left'; readonly pid: number | null; readonly name: string }
  | { readonly kind: 'stored'; readonly key: string; readonly bytes: number }
  | { readonly kind: 'problem'; readonly problem: Problem };

export type RecorderOptions = {
  readonly store: Store;
  /** Which JVMs are recorded, asked again and again. */
  readonly wants: (jvm: Jvm) => boolean;
  /** The only processes that `wants` can say yes to; any when absent. */
  readonly processes: readonly number[] | undefined;
  /** Folders of chunk files that are followed without their JVM. */
  readonly repositories: readonly string[];
  readonly tier: Tier;
  readonly firstMillis: number;
  readonly intervalMillis: number;
  readonly execution: ExecutionSources;
  readonly metrics: readonly EventMetric[];
  readonly redaction: Redaction;
  /** Milliseconds between thread dumps; 0 for none. */
  readonly threadsMillis: number;
  /** Folder of the spool. */
  readonly spool: string;
  readonly spoolBytes: number;
  readonly host: string;
  readonly tell: (event: RecorderEvent) => void;
};

const POLL_MILLIS = 1000;
const SEARCH_MILLIS = 2000;
/** A JVM that could not be followed is tried again after so long. */
const RETRY_MILLIS = 30_000;
/** JVMs that are asked at the same time; one that takes longer than this to answer is no longer counted. */
const MOST_ASKED = 8;
const SLOW_MILLIS = 5000;
const DRAIN_MILLIS = 15_000;
/** Thread dumps may take this part of the spool, closed windows the rest. */
const DUMPS_SHARE = 0.25;

/** What becomes a `Followed`. */
type Found = {
  readonly jvm: Jvm | null;
  readonly name: string;
  readonly recorder: string;
  readonly recording: FollowedOptions['recording'];
};

/** Call `start`, then `stop` once. No JVM is waited for while others are read. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #uploader: Uploader;
  readonly #dumpBytes: number;
  readonly #followed = new Map<string, Followed>();
  readonly #jvms = new JvmSearch();
  /** JVMs that are being asked what they record, and since when. */
  readonly #asked = new Map<string, { readonly since: number; readonly work: Promise<void> }>();
  readonly #retryAt = new Map<string, number>();
  readonly #boot = bootId().slice(0, 8);
  readonly #stopping = new AbortController();
  readonly #told = new Told();
  readonly #tidying = new Tidying();
  #isStopped = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.#options = options;
    const { store, spoolBytes, threadsMillis, tell } = options;
    this.#dumpBytes = threadsMillis === 0 ? 0 : spoolBytes * DUMPS_SHARE;
    // The uploader knows by itself what was told.
    const report = (problems: readonly Problem[]) => {
      for (const problem of problems) tell({ kind: 'problem', problem });
    };
    this.#uploader = new Uploader({ store, mostBytes: spoolBytes - this.#dumpBytes, report });
  }

  /** Takes up what an earlier recorder has left, and begins. Null and why when it cannot. */
  async start(): Promise<Outcome<true | null>> {
    const { spool } = this.#options;
    try {
      mkdirSync(spool, { recursive: true, mode: 0o700 });
      const other = takeLock(spool);
      if (other !== null) {
        const message = `process ${other} records with this spool already`;
        return {
          value: null,
          problems: [{ severity: 'error', message, file: spool, remedy: 'give each recorder its own with --spool' }],
        };
      }
      await this.#recover();
    } catch (error) {
      const message = `the spool cannot be used: ${textOf(error)}`;
      return {
        value: null,
        problems: [{ severity: 'error', message, file: spool, remedy: 'name another folder with --spool' }],
      };
    }
    this.#work = Promise.all([this.#searchAlways(), this.#pollAlways()]);
    return { value: true, problems: [] };
  }

  /** How many JVMs are followed. */
  get size(): number {
    return this.#followed.size;
  }

  /** Ends our recordings, reads what is left of all, and brings it into the store; tells how many windows stay in the spool. */
  async stop(): Promise<number> {
    this.#stopping.abort();
    await this.#work;
    await within(SLOW_MILLIS, Promise.all([...this.#asked.values()].map(({ work }) => work)));
    this.#isStopped = true;
    await Promise.all([...this.#followed].map(([id, followed]) => this.#leave(id, followed)));
    const left = await this.#uploader.drain(DRAIN_MILLIS);
    this.#uploader.end();
    for (const folder of readdirSync(this.#options.spool, { withFileTypes: true })) {
      if (folder.isDirectory()) new Spool(this.#options.spool, folder.name).removeIfEmpty();
    }
    rmSync(join(this.#options.spool, LOCK), { force: true });
    return left;
  }

  async #searchAlways(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#search();
      await this.#pause(SEARCH_MILLIS);
    }
  }

  async #pollAlways(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const started = performance.now();
      for (const followed of [...this.#followed.values()]) followed.poll();
      this.#tidying.look();
      await this.#pause(Math.max(50, POLL_MILLIS - (performance.now() - started)));
    }
  }

  async #pause(millis: number): Promise<void> {
    await pause(millis, null, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  #search(): void {
    for (const [id, at] of this.#retryAt) if (at <= performance.now()) this.#retryAt.delete(id);
    for (const folder of this.#options.repositories) this.#followFolder(resolve(folder));
    // One that is named and does not run may come later.
    const named = this.#options.processes?.filter(pid => startTicksOf(pid) !== null);
    for (const jvm of this.#jvms.list(named)) {
      const id = this.#idOf(jvm);
      const isKnown = this.#followed.has(id) || this.#asked.has(id);
      if (isKnown || performance.now() < (this.#retryAt.get(id) ?? 0) || !this.#options.wants(jvm)) continue;
      const since = performance.now();
      if ([...this.#asked.values()].filter(asked => since - asked.since < SLOW_MILLIS).length >= MOST_ASKED) return;
      const work = this.#follow(id, jvm).finally(() => this.#asked.delete(id));
      this.#asked.set(id, { since, work });
    }
  }

  #idOf({ pid, startTicks }: Jvm): string {
    return `${this.#boot}-${pid}-${startTicks}`;
  }

  /** One that cannot be followed is told of, and asked again later. */
  async #follow(id: string, jvm: Jvm): Promise<void> {
    try {
      const { value, problems } = await findRecording(jvm, this.#options.tier);
      this.#tell(problems);
      if (value !== null) return await this.#add(id, this.#found(jvm, value));
    } catch (error) {
      this.#tell([cannotFollow(error, `JVM ${jvm.pid} (${jvm.name})`)]);
    }
    this.#retryAt.set(id, performance.now() + RETRY_MILLIS);
  }

  #found(jvm: Jvm, recording: FlightRecording): Found {
    const version =
      recording.version === '' ? 'JDK Flight Recorder' : `JDK Flight Recorder, OpenJDK ${recording.version}`;
    const settings = recording.isOurs ? `settings ${this.#options.tier}` : 'settings of its own';
    return { jvm, name: jvm.name, recorder: `${version}, followed on ${this.#options.host}, ${settings}`, recording };
  }

  #followFolder(folder: string): void {
    const id = repositoryId(folder);
    if (this.#asked.has(id)) return;
    const flaw = folderFlaw(folder);
    if (flaw !== null) this.#tell([flaw]);
    if (flaw !== null || this.#followed.has(id) || performance.now() < (this.#retryAt.get(id) ?? 0)) return;
    const recorder = `JDK Flight Recorder, followed on ${this.#options.host}`;
    const recording = { repository: folder, isOurs: false, isStreamed: true };
    const work = this.#add(id, { jvm: null, name: folder, recorder, recording })
      .catch(error => {
        this.#tell([cannotFollow(error, folder)]);
        this.#retryAt.set(id, performance.now() + RETRY_MILLIS);
      })
      .finally(() => this.#asked.delete(id));
    this.#asked.set(id, { since: performance.now(), work });
  }

  #executionOf({ jvm, name }: Found): Execution {
    const { execution: sources, repositories } = this.#options;
    const { execution } = decideExecution(jvm ?? noJvm(name, 'repository'), sources);
    if (jvm !== null) return execution;
    const isNamed = (sources.flags.instance ?? sources.environment.instance) !== undefined;
    return isNamed && repositories.length === 1 ? execution : { ...execution, instance: shortened(name, 'end') };
  }

  async #add(id: string, found: Found, isNew = true): Promise<void> {
    const { store, tier, metrics, redaction, firstMillis, intervalMillis, tell } = this.#options;
    const { jvm, name, recorder, recording } = found;
    const execution = this.#executionOf(found);
    const spool = new Spool(this.#options.spool, id);
    const isOver = (note: SpoolNote) => executionKey(note.execution) !== executionKey(execution);
    await this.#endOpen(spool, isOver, false);
    if (this.#isStopped) return;
    const report = (problems: readonly Problem[]) => this.#tell(problems);
    const follower = new Follower({
      execution,
      repository: recording.repository,
      recorder,
      metrics,
      redaction,
      spool,
      firstMillis,
      intervalMillis,
      report,
      closed: spooled => this.#upload(spool, spooled),
    });
    spool.removeDumpsBefore(follower.sequence);
    const dumps = jvm === null ? null : this.#dumpsOf(jvm, () => spool.dumpsOf(follower.sequence));
    const followed = new Followed({
      jvm,
      name,
      recording,
      follower,
      spool,
      dumps,
      store,
      tier,
      report,
      left: () => {
        this.#followed.delete(id);
        tell({ kind: 'left', pid: jvm?.pid ?? null, name });
      },
      moved: other => void this.#move(id, followed, other),
    });
    this.#followed.set(id, followed);
    if (isNew) tell({ kind: 'following', pid: jvm?.pid ?? null, name, execution });
  }

  #dumpsOf(jvm: Jvm, file: () => string): ThreadDumps | null {
    const everyMillis = this.#options.threadsMillis;
    if (everyMillis === 0) return null;
    const taken = () => [...this.#followed.values()].reduce((sum, { options }) => sum + (options.dumps?.bytes ?? 0), 0);
    const hasRoom = (bytes: number) => taken() + bytes <= this.#dumpBytes;
    return new ThreadDumps({ jvm, everyMillis, file, hasRoom, report: problems => this.#tell(problems) });
  }

  /** The JVM's own recording has ended and ours has begun, or it writes elsewhere. */
  async #move(id: string, followed: Followed, recording: FlightRecording): Promise<void> {
    const { jvm } = followed.options;
    if (jvm === null || this.#isStopped) return;
    await followed.close(false);
    if (this.#isStopped || this.#followed.get(id) !== followed) return;
    try {
      await this.#add(id, this.#found(jvm, recording), false);
    } catch (error) {
      // It is found again as if it were new.
      this.#followed.delete(id);
      this.#tell([cannotFollow(error, `JVM ${jvm.pid} (${jvm.name})`)]);
    }
  }

  #upload(spool: Spool, spooled: Spooled): void {
    const { store, tell } = this.#options;
    const { execution, startMillis } = spooled.note;
    this.#uploader.add(spool, spooled, entry => {
      void store.live?.remove(execution, startMillis);
      tell({ kind: 'stored', key: entry.key, bytes: entry.bytes });
    });
  }

  async #leave(id: string, followed: Followed): Promise<void> {
    const { jvm, name } = followed.options;
    this.#followed.delete(id);
    try {
      await followed.leave();
    } catch (error) {
      this.#tell([{ severity: 'error', message: `it cannot be left as it should: ${textOf(error)}`, file: name }]);
    }
    this.#options.tell({ kind: 'left', pid: jvm?.pid ?? null, name });
  }

  /** Ends windows that nobody goes on with, and sends them. */
  async #endOpen(spool: Spool, isOver: (note: SpoolNote) => boolean, isForGood: boolean): Promise<void> {
    const { redaction } = this.#options;
    const { closed, problems } = await endOpenWindows(spool, { isOver, isForGood, redaction });
    this.#tell(problems);
    for (const spooled of closed) this.#upload(spool, spooled);
  }

  /** Windows that wait, of whatever JVM; open ones of JVMs that are gone, and of folders that are not named now. */
  async #recover(): Promise<void> {
    const named = new Set(this.#options.repositories.map(folder => repositoryId(resolve(folder))));
    for (const folder of readdirSync(this.#options.spool, { withFileTypes: true })) {
      if (!folder.isDirectory()) continue;
      const spool = new Spool(this.#options.spool, folder.name);
      try {
        const [, boot, pid, ticks] = /^([0-9a-f]*)-(\d+)-(\d+)$/.exec(folder.name) ?? [];
        const isGone = boot !== undefined && (boot !== this.#boot || startTicksOf(Number(pid)) !== Number(ticks));
        const waiting = spool.list().filter(({ isOpen }) => !isOpen);
        // On a full disk these make room; the last one's note may be all that tells where reading goes on.
        for (const spooled of waiting.slice(0, -1)) this.#upload(spool, spooled);
        if (!isGone) keepPosition(spool);
        for (const spooled of waiting.slice(-1)) this.#upload(spool, spooled);
        if (isGone || (boot === undefined && !named.has(folder.name))) await this.#endOpen(spool, () => true, isGone);
      } catch (error) {
        const remedy = 'make room there; it is tried again by the next recorder';
        const message = `what an earlier recorder left cannot be taken up: ${textOf(error)}`;
        this.#tell([{ severity: 'error', message, file: spool.folder, remedy }]);
      }
    }
  }

  /** The same trouble is told once in a while. */
  #tell(problems: readonly Problem[]): void {
    for (const problem of problems) if (this.#told.isNews(problem)) this.#options.tell({ kind: 'problem', problem });
  }
}

function repositoryId(folder: string): string {
  return `repository-${contentHash(Buffer.from(folder))}`;
}

function cannotFollow(error: unknown, file: string): Problem {
  return { severity: 'error', message: `it cannot be followed: ${textOf(error)}`, file, remedy: AGAIN };
}

const AGAIN = 'it is tried again every 30 seconds';

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
