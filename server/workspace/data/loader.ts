// The main thread's side of loading: hands sources to a worker, one after another, and gives the data back; can be cancelled.
import { Worker } from 'node:worker_threads';
import type { Outcome } from '../../base/problem.ts';
import { letEnd } from '../../base/worker-end.ts';
import { workerUrl } from '../../base/worker-url.ts';
import type { StoreStamp } from '../../store/store.ts';
import type { Missing } from './choice.ts';
import { buildOf, LONGEST_HOLD_MILLIS, type LooksPlace, makeGate, openGate, openLook } from './first-look.ts';
import type { FoldedData } from './folded-data.ts';
import type { LoadProgress } from './load-data.ts';
import type { LoadOrder, LoadReport, LoadWorkerData } from './load-worker.ts';
import type { TransferableData } from './loaded-data.ts';
import { hasNotes, LookNotes, type NotedLook } from './look-notes.ts';
import { type Source, sourceKey } from './source.ts';
import { TidyLater } from './tidy-later.ts';

/** null when it was cancelled. */
export type LoadResult =
  | (Outcome<TransferableData | null> & {
      /** That of the store's folder before it was read, where one is known. */
      readonly stamp?: string | null;
      /** What the source names and the store does not hold. */
      readonly missing?: readonly Missing[];
    })
  | null;

export type LoadHandle = {
  readonly result: Promise<LoadResult>;
  /** What hints are made of, where that is known before the rest: the result without its tree. null where it is not; never later than the result. */
  readonly firstLook?: Promise<TransferableData | null>;
  cancel(): void;
};

type Job = {
  readonly order: Extract<LoadOrder, { kind: 'load' }>;
  onProgress: (progress: LoadProgress) => void;
  readonly look: (look: TransferableData | null) => void;
  readonly end: (result: LoadResult) => void;
};

/** Hints of what has been loaded are asked for at once; memory can wait. */
const TIDY_MILLIS = 2_000;

/** Loads one source at a time: two at once would only need twice the memory. */
export class Loader {
  #worker: Worker | null = null;
  #jobs: Job[] = [];
  #lastId = 0;
  /** What the worker has folded and keeps, by its numbers: those are sent once. */
  #folded = new Map<number, FoldedData>();
  /** Begun before anybody asked. */
  #ahead: { readonly key: string; readonly handle: LoadHandle; readonly id: number } | null = null;
  /** Data that are replaced leave columns behind. */
  readonly #tidying = new TidyLater(TIDY_MILLIS);
  readonly #stamps = new Map<number, (stamp: StoreStamp | null) => void>();
  /** The load that the worker is to give up; nothing is sent to it before it says so. */
  #givenUp: number | null = null;
  readonly #looks: LooksPlace | null;
  readonly #gate = makeGate();
  /** Runs while nothing is sent to the worker, because hints are made of what has been seen without it. */
  #holding: NodeJS.Timeout | null = null;

  /** @param looks where first looks are kept from one start to the next; nowhere when absent. */
  constructor(looks: LooksPlace | null = null) {
    this.#looks = looks;
  }

  /** Starts the worker before there is anything to load: its start-up then overlaps with the editor's handshake. */
  warmUp(): void {
    this.#worker ??= this.#start();
  }

  /** Whether `begin` may find a first look, so that hints need no worker. */
  get mayHaveSeen(): boolean {
    return this.#looks !== null && hasNotes(this.#looks.folder);
  }

  /** Whether it has found one, and hints come before the worker has anything to do. */
  get isHolding(): boolean {
    return this.#holding !== null;
  }

  /**
   * Loads what will most likely be asked for next: a load of the same source takes it over, any other ends it. Where the first look of
   * what is there now has been noted, that is given at once, and the load begins when hints have been answered.
   *
   * @param hintsFirst whether anybody will ask for hints.
   */
  begin(source: Source, hintsFirst = true): void {
    const seen = hintsFirst && this.#looks !== null ? noted(this.#looks.folder, source) : null;
    if (seen !== null) this.#holding = setTimeout(() => this.#letGo(), LONGEST_HOLD_MILLIS).unref();
    const handle = this.#enqueue({ source, fresh: true, seen: seen?.key ?? null }, () => {}, seen);
    this.#ahead = { key: sourceKey(source), handle, id: this.#lastId };
  }

