// Worker threads: where their entries are, threads that live on and get orders, threads that do one task, and how both end.
import { parentPort, receiveMessageOnPort, Worker, type WorkerOptions, workerData } from 'node:worker_threads';
import { childSlots } from './child-ends.ts';
import { keepWrappers } from './engine.ts';

/**
 * The URL of a worker's entry.
 *
 * Worker entries are the files named `*-worker.ts`, each name used once in the whole project. In the sources they stand
 * where they are written; the build puts each as one bundle beside the others: `dist/<name>-worker.cjs`. An entry of a few
 * lines stays a file for this reason.
 *
 * @param source the entry relative to the caller: `./read-worker.ts`.
 * @param caller the caller's `import.meta.url`, which in a bundle is the bundle's own.
 */
export function workerUrl(source: `${string}-worker.ts`, caller: string): URL {
  if (caller.endsWith('.ts')) return new URL(source, caller);
  const name = source.slice(source.lastIndexOf('/') + 1, -'.ts'.length);
  return new URL(`./${name}.cjs`, caller);
}

type Listeners<Report> = {
  readonly onReport: (report: Report) => void;
  /** Comes with the error, out of memory for one, and again with the end that follows it. */
  readonly onEnd: (error: Error | null, status: number) => void;
};

function startWorker<Report>(url: URL, options: WorkerOptions, { onReport, onEnd }: Listeners<Report>): Worker {
  // The thread has them in common with this one.
  childSlots();
  if (url.pathname.endsWith('.ts')) keepWrappers();
  const worker = new Worker(url, options);
  worker.on('message', onReport);
  worker.on('error', error => onEnd(error, 1));
  worker.on('exit', status => onEnd(null, status));
  return worker;
}

/** A thread that has not ended by itself after so long is stopped. */
const LONGEST_END_MILLIS = 5_000;

/**
 * Lets a thread end by itself: stopped in the middle of native work, it can take the whole process with it.
 * @param order tells the thread that it is not needed any more.
 */
export function letEnd(worker: Worker, order: unknown): void {
  worker.postMessage(order);
  const timer = setTimeout(() => void worker.terminate(), LONGEST_END_MILLIS);
  timer.unref();
  worker.once('exit', () => clearTimeout(timer));
}

type ThreadOptions<Report> = {
  readonly url: URL;
  /** As lists of the system's threads show it. */
  readonly name: string;
  readonly onReport: (report: Report) => void;
  /** The thread ended without being told to: its data and its open orders are lost. */
  readonly onFailed: (reason: string) => void;
};

/**
 * A thread that takes orders until it is let go, fails or is stopped; then another one can be started. Until then it keeps the process
 * alive: nothing else does while a command waits for data.
 */
export class OrderedThread<Order extends { readonly kind: string }, Report> {
  readonly #options: ThreadOptions<Report>;
  #worker: Worker | null = null;

  constructor(options: ThreadOptions<Report>) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** @param given data that the thread finds when it starts. */
  start(given?: unknown): void {
    if (this.#worker !== null) return;
    const { url, name, onReport, onFailed } = this.#options;
    // A thread that was let go may still report; nothing waits for that any more.
    const worker: Worker = startWorker<Report>(
      url,
      { name, workerData: given },
      {
        onReport: report => {
          if (this.#worker === worker) onReport(report);
        },
        onEnd: (error, status) => {
          if (this.#worker !== worker) return;
          this.#worker = null;
          onFailed(error?.message ?? `it ended with status ${status}`);
        },
      },
    );
    this.#worker = worker;
  }

  /** Nothing where no thread is running. */
  post(order: Order): void {
    this.#worker?.postMessage(order);
  }

  /** @param last tells the thread that no other order will come. */
  letGo(last: Order): void {
    if (this.#worker !== null) letEnd(this.#worker, last);
    this.#worker = null;
  }

  /** For a thread that takes no order any more. */
  stop(): void {
    void this.#worker?.terminate();
    this.#worker = null;
  }
}

type OnProgress = (bytesRead: number, bytesTotal: number) => void;

type TaskReport<Result> =
  | { readonly kind: 'progress'; readonly bytesRead: number; readonly bytesTotal: number }
  | { readonly kind: 'done'; readonly result: Result };

type TaskOptions<Task, Result> = {
  readonly task: Task;
  /** How messages name the work: `reading`. */
  readonly work: string;
  /** The result of work that did not come to its end. */
  readonly failed: (message: string) => Result;
  readonly onProgress: OnProgress | undefined;
  /** When it aborts, the result is there at once; the thread ends soon after. */
  readonly signal: AbortSignal | undefined;
};

/** Has one task done in a thread of its own, whose entry calls `doTask`. Never rejects. */
export function doneInThread<Task, Result>(
  url: URL,
  { task, work, failed, onProgress, signal }: TaskOptions<Task, Result>,
): Promise<Result> {
  if (signal?.aborted) return Promise.resolve(failed(`${work} was cancelled`));
  const { promise, resolve } = Promise.withResolvers<Result>();
  const worker = startWorker<TaskReport<Result>>(
    url,
    { workerData: task },
    {
      onReport: report => {
        if (report.kind === 'progress') onProgress?.(report.bytesRead, report.bytesTotal);
        else resolve(report.result);
      },
      onEnd: error =>
        resolve(failed(error === null ? `${work} ended without a result` : `${work} failed: ${error.message}`)),
    },
  );
  const cancel = () => {
    resolve(failed(`${work} was cancelled`));
    letEnd(worker, 'cancel');
  };
  signal?.addEventListener('abort', cancel);
  void promise.then(() => signal?.removeEventListener('abort', cancel));
  return promise;
}

export type GivenToTask = {
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
  /** Also where work has kept the thread so busy that the message still waits to be read. */
  readonly isCancelled: () => boolean;
};

/** The whole of a thread that does one task; `work` never rejects. */
export function doTask<Task, Result>(work: (task: Task, given: GivenToTask) => Promise<Result>): void {
  const port = parentPort;
  if (port === null) throw new Error('a task is done in a worker thread');
  const say = (report: TaskReport<Result>) => port.postMessage(report);
  const cancelled = new AbortController();
  // The only message cancels the task. Waiting for it keeps nothing alive.
  port.once('message', () => cancelled.abort()).unref();
  const given: GivenToTask = {
    signal: cancelled.signal,
    onProgress: (bytesRead, bytesTotal) => say({ kind: 'progress', bytesRead, bytesTotal }),
    isCancelled: () => cancelled.signal.aborted || receiveMessageOnPort(port) !== undefined,
  };
  void work(workerData as Task, given).then(result => say({ kind: 'done', result }));
}
