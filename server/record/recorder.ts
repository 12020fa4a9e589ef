// Records JVMs until told to stop: finds them, follows each, saves what is open, and brings what has ended into the store.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome, Problem } from '../base/problem.ts';
import type { EventMetric } from '../ingest/ingest.ts';
import { contentHash } from '../store/encoded.ts';
import type { Store } from '../store/store.ts';
import { decideExecution, type ExecutionSources } from './execution.ts';
import { findRecording, rotateChunk, stopRecording } from './flight-recording.ts';
import type { Tier } from './flight-settings.ts';
import { type ClosedWindow, Follower } from './follower.ts';
import { JvmSearch } from './jvm-search.ts';
import { isRunning, type Jvm } from './jvms.ts';
import { bootId, startTicksOf } from './processes.ts';
import { endOpenWindows } from './recovery.ts';
import type { Redaction } from './redact.ts';
import { LOCK, Spool, spoolHolder } from './spool.ts';
import { ThreadDumps } from './thread-dumps.ts';
import { Uploader } from './uploader.ts';

/** What happens while recording, for logs and for programs that start a recorder. */
export type RecorderEvent =
  | {
      readonly kind: 'following';
      readonly pid: number | null;
      readonly name: string;
      readonly execution: ClosedWindow['execution'];
    }
  | { readonly kind: 'left'; readonly pid: number | null; readonly name: string }
  | { readonly kind: 'stored'; readonly key: string; readonly bytes: number }
  | { readonly kind: 'problem'; readonly problem: Problem };

