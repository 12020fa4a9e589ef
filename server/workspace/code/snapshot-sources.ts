// Stands in for profiled texts that git does not have: what snapshots say of the sources of their classes, asked for when it is needed.
import { Worker } from 'node:worker_threads';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { letEnd } from '../../base/worker-end.ts';
import { workerUrl } from '../../base/worker-url.ts';
import type { SourcesOrder, SourcesReport } from './sources-worker.ts';

/** Snapshots that are looked into for one that says something; the latest first. */
const MOST_SNAPSHOTS = 5;
/** The thread ends after this long without a request. It takes with it the texts it has read, and those it could not read. */
const IDLE_MILLIS = 10_000;

type Asked = Omit<Extract<SourcesOrder, { kind: 'find' }>, 'kind' | 'id'>;

/** Has a thread of its own, while it is needed: the loading thread would answer when it has merged and folded, this one may parse no long text. */
export class SnapshotSources {
  readonly #idleMillis: number;
  readonly #answers = new Map<number, (text: string | null) => void>();
  #worker: Worker | null = null;
  #timer: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(idleMillis = IDLE_MILLIS) {
    this.#idleMillis = idleMillis;
  }

  /** A text that has what is known of the profiled one; null where the snapshots of the data say nothing of this file. */
  async standInFor(store: string, { provenance }: LoadedData, text: string, path: string): Promise<string | null> {
    const versions = new Set(provenance.executions.map(({ version }) => version));
    const entries = provenance.sourceEntries.toSorted((a, b) => b.startMillis - a.startMillis).slice(0, MOST_SNAPSHOTS);
    if (versions.size !== 1 || entries.length === 0) return null;
    return this.#ask({ store, entries, text, path });
  }

  /** Ends the thread; open requests are answered with nothing. */
  close(): void {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#forget();
    if (worker !== null) letEnd(worker, { kind: 'end' } satisfies SourcesOrder);
  }

  #ask(asked: Asked): Promise<string | null> {
    clearTimeout(this.#timer);
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#answers.set(id, resolve);
    this.#worker.postMessage({ kind: 'find', id, ...asked } satisfies SourcesOrder);
    return promise;
  }

  #start(): Worker {
    const worker = new Worker(workerUrl('./sources-worker.ts', import.meta.url), { name: 'insitu sources' });
    worker.unref();
    worker.on('message', ({ id, text }: SourcesReport) => {
      if (this.#worker !== worker) return;
      this.#answers.get(id)?.(text);
      this.#answers.delete(id);
      if (this.#answers.size > 0) return;
      this.#timer = setTimeout(() => this.close(), this.#idleMillis);
      this.#timer.unref();
    });
    const failed = () => {
      if (this.#worker === worker) this.#forget();
    };
    worker.on('error', failed);
    worker.on('exit', failed);
    return worker;
  }

  #forget(): void {
    this.#worker = null;
    for (const answer of this.#answers.values()) answer(null);
    this.#answers.clear();
  }
}
