// The worker thread that reads and merges snapshots, so that the thread that answers the editor never waits for it.

import { parentPort, workerData } from 'node:worker_threads';
import { transferList } from '../../analysis/data-buffers.ts';
import { Datasets, type GivenDataset, type KeptDataset, type LoadProgress } from '../../analysis/datasets.ts';
import type { FoldedData } from '../../analysis/folded-data.ts';
import type { Missing } from '../../analysis/load-merged.ts';
import type { SelectedData, TransferableData } from '../../analysis/loaded-data.ts';
import { selectData } from '../../analysis/select-data.ts';
import type { Wish } from '../../analysis/wish.ts';
import { Tidying } from '../../base/engine.ts';
import { messageOf } from '../../base/message-of.ts';
import type { Problem } from '../../base/problem.ts';
import { openStore } from '../../store/open-store.ts';
import type { StoreStamp } from '../../store/store.ts';
import type { Source } from './source.ts';
import { folderStamp, projectFolder } from './store-watch.ts';

/** The worker does one load at a time; the next order comes when it has ended. */
export type LoadOrder =
  | {
      readonly kind: 'load';
      readonly id: number;
      readonly source: Source;
      /** Look into the store even if the same snapshots were read before. */
      readonly fresh: boolean;
      /** Folded data, by number, that need not be sent. */
      readonly known: readonly number[];
    }
  | { readonly kind: 'cancel'; readonly id: number }
  /** Answered at once, before all other work. */
  | { readonly kind: 'stamp'; readonly id: number; readonly wish: Wish }
  /** Comes when no load is under way. */
  | { readonly kind: 'giveAway' }
  /** No further request will come. */
  | { readonly kind: 'end' };

export type LoadReport =
  | { readonly kind: 'progress'; readonly id: number; readonly done: number; readonly all: number }
  | { readonly kind: 'stamp'; readonly id: number; readonly stamp: StoreStamp | null }
  /** The Datasets that the worker keeps, the folded data by their numbers. */
  | { readonly kind: 'given'; readonly kept: readonly Given[] }
  | {
      readonly kind: 'end';
      readonly id: number;
      readonly data: { readonly folded: number; readonly selected: SelectedData } | null;
      readonly problems: readonly Problem[];
      /** Of the store's folder before it was read, see `folderStamp`; null where there is none to watch. */
      readonly stamp: string | null;
      readonly missing: readonly Missing[];
      /** Folded data by number, where they were not known. */
      readonly fresh: readonly (readonly [number, FoldedData])[];
      /** Numbers of all that the worker keeps. */
      readonly kept: readonly number[];
    };

/** The Datasets that one worker leaves to the next. */
export type Given = Omit<GivenDataset, 'dataset'> & { readonly dataset: Omit<KeptDataset, 'folded'> };

type Ended = Omit<Extract<LoadReport, { kind: 'end' }>, 'kind' | 'id' | 'fresh' | 'kept'>;

type Loaded = Ended & { readonly value: TransferableData | null };

const port = parentPort;
if (port === null) throw new Error('load-worker must be started as a worker thread');

const datasets = new Datasets(workerData as readonly GivenDataset[]);
let hasLoaded = false;
let tidying: Tidying | null = null;
let running: { readonly id: number; readonly stop: AbortController } | null = null;

port.on('message', async (order: LoadOrder) => {
  if (order.kind === 'cancel') {
    if (running?.id === order.id) running.stop.abort();
    return;
  }
  if (order.kind === 'stamp') {
    const stamp = await storeStamp(order.wish).catch(() => null);
    port.postMessage({ kind: 'stamp', id: order.id, stamp } satisfies LoadReport);
    return;
  }
  if (order.kind === 'giveAway') {
    const kept = datasets.giveAway().map(({ dataset: { folded: _, ...dataset }, ...each }) => ({ ...each, dataset }));
    port.postMessage({ kind: 'given', kept } satisfies LoadReport);
    return;
  }
  if (order.kind === 'end') {
    running?.stop.abort();
    // The thread ends by itself when nothing is left to do.
    port.close();
    return;
  }
  const { id } = order;
  running = { id, stop: new AbortController() };
  const { value, data, ...ended } = await load(order, running.stop.signal);
  running = null;
  const kept = datasets.kept.map(({ number }) => number);
  const isNew = data !== null && !order.known.includes(data.folded);
  const fresh = isNew && value !== null ? [[data.folded, value.folded] as const] : [];
  const report: LoadReport = { kind: 'end', id, data, ...ended, fresh, kept };
  port.postMessage(report, value === null ? [] : transferList(value.selected));
  // The first data have replaced none.
  if (hasLoaded) tidying ??= new Tidying();
  tidying?.look();
  hasLoaded = true;
});

async function load({ id, source, fresh }: Extract<LoadOrder, { kind: 'load' }>, signal: AbortSignal): Promise<Loaded> {
  let stamp: string | null = null;
  try {
    const { wish, selection } = source;
    const looked = (dataset: KeptDataset, told: readonly Problem[]) => {
      const { value, problems } = selectData({ ...dataset, problems: told }, selection);
      const data = value && { folded: dataset.number, selected: value.selected };
      return { value, data, problems, stamp: dataset.stamp, missing: [] };
    };
    const again = fresh ? null : datasets.again(wish);
    if (again !== null) return looked(again, again.problems);
    stamp = (await storeStamp(wish))?.text ?? null;
    const progress = ({ done, all }: LoadProgress) => port?.postMessage({ kind: 'progress', id, done, all });
    const { value, problems, missing } = await datasets.load(wish, progress, signal, stamp);
    return value === null ? { value, data: null, problems, stamp, missing } : looked(value, problems);
  } catch (error) {
    const message = `reading failed: ${messageOf(error)}`;
    const problem: Problem = { severity: 'error', message, file: source.wish.store, remedy: 'please report this' };
    return { value: null, data: null, problems: [problem], stamp, missing: [] };
  }
}

/** A stamp that changes whenever snapshots of the project come or go; null where nothing is watched. */
async function storeStamp(wish: Wish): Promise<StoreStamp | null> {
  const folder = projectFolder(wish);
  if (folder !== null) return { text: await folderStamp(folder), nextMillis: null };
  if (wish.files !== undefined) return null;
  return (await openStore(wish.store).value?.stamp?.({ project: wish.project })) ?? null;
}
