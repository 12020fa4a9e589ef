// Reads a file in a thread of its own, so that the caller's thread stays free.
import { doneInThread, workerUrl } from '../base/workers.ts';
import type { Ingested, IngestOptions } from './ingest.ts';
import { nothingRead } from './read-source.ts';

/** All of IngestOptions that can cross to another thread. */
export type ReadTask = { readonly path: string } & Omit<IngestOptions, 'onProgress' | 'signal'>;

/**
 * As `ingestFile`, in a worker. Never rejects. When `options.signal` aborts, the result is there at once and holds no
 * profile; the worker ends soon after.
 */
export function ingestInWorker(path: string, options: IngestOptions): Promise<Ingested> {
  const { onProgress, signal, ...given } = options;
  const task: ReadTask = { path, ...given };
  const failed = (message: string) => nothingRead([{ severity: 'error', message, file: path }]);
  const url = workerUrl('./read-worker.ts', import.meta.url);
  return doneInThread(url, { task, work: 'reading', failed, onProgress, signal });
}