  /** @param fresh look into the store even if the same snapshots were read before. */
  load(source: Source, onProgress: (progress: LoadProgress) => void, fresh = true): LoadHandle {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead !== null && ahead.key === sourceKey(source)) {
      const job = this.#jobs.find(({ order }) => order.id === ahead.id);
      if (job !== undefined) job.onProgress = onProgress;
      return ahead.handle;
    }
    ahead?.handle.cancel();
    return this.#enqueue({ source, fresh, seen: null }, onProgress);
  }

  #enqueue(
    wish: Pick<Job['order'], 'source' | 'fresh' | 'seen'>,
    onProgress: Job['onProgress'],
    seen: NotedLook | null = null,
  ): LoadHandle {
    const order = { kind: 'load', id: ++this.#lastId, ...wish } as const;
    const { promise, resolve } = Promise.withResolvers<LoadResult>();
    const { promise: firstLook, resolve: look } = Promise.withResolvers<TransferableData | null>();
    const end = (result: LoadResult) => {
      look(null);
      resolve(result);
    };
    if (seen !== null) look(seen.data);
    this.#jobs.push({ order, onProgress, look, end });
    if (this.#jobs.length === 1) this.#postFirst();
    return { result: promise, firstLook, cancel: () => this.#cancel(order.id) };
  }

  /** What the store holds of the source's project, asked now; null where that is not known. */
  stamp(source: Source): Promise<StoreStamp | null> {
    this.warmUp();
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<StoreStamp | null>();
    this.#stamps.set(id, resolve);
    this.#post({ kind: 'stamp', id, source });
    return promise;
  }

  /** Hints have been made of what was seen, or need more: the rest is read without a further pause. */
  readOn(): void {
    openGate(this.#gate);
    this.#letGo();
  }

  /** Ends the worker; every load still under way counts as cancelled. */
  close(): void {
    this.#stopHolding();
    this.#tidying.cancel();
    this.#stop();
    for (const job of this.#jobs.splice(0)) job.end(null);
  }

  #postFirst(): void {
    const first = this.#jobs[0];
    if (first === undefined || this.#givenUp !== null || this.isHolding) return;
    this.warmUp();
    this.#post(first.order);
  }

  #letGo(): void {
    if (!this.isHolding) return;
    this.#stopHolding();
    this.#postFirst();
  }

  #stopHolding(): void {
    if (this.#holding !== null) clearTimeout(this.#holding);
    this.#holding = null;
  }

  #post(order: LoadOrder): void {
    this.#worker?.postMessage(order);
  }

  #cancel(id: number): void {
    const at = this.#jobs.findIndex(job => job.order.id === id);
    if (at < 0) return;
    const [job] = this.#jobs.splice(at, 1);
    // What has been seen is nobody's any more, and the worker knows nothing of it.
    if (at === 0 && this.isHolding) this.#letGo();
    else if (at === 0 && this.#givenUp === null) {
      // A worker that keeps nothing yet is quickest ended; another is asked to stop, and keeps what it has.
      if (this.#folded.size === 0) this.#stop();
      else {
        this.#givenUp = id;
        this.#post({ kind: 'cancel', id });
      }
      this.#postFirst();
    }
    job?.end(null);
  }

  #start(): Worker {
    const url = workerUrl('./load-worker.ts', import.meta.url);
    const workerData: LoadWorkerData = { place: this.#looks, gate: this.#gate };
    const worker = new Worker(url, { name: 'insitu load', workerData });
    worker.unref();
    worker.on('message', (report: LoadReport) => {
      // A thread that was given up first ends what it is at: that is nobody's any more.
      if (this.#worker === worker) this.#receive(report);
    });
    worker.on('error', error => this.#fail(worker, error.message));
    worker.on('exit', code => this.#fail(worker, `the loading thread ended with status ${code}`));
    return worker;
  }

  #stop(): void {
    const worker = this.#worker;
    this.#forget();
    // It may wait for hints that nobody makes any more.
    openGate(this.#gate);
    if (worker !== null) letEnd(worker, { kind: 'end' } satisfies LoadOrder);
  }

  #forget(): void {
    for (const answer of this.#stamps.values()) answer(null);
    this.#stamps.clear();
    this.#worker = null;
    this.#givenUp = null;
    this.#folded.clear();
  }

  #receive(report: LoadReport): void {
    const first = this.#jobs[0];
    if (report.kind === 'stamp') {
      this.#stamps.get(report.id)?.(report.stamp);
      this.#stamps.delete(report.id);
      return;
    }
    if (report.kind === 'progress') {
      if (first?.order.id === report.id) first.onProgress(report);
      return;
    }
    if (report.kind === 'look') {
      if (first?.order.id === report.id && first.order.seen === null)
        first.look(openLook(report.bytes, report.provenance));
      return;
    }
    const folded = new Map([...this.#folded, ...report.fresh]);
    this.#folded = new Map([...folded].filter(([number]) => report.kept.includes(number)));
    if (report.id === this.#givenUp) {
      this.#givenUp = null;
      this.#postFirst();
    } else if (first?.order.id === report.id) {
      const { data, problems, stamp, missing } = report;
      const value = data === null ? null : { folded: folded.get(data.folded)!, selected: data.selected };
      this.#finish({ value, problems, stamp, missing });
    }
  }

  /** Out of memory, for one: the job fails, the next gets a new worker. Says nothing when the worker was stopped on purpose. */
  #fail(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    const wasGivenUp = this.#givenUp !== null;
    this.#forget();
    if (wasGivenUp) {
      this.#postFirst();
      return;
    }
    const file = this.#jobs[0]?.order.source.store ?? '';
    const remedy = 'the command insitu.refresh reads again';
    this.#finish({
      value: null,
      problems: [{ severity: 'error', message: `reading failed: ${reason}`, file, remedy }],
    });
  }

  #finish(result: LoadResult): void {
    const done = this.#jobs.shift();
    this.#postFirst();
    done?.end(result);
    this.#tidying.soon();
  }
}

/** Looks where the worker does: what it has noted there is its own build's. */
function noted(folder: string, source: Source): NotedLook | null {
  return new LookNotes(folder, buildOf(workerUrl('./load-worker.ts', import.meta.url))).find(source);
}
