// Worker entry: reads one file and hands the profile over; its columns are shared memory, so nothing is copied.
import { doTask } from '../base/workers.ts';
import type { ReadTask } from './in-worker.ts';
import { ingestFile } from './read.ts';

doTask(({ path, ...options }: ReadTask, { signal, onProgress }) =>
  ingestFile(path, { ...options, signal, onProgress }),
);
