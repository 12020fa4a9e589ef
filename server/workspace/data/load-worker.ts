// The worker thread that reads and merges snapshots, so that the thread that answers the editor never waits for it.
import { parentPort, workerData } from 'node:worker_threads';
import { type Dataset, Datasets, type KeptDataset, type LoadProgress } from '../../analysis/datasets.ts';
import type { FoldedData } from '../../analysis/folded-data.ts';
import type { Missing } from '../../analysis/load-merged.ts';
import { type SelectedData, type TransferableData, transferList } from '../../analysis/loaded-data.ts';
import { selectData } from '../../analysis/select-data.ts';
import type { Wish } from '../../analysis/wish.ts';
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
    }
  | { readonly kind: 'cancel'; readonly id: number }
  /** Answered at once, whatever else is under way. */
  | { readonly kind: 'stamp'; readonly id: number; readonly wish: Wish }
  /** Comes when no load is under way. */
  | { readonly kind: 'giveAway' }
  /** No further request will come. */
  | { readonly kind: 'end' };

export type LoadReport =
  | { readonly kind: 'progress'; readonly id: number; readonly done: number; readonly all: number }
  | { readonly kind: 'stamp'; readonly id: number; readonly stamp: StoreStamp | null }
  /** What the worker keeps, the folded data by their numbers. */
  | { readonly kind: 'given'; readonly kept: readonly Given[] }
  | {
      readonly kind: 'end';
      readonly id: number;
      readonly data: { readonly folded: number; readonly selected: SelectedData } | null;
      readonly problems: readonly Problem[];
      /** Of the store's folder before it was read, see `folderStamp`; null where there is none to watch. */
      readonly stamp: string | null;
      readonly missing: readonly Missing[];
      /** Folded data by number: those that were not sent before. */
      readonly fresh: readonly (readonly [number, FoldedData])[];
      /** Numbers of all that the worker keeps. */
      readonly kept: readonly number[];
    };

/** What one worker leaves to the next. */
export type Given = Omit<KeptDataset, 'dataset'> & Known & { readonly dataset: Omit<Dataset, 'folded'> };

/** The same with its folded data. */
export type Taken = Omit<Given, 'dataset'> & Pick<KeptDataset, 'dataset'>;

/** Beside folded data. */
type Known = {
  readonly number: number;
  /** Of the store's folder, from before they were read. */
  readonly stamp: string | null;
};

type Ended = Omit<Extract<LoadReport, { kind: 'end' }>, 'kind' | 'id' | 'fresh' | 'kept'>;

type Loaded = Ended & { readonly value: TransferableData | null };

const port = parentPort;
if (port === null) throw new Error('load-worker must be started as a worker thread');

const taken = workerData as readonly Taken[];
const datasets = new Datasets(taken);
const known = new WeakMap<FoldedData, Known>(taken.map(each => [each.dataset.folded, each]));
let lastNumber = Math.max(0, ...taken.map(({ number }) => number));
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
    const kept = datasets.giveAway().map(({ dataset: { folded, ...dataset }, ...each }) => {
      const { number, stamp } = known.get(folded)!;
      return { ...each, dataset, number, stamp };
    });
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
  const fresh: [number, FoldedData][] = [];
  const knownOf = (folded: FoldedData, stamp: string | null): Known => {
    const before = known.get(folded);
    const now = { number: before?.number ?? ++lastNumber, stamp };
    if (before === undefined) fresh.push([now.number, folded]);
    known.set(folded, now);
    return now;
  };
  const { value, ...ended } = await load(order, running.stop.signal, knownOf);
  running = null;
  const kept = datasets.kept.flatMap(({ folded }) => known.get(folded)?.number ?? []);
  const report: LoadReport = { kind: 'end', id, ...ended, fresh, kept };
  port.postMessage(report, value === null ? [] : transferList(value.selected));
});

async function load(
  { id, source, fresh }: Extract<LoadOrder, { kind: 'load' }>,
  signal: AbortSignal,
  knownOf: (folded: FoldedData, stamp: string | null) => Known,
): Promise<Loaded> {
  let stamp: string | null = null;
  try {
    const { wish, selection } = source;
    const looked = (dataset: Dataset, problems: readonly Problem[], { number, stamp: read }: Known) => {
      const { value, problems: others } = selectData({ ...dataset, problems }, selection);
      const data = value && { folded: number, selected: value.selected };
      return { value, data, problems: others, stamp: read, missing: [] };
    };
    const again = fresh ? null : datasets.again(wish);
    if (again !== null) return looked(again, again.problems, known.get(again.folded)!);
    stamp = (await storeStamp(wish))?.text ?? null;
    const progress = ({ done, all }: LoadProgress) => port?.postMessage({ kind: 'progress', id, done, all });
    const { value, problems, missing } = await datasets.load(wish, progress, signal);
    if (value === null) return { value, data: null, problems, stamp, missing };
    return looked(value, problems, knownOf(value.folded, stamp));
  } catch (error) {
    const message = `reading failed: ${error instanceof Error ? error.message : String(error)}`;
    const problem: Problem = { severity: 'error', message, file: source.wish.store, remedy: 'please report this' };
    return { value: null, data: null, problems: [problem], stamp, missing: [] };
  }
}

/** What changes whenever snapshots of the project come or go; null where nothing is watched. */
async function storeStamp(wish: Wish): Promise<StoreStamp | null> {
  const folder = projectFolder(wish);
  if (folder !== null) return { text: await folderStamp(folder), nextMillis: null };
  if (wish.file !== undefined) return null;
  return (await openStore(wish.store).value?.stamp?.({ project: wish.project })) ?? null;
}
