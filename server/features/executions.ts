// What there is to choose from: the executions of a store, and the metrics, threads and windows of the loaded data.

import type { LoadedData } from '../analysis/loaded-data.ts';
import type { Steps } from '../metrics/around-method.ts';
import type { Execution } from '../snapshot/snapshot.ts';
import type { DescribedEntry } from '../store/selection.ts';

/** All snapshots of one execution. */
export type ExecutionRow = Execution & {
  readonly fromMillis: number;
  readonly toMillis: number;
  readonly snapshots: number;
  /** Whether its data are among those that are loaded. */
  readonly shown: boolean;
};

/** Latest first. */
export function executionRows(entries: readonly DescribedEntry[], data: LoadedData | null): ExecutionRow[] {
  const key = ({ project, program, version, instance }: Execution) =>
    JSON.stringify([project, program, version, instance]);
  const shown = new Set(data?.provenance.executions.map(key));
  const rows = new Map<string, ExecutionRow>();
  for (const { entry, reading } of entries) {
    const { execution } = entry;
    const { startMillis, endMillis } = reading.header;
    const own = key(execution);
    const row = rows.get(own);
    rows.set(own, {
      ...execution,
      fromMillis: Math.min(startMillis, row?.fromMillis ?? startMillis),
      toMillis: Math.max(endMillis, row?.toMillis ?? endMillis),
      snapshots: (row?.snapshots ?? 0) + 1,
      shown: shown.has(own),
    });
  }
  return [...rows.values()].sort((a, b) => b.fromMillis - a.fromMillis || (key(a) < key(b) ? -1 : 1));
}

/** One kind of thread with its part of the loaded metric, whatever threads and focus are looked at. */
export type ThreadShare = { readonly group: string; readonly name: string; readonly share: number };

const threadsOfData = new WeakMap<LoadedData, readonly ThreadShare[]>();

/** Cells looked at in one step. */
const STEP = 1 << 16;

/** Heaviest first; those without samples of the metric are left out. Remembered; works in small steps. */
export function* threadShareSteps(data: LoadedData): Steps<readonly ThreadShare[]> {
  const known = threadsOfData.get(data);
  if (known !== undefined) return known;
  const { threads, cells } = data.profile;
  const { thread, weight, length } = cells[data.analysis.selection.metric]!;
  const weights = new Float64Array(threads.length);
  let all = 0;
  for (let i = 0; i < length; i++) {
    if (i % STEP === STEP - 1) yield;
    weights[thread[i]!]! += weight[i]!;
    all += weight[i]!;
  }
  const rows = Array.from(weights, (own, row) => ({
    group: threads.group[row]!,
    name: threads.name[row]! || 'unnamed',
    share: all > 0 ? own / all : 0,
  }));
  const found = rows.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1));
  threadsOfData.set(data, found);
  return found;
}
