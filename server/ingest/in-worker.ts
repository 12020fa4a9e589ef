// Reads a file in a thread of its own, so that the caller's thread stays free.
import { Worker } from 'node:worker_threads';
import { letEnd } from '../base/worker-end.ts';
import { workerUrl } from '../base/worker-url.ts';
import type { Ingested, IngestOptions } from './ingest.ts';
import { nothingRead } from './read-source.ts';
import { CANCEL, type WorkerMessage, type WorkerTask } from './worker-messages.ts';

/**
 * As `ingestFile`, in a worker. Never rejects. When `options.signal` aborts, the result is there at once and holds no
 * profile; the worker ends soon after.
 */
export function ingestInWorker(path: string, options: IngestOptions): Promise<Ingested> {
  const { names, events, metrics, covered, onProgress, signal } = options;
  const failed = (message: string) => nothingRead([{ severity: 'error', message, file: path }]);
  if (signal?.aborted) return Promise.resolve(failed('reading was cancelled'));
  return new Promise(resolve => {
    const workerData: WorkerTask = {
      path,
      names,
      ...(events ? { events } : {}),
      ...(metrics ? { metrics } : {}),
      ...(covered ? { covered } : {}),
    };
    const worker = new Worker(workerUrl('./read-worker.ts', import.meta.url), { workerData });
    const finish = (ingested: Ingested) => {
      signal?.removeEventListener('abort', cancel);
      resolve(ingested);
    };
    const cancel = () => {
      finish(failed('reading was cancelled'));
      letEnd(worker, CANCEL);
    };
    signal?.addEventListener('abort', cancel);
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'progress') onProgress?.(message.bytesRead, message.bytesTotal);
      else finish(message.ingested);
    });
    worker.on('error', error => finish(failed(`reading failed: ${error.message}`)));
    worker.on('exit', () => finish(failed('reading ended without a result')));
  });
}
