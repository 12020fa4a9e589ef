// The main thread's side of questions: sends them to the thread that answers, holds the data there that are on screen.
import { Cancelled } from '../base/pause.ts';
import { OrderedThread, workerUrl } from '../base/workers.ts';
import { AskFailed, type AskOptions, type Door, type Subject } from './ask.ts';
import type { HeldDataset } from './loaded-data.ts';
import type { QuestionOrder, QuestionReport } from './question-worker.ts';
import type { AnswerTo, ParametersOf, QuestionName } from './questions/question-table.ts';

/** Datasets that were asked about and are not on screen any more stay so many at most. */
const MOST_UNPINNED = 1;

/** A thread that has been at one question for so long is replaced; the page gives a question as much. */
const LIMIT_MILLIS = 10_000;

type Waiting = { readonly resolve: (answer: unknown) => void; readonly reject: (error: Error) => void };

export class QuestionThread implements Door {
  readonly #thread = new OrderedThread<QuestionOrder, QuestionReport>({
    url: workerUrl('./question-worker.ts', import.meta.url),
    name: 'insitu questions',
    onReport: report => this.#receive(report),
    onFailed: reason => this.#fail(reason),
  });
  #isClosed = false;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();
  /** Numbers of what the thread holds, the latest used last. */
  readonly #held = new Map<HeldDataset['folded'], number>();
  #pinned: ReadonlySet<HeldDataset['folded']> = new Set();
  /** The questions that the thread has not reported, cancelled ones too: the thread may still be at one of them. */
  readonly #unreported = new Set<number>();
  #watch: NodeJS.Timeout | null = null;
  readonly #limitMillis: number;

  constructor(limitMillis: number = LIMIT_MILLIS) {
    this.#limitMillis = limitMillis;
  }

  /** Starts the thread before there is anything to ask. */
  warmUp(): void {
    this.#thread.start();
  }

  /** Says which data are on screen: the thread gets and keeps those, and lets go of others. */
  pin(datasets: readonly HeldDataset[]): void {
    if (this.#isClosed) return;
    this.#pinned = new Set(datasets.map(({ folded }) => folded));
    for (const dataset of datasets) this.#hold(dataset);
    this.#letGo();
  }

  ask<N extends QuestionName>(
    { dataset, selection }: Subject,
    name: N,
    parameters: ParametersOf<N>,
    { signal, urgent = false, baseline }: AskOptions = {},
  ): Promise<AnswerTo<N>> {
    if (this.#isClosed || signal?.aborted === true) return Promise.reject(new Cancelled());
    const { promise, resolve, reject } = Promise.withResolvers<AnswerTo<N>>();
    const id = ++this.#lastId;
    const cancel = () => {
      this.#thread.post({ kind: 'cancel', id });
      this.#waiting.delete(id);
      reject(new Cancelled());
    };
    const done = () => signal?.removeEventListener('abort', cancel);
    void promise.then(done, done);
    this.#unreported.add(id);
    if (this.#watch === null) this.#startWatch();
    this.#waiting.set(id, { resolve: found => resolve(found as AnswerTo<N>), reject });
    const compared = baseline && { dataset: this.#hold(baseline.dataset), selection: baseline.selection };
    const number = this.#hold(dataset);
    this.#thread.post({
      ...{ kind: 'ask', id, dataset: number, selection, name, parameters, urgent },
      ...(compared && { baseline: compared }),
    });
    this.#letGo();
    signal?.addEventListener('abort', cancel, { once: true });
    return promise;
  }

  /** Ends the thread; what was asked and not answered counts as cancelled. */
  close(): void {
    this.#isClosed = true;
    this.#thread.letGo({ kind: 'end' });
    this.#held.clear();
    this.#endWatch();
    this.#rejectAll(new Cancelled());
  }

  #hold(dataset: HeldDataset): number {
    this.warmUp();
    const known = this.#held.get(dataset.folded);
    const number = known ?? ++this.#lastId;
    const { wish, key, revision, folded, provenance } = dataset;
    this.#held.delete(folded);
    this.#held.set(folded, number);
    if (known === undefined)
      this.#thread.post({ kind: 'hold', dataset: number, data: { wish, key, revision, folded, provenance } });
    return number;
  }

  #letGo(): void {
    const unpinned = [...this.#held].filter(([folded]) => !this.#pinned.has(folded));
    for (const [folded, number] of unpinned.slice(0, Math.max(0, unpinned.length - MOST_UNPINNED))) {
      this.#held.delete(folded);
      this.#thread.post({ kind: 'release', dataset: number });
    }
  }

  /** Counts from the last report on: each one shows that the thread has gone on to another question. */
  #startWatch(): void {
    clearTimeout(this.#watch ?? undefined);
    this.#watch = setTimeout(() => {
      const late = this.#watch;
      // After a long turn of this thread, reports may wait to be read.
      setImmediate(() => {
        if (this.#watch === late) this.#replace();
      });
    }, this.#limitMillis);
    this.#watch.unref();
  }

  #endWatch(): void {
    clearTimeout(this.#watch ?? undefined);
    this.#watch = null;
    this.#unreported.clear();
  }

  #replace(): void {
    this.#thread.stop();
    this.#fail(`it had no answer within ${this.#limitMillis / 1_000} s`);
  }

  #receive(report: QuestionReport): void {
    this.#unreported.delete(report.id);
    if (this.#unreported.size === 0) this.#endWatch();
    else this.#startWatch();
    const waiting = this.#waiting.get(report.id);
    this.#waiting.delete(report.id);
    if (report.kind === 'answer') waiting?.resolve(report.answer);
    else if (report.kind === 'failed') waiting?.reject(new AskFailed(report.problems));
  }

  /** Out of memory, for one: the open questions fail, and the next question gets a new thread. */
  #fail(reason: string): void {
    this.#held.clear();
    this.#endWatch();
    const message = `the thread that answers questions failed: ${reason}`;
    this.#rejectAll(new AskFailed([{ severity: 'error', message, remedy: 'ask again; it is started anew' }]));
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
