// The worker thread that reads and merges snapshots, so that the thread that answers the editor never waits for it.
import { parentPort } from 'node:worker_threads';
import type { Problem } from '../base/problem.ts';
import type { Missing } from './choice.ts';
import { type LoadProgress, loadData } from './load-data.ts';
import { type TransferableData, transferList } from './loaded-data.ts';
import type { Source } from './source.ts';
import { folderStamp, projectFolder } from './store-watch.ts';

/** One load; the worker does one at a time, in order. Cancelling is ending the worker. */
export type LoadOrder = { readonly id: number; readonly source: Source };

export type LoadReport =
  | { readonly kind: 'progress'; readonly id: number; readonly done: number; readonly all: number }
  | {
      readonly kind: 'end';
      readonly id: number;
      readonly data: TransferableData | null;
      readonly problems: readonly Problem[];
      /** Of the store's folder before it was read, see `folderStamp`; null where there is none to watch. */
      readonly stamp: string | null;
      readonly missing: readonly Missing[];
    };

const port = parentPort;
if (port === null) throw new Error('load-worker must be started as a worker thread');

port.on('message', async ({ id, source }: LoadOrder) => {
  const send = (report: LoadReport, transfer: readonly ArrayBuffer[] = []) => port.postMessage(report, [...transfer]);
  const folder = projectFolder(source);
  const stamp = folder === null ? null : await folderStamp(folder);
  try {
    const progress = ({ done, all }: LoadProgress) => send({ kind: 'progress', id, done, all });
    const { value, problems, missing } = await loadData(source, progress);
    send({ kind: 'end', id, data: value, problems, stamp, missing }, value === null ? [] : transferList(value));
  } catch (error) {
    const message = `reading failed: ${error instanceof Error ? error.message : String(error)}`;
    const problem: Problem = { severity: 'error', message, file: source.store, remedy: 'please report this' };
    send({ kind: 'end', id, data: null, problems: [problem], stamp, missing: [] });
  }
});
