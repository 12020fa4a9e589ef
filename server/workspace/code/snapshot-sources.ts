// Stands in for profiled texts that git does not have: what snapshots say of the sources of their classes, asked for when it is needed.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { OrderedThread, workerUrl } from '../../base/workers.ts';
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
  readonly #thread = new OrderedThread<SourcesOrder, SourcesReport>({
    url: workerUrl('./sources-worker.ts', import.meta.url),
    name: 'insitu sources',
    onReport: report => this.#receive(report),
    onFailed: () => this.#answerAll(),
  });
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
    this.#thread.letGo({ kind: 'end' });
    this.#answerAll();
  }

  #ask(asked: Asked): Promise<string | null> {
    clearTimeout(this.#timer);
    this.#thread.start();
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#answers.set(id, resolve);
    this.#thread.post({ kind: 'find', id, ...asked });
    return promise;
  }

  #receive({ id, text }: SourcesReport): void {
    this.#answers.get(id)?.(text);
    this.#answers.delete(id);
    if (this.#answers.size > 0) return;
    this.#timer = setTimeout(() => this.close(), this.#idleMillis);
    this.#timer.unref();
  }

  #answerAll(): void {
    for (const answer of this.#answers.values()) answer(null);
    this.#answers.clear();
  }
}
