// The main thread's side of loading: hands sources to a worker, one after another, and gives the data back; can be cancelled.

import { bytesOf } from '../../analysis/data-buffers.ts';
import type { GivenDataset, LoadProgress } from '../../analysis/datasets.ts';
import type { FoldedData } from '../../analysis/folded-data.ts';
import type { Missing } from '../../analysis/load-merged.ts';
import type { TransferableData } from '../../analysis/loaded-data.ts';
import { Tidying } from '../../base/engine.ts';
import type { Outcome } from '../../base/problem.ts';
import { OrderedThread, workerUrl } from '../../base/workers.ts';
import type { StoreStamp } from '../../store/store.ts';
import type { Given, LoadOrder, LoadReport } from './load-worker.ts';
import type { Source } from './source.ts';

/** null when it was cancelled. */
type LoadResult =
  | (Outcome<TransferableData | null> & {
      /** That of the store's folder before it was read, where one is known. */
      readonly stamp?: string | null;
      /** The names of the source that the store does not hold. */
      readonly missing?: readonly Missing[];
    })
  | null;

export type LoadHandle = {
  readonly result: Promise<LoadResult>;
  cancel(): void;
};

type Job = {
  readonly order: Omit<Extract<LoadOrder, { kind: 'load' }>, 'known'>;
  readonly onProgress: (progress: LoadProgress) => void;
  readonly end: (result: LoadResult) => void;
};

/** The worker ends after this long without an order, and gives the memory back that it has for itself. */
const IDLE_MILLIS = 60_000;

/**
 * Loads one source at a time: two at once would only need twice the memory. The worker starts with the first order and ends when
 * there is nothing to do; the next one goes on with what it kept.
 */
export class Loader {
  readonly #idleMillis: number;
  readonly #thread = new OrderedThread<LoadOrder, LoadReport>({
    url: workerUrl('./load-worker.ts', import.meta.url),
    name: 'insitu load',
    onReport: report => this.#receive(report),
    onFailed: reason => this.#fail(reason),
  });
  #idle: NodeJS.Timeout | undefined;
  #tidying: Tidying | null = null;
  /** Bytes of folded data that were replaced since the last look. */
  #replaced = 0;
  /** The Datasets that the last worker kept, while there is no worker. */
  #given: readonly Given[] = [];
  #jobs: Job[] = [];
  #lastId = 0;
  /** The data that the worker has folded and keeps, by its numbers: they are not sent again. */
  #folded = new Map<number, FoldedData>();
  readonly #stamps = new Map<number, (stamp: StoreStamp | null) => void>();
  /** The load that the worker is to give up; nothing is sent to it before it says so. */
  #givenUp: number | null = null;

  constructor(idleMillis = IDLE_MILLIS) {
    this.#idleMillis = idleMillis;
  }

  /** Starts the worker before there is anything to load: its start-up then overlaps with the editor's handshake. */
  warmUp(): void {
    if (!this.#thread.isRunning) this.#start();
  }

  /** @param fresh look into the store even if the same snapshots were read before. */
  load(source: Source, onProgress: (progress: LoadProgress) => void, fresh = true): LoadHandle {
    const order = { kind: 'load', id: ++this.#lastId, source, fresh } as const;
    const { promise, resolve } = Promise.withResolvers<LoadResult>();
    this.#jobs.push({ order, onProgress, end: resolve });
    if (this.#jobs.length === 1) this.#postFirst();
    return { result: promise, cancel: () => this.#cancel(order.id) };
  }

  /** The state of the source's project in the store, asked now; null where it is not known. */
  stamp({ wish }: Source): Promise<StoreStamp | null> {
    this.warmUp();
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<StoreStamp | null>();
    this.#stamps.set(id, resolve);
    this.#post({ kind: 'stamp', id, wish });
    return promise;
  }

  /** Ends the worker; every load still under way counts as cancelled. */
  close(): void {
    this.#stop();
    for (const job of this.#jobs.splice(0)) job.end(null);
  }

  #postFirst(): void {
    const first = this.#jobs[0];
    if (first === undefined || this.#givenUp !== null) return;
    this.warmUp();
    this.#post({ ...first.order, known: [...this.#folded.keys()] });
  }

  #post(order: LoadOrder): void {
    clearTimeout(this.#idle);
    this.#thread.post(order);
  }

  get #isIdle(): boolean {
    return this.#jobs.length === 0 && this.#stamps.size === 0 && this.#givenUp === null;
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    if (!this.#isIdle) return;
    this.#idle = setTimeout(() => this.#post({ kind: 'giveAway' }), this.#idleMillis);
    this.#idle.unref();
  }

  /** An order that comes before this answer is left to the same worker. */
  #takeBack(kept: readonly Given[]): void {
    if (!this.#isIdle) return;
    this.#thread.letGo({ kind: 'end' });
    this.#given = kept;
  }

  #cancel(id: number): void {
    const at = this.#jobs.findIndex(job => job.order.id === id);
    if (at < 0) return;
    const [job] = this.#jobs.splice(at, 1);
    if (at === 0 && this.#givenUp === null) {
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

  #start(): void {
    const taken = this.#given.flatMap(({ dataset, ...each }): GivenDataset[] => {
      const folded = this.#folded.get(dataset.number);
      return folded === undefined ? [] : [{ ...each, dataset: { ...dataset, folded } }];
    });
    this.#given = [];
    this.#thread.start(taken);
    this.#endWhenIdle();
  }

  #stop(): void {
    this.#thread.letGo({ kind: 'end' });
    this.#forget();
  }

  #forget(): void {
    clearTimeout(this.#idle);
    this.#given = [];
    for (const answer of this.#stamps.values()) answer(null);
    this.#stamps.clear();
    this.#givenUp = null;
    this.#folded.clear();
  }

  #receive(report: LoadReport): void {
    this.#take(report);
    if (report.kind !== 'given') this.#endWhenIdle();
  }

  #take(report: LoadReport): void {
    const first = this.#jobs[0];
    if (report.kind === 'given') {
      this.#takeBack(report.kept);
      return;
    }
    if (report.kind === 'stamp') {
      this.#stamps.get(report.id)?.(report.stamp);
      this.#stamps.delete(report.id);
      return;
    }
    if (report.kind === 'progress') {
      if (first?.order.id === report.id) first.onProgress(report);
      return;
    }
    const folded = new Map([...this.#folded, ...report.fresh]);
    this.#folded = new Map([...folded].filter(([number]) => report.kept.includes(number)));
    for (const [number, data] of folded) if (!this.#folded.has(number)) this.#replaced += bytesOf(data);
    if (report.id === this.#givenUp) {
      this.#givenUp = null;
      this.#postFirst();
    } else if (first?.order.id === report.id) {
      const { data, problems, stamp, missing } = report;
      const value = data === null ? null : { folded: folded.get(data.folded)!, selected: data.selected };
      this.#finish({ value, problems, stamp, missing });
    }
  }

  /** Out of memory, for one: the job fails, the next gets a new worker. */
  #fail(reason: string): void {
    const wasGivenUp = this.#givenUp !== null;
    this.#forget();
    if (wasGivenUp) {
      this.#postFirst();
      return;
    }
    const file = this.#jobs[0]?.order.source.wish.store ?? '';
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
    if (this.#replaced > 0) setImmediate(() => this.#tidy());
  }

  /** Lets a collection take the memory of the data that the new data have replaced: by now nothing holds the replaced data. */
  #tidy(): void {
    this.#tidying ??= Tidying.ofMainThread();
    this.#tidying.look(this.#replaced);
    this.#replaced = 0;
  }
}