export type RecorderOptions = {
  readonly store: Store;
  /** Which JVMs are recorded, asked again and again. */
  readonly wants: (jvm: Jvm) => boolean;
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
/** A JVM writes something every second; when it has been silent for so long its recording may have ended. */
const SILENCE_MILLIS = 15_000;
const STOP_MILLIS = 5000;
const DRAIN_MILLIS = 15_000;

type Followed = {
  readonly jvm: Jvm | null;
  readonly name: string;
  readonly follower: Follower;
  readonly spool: Spool;
  readonly isOurs: boolean;
  readonly isStreamed: boolean;
  readonly dumps: ThreadDumps | null;
  heardAt: number;
  isBusy: boolean;
};

/** Call `start`, then `stop` once. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #uploader: Uploader;
  readonly #followed = new Map<string, Followed>();
  readonly #jvms = new JvmSearch();
  readonly #retryAt = new Map<string, number>();
  readonly #boot = bootId().slice(0, 8);
  readonly #stopping = new AbortController();
  #work: Promise<unknown> = Promise.resolve();
  #lastTold = '';

  constructor(options: RecorderOptions) {
    this.#options = options;
    const report = (problems: readonly Problem[]) => this.#tell(problems);
    this.#uploader = new Uploader({ store: options.store, mostBytes: options.spoolBytes, report });
  }

  /** Takes up what an earlier recorder has left, and begins. Null and why when it cannot. */
  start(): Outcome<true | null> {
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
      this.#recover();
    } catch (error) {
      const message = `the spool cannot be used: ${error instanceof Error ? error.message : String(error)}`;
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
    await Promise.all([...this.#followed].map(([id, followed]) => this.#leave(id, followed, true)));
    const left = await this.#uploader.drain(DRAIN_MILLIS);
    for (const folder of readdirSync(this.#options.spool, { withFileTypes: true })) {
      if (folder.isDirectory()) new Spool(this.#options.spool, folder.name).removeIfEmpty();
    }
    rmSync(join(this.#options.spool, LOCK), { force: true });
    return left;
  }

  async #searchAlways(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#search();
      await this.#pause(SEARCH_MILLIS);
    }
  }

  async #pollAlways(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const started = performance.now();
      for (const [id, followed] of [...this.#followed]) await this.#pollOne(id, followed);
      await this.#pause(Math.max(50, POLL_MILLIS - (performance.now() - started)));
    }
  }

  async #pause(millis: number): Promise<void> {
    await pause(millis, null, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  async #search(): Promise<void> {
    for (const folder of this.#options.repositories) this.#followFolder(resolve(folder));
    for (const jvm of this.#jvms.list()) {
      const id = this.#idOf(jvm);
      if (this.#stopping.signal.aborted) return;
      if (this.#followed.has(id) || performance.now() < (this.#retryAt.get(id) ?? 0) || !this.#options.wants(jvm))
        continue;
      await this.#follow(id, jvm);
    }
  }

  #idOf({ pid, startTicks }: Jvm): string {
    return `${this.#boot}-${pid}-${startTicks}`;
  }

  async #follow(id: string, jvm: Jvm): Promise<void> {
    const { value: recording, problems } = await findRecording(jvm, this.#options.tier);
    this.#tell(problems);
    if (recording === null) {
      this.#retryAt.set(id, performance.now() + RETRY_MILLIS);
      return;
    }
    const version =
      recording.version === '' ? 'JDK Flight Recorder' : `JDK Flight Recorder, OpenJDK ${recording.version}`;
    const settings = recording.isOurs ? `settings ${this.#options.tier}` : 'settings of its own';
    const recorder = `${version}, followed on ${this.#options.host}, ${settings}`;
    const about = { ...recording, jvm, name: jvm.name, recorder };
    this.#add(id, decideExecution(jvm, this.#options.execution).execution, about);
  }

  #followFolder(folder: string): void {
    const id = `repository-${contentHash(Buffer.from(folder))}`;
    if (this.#followed.has(id)) return;
    const none: Jvm = {
      pid: 0,
      startTicks: 0,
      user: -1,
      root: '',
      name: folder,
      main: 'repository',
      args: '',
      jvmArgs: [],
      classPath: '',
      javaVersion: '',
      sinceMillis: 0,
    };
    const recorder = `JDK Flight Recorder, followed on ${this.#options.host}`;
    const about = { repository: folder, isOurs: false, isStreamed: true, jvm: null, name: folder, recorder };
    const { execution } = decideExecution(none, this.#options.execution);
    const isNamed = this.#options.execution.flags.instance ?? this.#options.execution.environment.instance;
    const instance =
      isNamed === undefined || this.#options.repositories.length > 1 ? folder.slice(-80) : execution.instance;
    this.#add(id, { ...execution, instance }, about);
  }

  #add(
    id: string,
    execution: ClosedWindow['execution'],
    about: {
      jvm: Jvm | null;
      name: string;
      repository: string;
      isOurs: boolean;
      isStreamed: boolean;
      recorder: string;
    },
  ): void {
    const { metrics, redaction, firstMillis, intervalMillis, threadsMillis, tell } = this.#options;
    const spool = new Spool(this.#options.spool, id);
    this.#tell(endOpenWindows(spool, this.#uploader, note => !sameExecution(note.execution, execution)));
    const follower = new Follower({
      execution,
      repository: about.repository,
      recorder: about.recorder,
      metrics,
      redaction,
      spool,
      firstMillis,
      intervalMillis,
      report: problems => this.#tell(problems),
      closed: window => this.#upload(spool, window),
    });
    const dumps =
      about.jvm === null || threadsMillis === 0 ? null : new ThreadDumps(about.jvm, threadsMillis, spool.folder);
    const { jvm, name, isOurs, isStreamed } = about;
    this.#followed.set(id, {
      jvm,
      name,
      follower,
      spool,
      isOurs,
      isStreamed,
      dumps,
      heardAt: performance.now(),
      isBusy: false,
    });
    tell({ kind: 'following', pid: jvm?.pid ?? null, name, execution });
  }

  #upload(spool: Spool, { spooled, execution, startMillis }: ClosedWindow): void {
    const { store, tell } = this.#options;
    this.#uploader.add(spool, spooled, entry => {
      void store.live?.remove(execution, startMillis);
      tell({ kind: 'stored', key: entry.key, bytes: entry.bytes });
    });
  }

  async #pollOne(id: string, followed: Followed): Promise<void> {
    const { follower, jvm, dumps } = followed;
    try {
      const isGone = jvm !== null && !isRunning(jvm);
      if (follower.poll()) followed.heardAt = performance.now();
      if (isGone) return await this.#leave(id, followed, false);
      dumps?.take();
      if (jvm !== null && performance.now() - followed.heardAt > SILENCE_MILLIS && followed.isStreamed)
        await this.#wake(followed, jvm);
      if (follower.isDue) {
        if (jvm !== null && !followed.isStreamed) this.#tell(await rotateChunk(jvm));
        follower.poll();
        follower.roll((await dumps?.profile()) ?? null);
      } else if (follower.wantsSave) {
        const cpu = process.cpuUsage();
        const snapshot = follower.save();
        if (snapshot !== null) await this.#options.store.live?.put(snapshot);
        const { user, system } = process.cpuUsage(cpu);
        follower.saved((user + system) / 1000);
      }
    } catch (error) {
      const message = `what was read cannot be kept on disk: ${error instanceof Error ? error.message : String(error)}`;
      this.#tell([
        {
          severity: 'error',
          message,
          file: followed.spool.folder,
          remedy: 'make room there; reading goes on and nothing is forgotten',
        },
      ]);
    }
  }

  /** Its recording may have ended, by its own setting or by somebody: then ours begins. */
  async #wake(followed: Followed, jvm: Jvm): Promise<void> {
    followed.heardAt = performance.now();
    const { problems } = await findRecording(jvm, this.#options.tier);
    this.#tell(problems.filter(({ severity }) => severity !== 'info'));
  }

  async #leave(id: string, followed: Followed, isAlive: boolean): Promise<void> {
    const { follower, jvm, isOurs, dumps, name, spool } = followed;
    this.#followed.delete(id);
    try {
      if (isAlive && isOurs && jvm !== null) {
        this.#tell(await stopRecording(jvm));
        const until = performance.now() + STOP_MILLIS;
        while (follower.isReading && performance.now() < until) {
          follower.poll();
          await pause(20);
        }
      }
      follower.close((await dumps?.profile()) ?? null);
      if (!isAlive || isOurs) follower.forget();
    } catch (error) {
      const message = `the last window stays as it was saved: ${error instanceof Error ? error.message : String(error)}`;
      this.#tell([{ severity: 'error', message, file: spool.folder }]);
    }
    this.#options.tell({ kind: 'left', pid: jvm?.pid ?? null, name });
  }

  /** Windows that wait, of whatever JVM; open ones of JVMs that are gone. */
  #recover(): void {
    const root = this.#options.spool;
    for (const folder of readdirSync(root, { withFileTypes: true })) {
      if (!folder.isDirectory()) continue;
      const spool = new Spool(root, folder.name);
      const [, boot, pid, ticks] = /^([0-9a-f]*)-(\d+)-(\d+)$/.exec(folder.name) ?? [];
      const isAlive = boot === undefined || (boot === this.#boot && startTicksOf(Number(pid)) === Number(ticks));
      if (!isAlive) this.#tell(endOpenWindows(spool, this.#uploader, () => true, true));
      for (const spooled of spool.list()) {
        const { execution, startMillis } = spooled.note;
        if (!spooled.isOpen) this.#upload(spool, { spooled, execution, startMillis });
      }
    }
  }

  /** The same trouble is told once until there is another. */
  #tell(problems: readonly Problem[]): void {
    for (const problem of problems) {
      const text = `${problem.file}${problem.message}`;
      if (text !== this.#lastTold) this.#options.tell({ kind: 'problem', problem });
      this.#lastTold = text;
    }
  }
}

/** Takes the spool for this process; the number of the process that has it. */
function takeLock(folder: string): number | null {
  const path = join(folder, LOCK);
  const holder = spoolHolder(folder);
  if (holder !== null) return holder;
  writeFileSync(path, `${process.pid} ${startTicksOf(process.pid)}`, { mode: 0o600 });
  return null;
}

function sameExecution(a: ClosedWindow['execution'], b: ClosedWindow['execution']): boolean {
  return a.project === b.project && a.program === b.program && a.version === b.version && a.instance === b.instance;
}
