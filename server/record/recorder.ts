// Records JVMs until told to stop: finds them, follows each, saves what is open, and brings what has ended into the store.

import { resolve } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Tidying } from '../base/engine.ts';
import { inTime } from '../base/in-time.ts';
import { startTicksOf } from '../base/linux-processes.ts';
import { messageOf } from '../base/message-of.ts';
import type { Outcome, Problem } from '../base/problem.ts';
import { isDiskFull } from '../base/regular-file.ts';
import type { EventMetric } from '../ingest/ingest.ts';
import { KnownMetadata } from '../ingest/jfr/known-metadata.ts';
import type { Execution } from '../model/execution.ts';
import { executionKey } from '../store/counting.ts';
import type { Store } from '../store/store.ts';
import { AskedJvms } from './asked-jvms.ts';
import { hasEnded } from './attach.ts';
import { CallTimer } from './call-timer.ts';
import type { ExecutionSources } from './execution.ts';
import { type FlightRecording, findRecording } from './flight-recording.ts';
import type { FlightSettings } from './flight-settings.ts';
import { folderFlaw } from './folder-flaw.ts';
import { Followed } from './followed.ts';
import { Follower } from './follower.ts';
import { executionOf, type Found, foundFolder, foundJvm } from './found-jvm.ts';
import { JvmSearch } from './jvm-search.ts';
import { describeJvm, type Jvm } from './jvms.ts';
import { LostJvms } from './lost-jvms.ts';
import { PerfWatch } from './perf-watch.ts';
import type { Redaction } from './redact.ts';
import { SchedulerTimes } from './scheduler-times.ts';
import type { Spool, Spooled, SpoolNote } from './spool.ts';
import { repositoryId, Spools } from './spools.ts';
import { ThreadDumps } from './thread-dumps.ts';
import { Told } from './told.ts';
import { Uploader } from './uploader.ts';
import { KnownProcessors } from './usable-processors.ts';

/** The events of recording, for logs and for programs that start a recorder. */
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

type RecorderOptions = {
  readonly store: Store;
  /** Which JVMs are recorded, asked again and again. */
  readonly wants: (jvm: Jvm) => boolean;
  /** The only processes that `wants` can say yes to; any when absent. */
  readonly processes: readonly number[] | undefined;
  /** Folders of chunk files that are followed without their JVM. */
  readonly repositories: readonly string[];
  readonly settings: FlightSettings;
  /** Of recordings that count calls: the recorder is over after so many in one JVM, and keeps no times. */
  readonly mostCalls?: number;
  readonly firstMillis: number;
  readonly intervalMillis: number;
  readonly execution: ExecutionSources;
  readonly metrics: readonly EventMetric[];
  readonly redaction: Redaction;
  /** Milliseconds between thread dumps; 0 for none. */
  readonly threadsMillis: number;
  /** Whether dumps name the owners of locks of java.util.concurrent. */
  readonly ownedSynchronizers?: boolean;
  /** The filters of timed methods, beside samples: see `timingFilter`. */
  readonly timed?: readonly string[];
  /** Folder of the spool. */
  readonly spool: string;
  readonly spoolBytes: number;
  readonly host: string;
  readonly tell: (event: RecorderEvent) => void;
};

const POLL_MILLIS = 1000;
const SEARCH_MILLIS = 2000;
/** So long the JVMs that are being asked may take when the recorder stops. */
const LAST_ANSWERS_MILLIS = 5000;
const DRAIN_MILLIS = 15_000;
/** Thread dumps may take this part of the spool, closed windows the rest. */
const DUMPS_SHARE = 0.25;

