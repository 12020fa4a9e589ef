// The choices of a user: the executions of a store, and the metrics, threads and windows of the loaded data.

import type { LoadedData } from '../analysis/loaded-data.ts';
import type { Execution } from '../model/execution.ts';
import type { DescribedEntry } from '../store/select-snapshots.ts';

/** All snapshots of one execution. */
export type ExecutionRow = Execution & {
  readonly from: number;
  readonly to: number;
  readonly snapshots: number;
  readonly bytes: number;
  /** Whether its data are among the loaded data. */
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
      from: Math.min(startMillis, row?.from ?? startMillis),
      to: Math.max(endMillis, row?.to ?? endMillis),
      snapshots: (row?.snapshots ?? 0) + 1,
      bytes: (row?.bytes ?? 0) + entry.bytes,
      shown: shown.has(own),
    });
  }
  return [...rows.values()].sort((a, b) => b.from - a.from || (key(a) < key(b) ? -1 : 1));
}
