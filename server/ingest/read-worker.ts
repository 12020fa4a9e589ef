// Worker entry: reads one file and hands the profile over; its columns are shared memory, so nothing is copied.
import { parentPort, workerData } from 'node:worker_threads';
import { ingestFile } from './read.ts';
import type { WorkerMessage, WorkerTask } from './worker-messages.ts';

const { path, ...options } = workerData as WorkerTask;
const say = (message: WorkerMessage) => parentPort?.postMessage(message);

const cancelled = new AbortController();
// The only message that comes is CANCEL. Waiting for it keeps nothing alive.
parentPort?.once('message', () => cancelled.abort()).unref();

const ingested = ingestFile(path, {
  ...options,
  signal: cancelled.signal,
  onProgress: (bytesRead, bytesTotal) => say({ kind: 'progress', bytesRead, bytesTotal }),
});
// No top-level await: the bundle is CommonJS.
void ingested.then(result => say({ kind: 'done', ingested: result }));