/** Call `start`, then `stop` once. No JVM is waited for while others are read. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #uploader: Uploader;
  readonly #dumpBytes: number;
  readonly #followed = new Map<string, Followed>();
  readonly #jvms = new JvmSearch();
  readonly #metadata = new KnownMetadata();
  readonly #asked = new AskedJvms();
  readonly #lost: LostJvms;
  readonly #spools: Spools;
  readonly #stopping = new AbortController();
  readonly #told = new Told();
  readonly #tidying = new Tidying();
  #arrivals: PerfWatch | null = null;
  readonly #over = Promise.withResolvers<void>();
  #lastError: Problem | null = null;
  #isStopped = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#lost = new LostJvms(options.processes ?? [], problems => this.#tell(problems));
    const { store, spoolBytes, threadsMillis, tell } = options;
    this.#dumpBytes = threadsMillis === 0 ? 0 : spoolBytes * DUMPS_SHARE;
    // The uploader knows by itself what was told.
    const report = (problems: readonly Problem[]) => {
      for (const problem of problems) tell({ kind: 'problem', problem });
    };
    this.#uploader = new Uploader({ store, mostBytes: spoolBytes - this.#dumpBytes, report });
    this.#spools = new Spools({
      root: options.spool,
      repositories: options.repositories,
      redaction: options.redaction,
      report: problems => this.#tell(problems),
      isSent: window => this.#uploader.has(window),
      upload: (spool, spooled) => this.#upload(spool, spooled),
    });
  }

  /** Takes up what an earlier recorder has left, and begins. Null and why when it cannot. */
  async start(): Promise<Outcome<true | null>> {
    const { spool } = this.#options;
    try {
      const other = this.#spools.lock();
      if (other !== null) {
        const message = `process ${other} records with this spool already`;
        return {
          value: null,
          problems: [{ severity: 'error', message, file: spool, remedy: 'give each recorder its own with --spool' }],
        };
      }
      await this.#spools.takeUp();
    } catch (error) {
      const isFull = isDiskFull(error);
      const reason = isFull ? 'its disk is full' : messageOf(error);
      const message = `the spool cannot be used: ${reason}`;
      const remedy = isFull
        ? 'make room there, or name another folder with --spool'
        : 'name another folder with --spool';
      this.#spools.unlockFailed();
      return { value: null, problems: [{ severity: 'error', message, file: spool, remedy }] };
    }
    const came = (pid: number, isGone: boolean) => this.#arrive(pid, isGone);
    if (this.#options.processes === undefined)
      this.#arrivals = new PerfWatch({ temporary: '/tmp', user: process.geteuid?.() ?? -1, came });
    this.#work = Promise.all([this.#searchAlways(), this.#pollAlways()]);
    return { value: true, problems: [] };
  }

  /** How many JVMs are followed. */
  get size(): number {
    return this.#followed.size;
  }

  /**
   * Resolves when nothing can come any more: all processes that can be meant are gone, or calls were counted to the end. Of those not
   * recorded it is told why.
   */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Whether that is so, and none was recorded. */
  get isInVain(): boolean {
    return this.#lost.isInVain;
  }

  /**
   * Reads what is there, closes all windows, brings them into the store, and looks what is left in the spool: says of that why it could
   * not be stored.
   */
  async stop(): Promise<readonly Problem[]> {
    this.#stopping.abort();
    this.#arrivals?.close();
    await this.#work;
    await inTime(this.#asked.answered(), LAST_ANSWERS_MILLIS);
    this.#isStopped = true;
    const kept = await Promise.all([...this.#followed.values()].map(followed => this.#leave(followed)));
    await this.#spools.takeUpAll();
    await this.#uploader.drain(DRAIN_MILLIS);
    this.#uploader.end();
    const problems = this.#unstored();
    this.#spools.unlock();
    return problems.length === 0 && kept.includes(false) && this.#lastError !== null ? [this.#lastError] : problems;
  }

  /** The content of the spool when nothing can be done about it any more. */
  #unstored(): Problem[] {
    const { windows, broken } = this.#spools.left();
    if (windows === 0) return [];
    const unread =
      broken === null ? (this.#lastError?.message ?? 'the recorder had to end') : `${broken} cannot be read`;
    const reason = this.#uploader.length > 0 ? this.#uploader.reason : unread;
    const message = `${windows === 1 ? '1 window' : `${windows} windows`} could not be stored: ${reason}`;
    const remedy = 'what waits there goes out with the next recorder';
    return [{ severity: 'error', message, file: this.#options.spool, remedy }];
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
    this.#asked.forgetOldDelays();
    for (const folder of this.#options.repositories) this.#followFolder(resolve(folder));
    // One that is named and does not run may come later.
    const named = this.#options.processes?.filter(pid => startTicksOf(pid) !== null);
    const jvms = this.#jvms.list(named);
    this.#arrivals?.look();
    for (const jvm of jvms) this.#consider(jvm);
    for (const jvm of this.#asked.takeMissed(new Set(jvms.map(each => this.#spools.idOf(each))))) this.#lost.lose(jvm);
    this.#spools.takeUpEnded(id => this.#followed.has(id) || this.#asked.has(id));
    // JVMs that are asked are reported when they have not answered.
    if (this.#asked.size > 0) return;
    this.#lost.tellAbsent();
    const { processes, repositories } = this.#options;
    if (processes !== undefined && repositories.length === 0 && this.#lost.isOver) this.#over.resolve();
  }

  /** A JVM that is looked at as soon as it starts may live shorter than from one look to the next. */
  #arrive(pid: number, isGone: boolean): void {
    const jvm = describeJvm(pid);
    if (jvm !== null) this.#consider(jvm);
    else if (isGone && startTicksOf(pid) === null) this.#lost.loseUnseen(pid);
  }

  #consider(jvm: Jvm): void {
    const id = this.#spools.idOf(jvm);
    const isKnown = this.#followed.has(id) || this.#asked.has(id);
    if (isKnown || this.#asked.isPutOff(id) || !this.#options.wants(jvm)) return;
    this.#asked.askInTurn(id, jvm, () => this.#follow(id, jvm));
  }

  /** One that cannot be followed is told of, and asked again later. */
  async #follow(id: string, jvm: Jvm): Promise<void> {
    try {
      const { value, problems } = await findRecording(jvm, this.#options.settings);
      if (value === null && (await hasEnded(jvm))) return this.#lost.lose(jvm);
      this.#tell(problems);
      // By now it has told all that it tells of itself.
      const known = describeJvm(jvm.pid);
      const told = known?.startTicks === jvm.startTicks ? known : jvm;
      if (value !== null) return await this.#add(id, this.#foundJvm(told, value));
    } catch (error) {
      this.#tell([cannotFollow(error, `JVM ${jvm.pid} (${jvm.name})`)]);
    }
    this.#asked.putOff(id);
  }

  #foundJvm(jvm: Jvm, recording: FlightRecording): Found {
    return foundJvm(jvm, recording, this.#options.host, this.#options.settings);
  }

  #followFolder(folder: string): void {
    const id = repositoryId(folder);
    if (this.#asked.has(id)) return;
    const flaw = folderFlaw(folder);
    if (flaw !== null) this.#tell([flaw]);
    if (flaw !== null || this.#followed.has(id) || this.#asked.isPutOff(id)) return;
    this.#asked.ask(id, () =>
      this.#add(id, foundFolder(folder, this.#options.host)).catch(error => {
        this.#tell([cannotFollow(error, folder)]);
        this.#asked.putOff(id);
      }),
    );
  }

  async #add(id: string, found: Found, isNew = true): Promise<void> {
    const { store, settings, mostCalls, metrics, redaction, firstMillis, intervalMillis, tell } = this.#options;
    const { jvm, name, recorder, recording } = found;
    const execution = executionOf(found, this.#options.execution, this.#options.repositories.length);
    const spool = this.#spools.of(id);
    const isOver = (note: SpoolNote) => executionKey(note.execution) !== executionKey(execution);
    if (this.#isStopped) return;
    await this.#spools.end(spool, isOver, false);
    if (this.#isStopped) return;
    const report = (problems: readonly Problem[]) => this.#tell(problems);
    // Thread dumps tell what threads did by themselves, and with whom they waited.
    const isTimed = jvm !== null && this.#options.threadsMillis === 0 && mostCalls === undefined;
    const times = isTimed ? new SchedulerTimes(jvm.pid) : null;
    const processors = jvm === null ? null : new KnownProcessors(jvm.pid);
    const { timed } = this.#options;
    const calls = jvm === null || timed === undefined ? null : new CallTimer({ jvm, filters: timed, report });
    const follower = new Follower({
      execution,
      ...(jvm !== null && { jvm: jvm.identity }),
      repository: recording.repository,
      recorder,
      metrics,
      metadata: this.#metadata,
      redaction,
      spool,
      firstMillis,
      intervalMillis,
      ...(times !== null && { threadTimes: () => times.take() }),
      ...(processors !== null && { processors: () => processors.now() }),
      countsOnly: mostCalls !== undefined,
      ...(calls !== null && { isLeftOut: (filter, millis) => calls.isMeasured(filter, millis) }),
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
      times,
      calls,
      store,
      settings,
      report,
      ...(mostCalls !== undefined && { mostEvents: mostCalls, full: () => this.#over.resolve() }),
      left: () => {
        if (!this.#followed.delete(id)) return;
        this.#lost.left(jvm?.pid ?? 0);
        tell({ kind: 'left', pid: jvm?.pid ?? null, name });
      },
      moved: other => void this.#move(id, followed, other),
    });
    this.#followed.set(id, followed);
    this.#spools.taken(id);
    this.#lost.recorded(jvm?.pid ?? 0);
    if (isNew) tell({ kind: 'following', pid: jvm?.pid ?? null, name, execution });
    void this.#catchUp(followed);
  }

  /** Reads the data that were written before at once, with turns for all others in between. */
  async #catchUp(followed: Followed): Promise<void> {
    do {
      followed.poll();
      await nextTurn();
    } while (followed.isCatchingUp && !this.#stopping.signal.aborted);
  }

  #dumpsOf(jvm: Jvm, file: () => string): ThreadDumps | null {
    const { threadsMillis: everyMillis, ownedSynchronizers = false } = this.#options;
    if (everyMillis === 0) return null;
    const taken = () => [...this.#followed.values()].reduce((sum, { options }) => sum + (options.dumps?.bytes ?? 0), 0);
    const hasRoom = (bytes: number) => taken() + bytes <= this.#dumpBytes;
    const report = (problems: readonly Problem[]) => this.#tell(problems);
    return new ThreadDumps({ jvm, everyMillis, ownedSynchronizers, file, hasRoom, report });
  }

  /** The JVM's own recording has ended and ours has begun, or it writes elsewhere. */
  async #move(id: string, followed: Followed, recording: FlightRecording): Promise<void> {
    const { jvm } = followed.options;
    if (jvm === null || this.#isStopped) return;
    await followed.close();
    if (this.#isStopped || this.#followed.get(id) !== followed) return;
    try {
      await this.#add(id, this.#foundJvm(jvm, recording), false);
    } catch (error) {
      // The JVM is found again as if it were new.
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

  /** Tells whether all that was read is kept. */
  async #leave(followed: Followed): Promise<boolean> {
    const { left, name } = followed.options;
    try {
      return await followed.leave();
    } catch (error) {
      this.#tell([{ severity: 'error', message: `it cannot be left as it should: ${messageOf(error)}`, file: name }]);
      return false;
    } finally {
      left();
    }
  }

  /** The same trouble is told once in a while. */
  #tell(problems: readonly Problem[]): void {
    this.#lastError = problems.findLast(({ severity }) => severity === 'error') ?? this.#lastError;
    for (const problem of problems) if (this.#told.isNews(problem)) this.#options.tell({ kind: 'problem', problem });
  }
}

function cannotFollow(error: unknown, file: string): Problem {
  return { severity: 'error', message: `it cannot be followed: ${messageOf(error)}`, file, remedy: AGAIN };
}

const AGAIN = 'it is tried again every 30 seconds';
