// Measures stores: putting, listing and reading windows, merging one more, and compaction of many.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Profile } from '../../server/cct/profile.ts';
import { sharedInt32 } from '../../server/cct/shared-columns.ts';
import { sortCells } from '../../server/cct/sort-cells.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { compact } from '../../server/store/compact.ts';
import { FolderStore } from '../../server/store/folder-store.ts';
import { loadProfile } from '../../server/store/load-snapshots.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';
import { bigProfile } from './big-profile.ts';
import type { BenchFigure, BenchRow } from './row.ts';

const MINUTE = 60_000;
const START = 472_000 * 60 * MINUTE;
/** Trees of this many windows differ; after that they come again, as load does. */
const DIFFERENT = 10;

/** A profile of which all samples lie in one minute. */
function inMinute(profile: Profile, minute: number): Profile {
  const startMillis = START + minute * MINUTE;
  const cells = profile.cells.map(own => sortCells({ ...own, window: sharedInt32(own.length) }, profile.tree.length));
  return { ...profile, windows: [{ startMillis, endMillis: startMillis + MINUTE }], cells };
}

/** Few methods where little time is: the program itself is what takes longest to make. */
const methodsFor = (nodes: number) => (nodes < 50_000 ? { methods: 2_000 } : {});

async function withWindows(
  windows: number,
  nodes: number,
  measure: (store: FolderStore, bytes: number) => Promise<BenchFigure[]>,
): Promise<BenchFigure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-bench-'));
  try {
    const store = new FolderStore(folder, folder);
    const different = Math.min(DIFFERENT, Math.ceil(windows / 10));
    const profiles = Array.from({ length: different }, (_, at) =>
      bigProfile({ seed: `window ${at}`, program: 'windows', nodes, ...methodsFor(nodes) }),
    );
    let bytes = 0;
    for (let minute = 0; minute < windows; minute++) {
      const { value } = await store.put(snapshotOf(inMinute(profiles[minute % different]!, minute)));
      bytes += value!.bytes;
    }
    return await measure(store, bytes);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly millis: number }> {
  const started = performance.now();
  const value = await work();
  return { value, millis: performance.now() - started };
}

const megabytes = (bytes: number) => Math.round(bytes / 10_000) / 100;

export const rows: readonly BenchRow[] = [
  {
    name: 'a window',
    run: async ({ quick }) => {
      const nodes = quick ? 10_000 : 100_000;
      const snapshot = snapshotOf(inMinute(bigProfile({ seed: 'one', nodes, ...methodsFor(nodes) }), 0));
      const { value: bytes, millis } = await timed(async () => encodeSnapshot(snapshot));
      return withWindows(quick ? 10 : 30, nodes, async store => {
        const put = await timed(() => store.put(bytes));
        const listed = await timed(() => store.list({}));
        const loaded = await timed(() => loadProfile(store, {}));
        const before = [{ ...loaded.value.value!, isExtendable: true }];
        await store.put(
          snapshotOf(inMinute(bigProfile({ seed: 'another', program: 'windows', nodes, ...methodsFor(nodes) }), 99)),
        );
        const more = await timed(() => loadProfile(store, {}, undefined, undefined, before));
        return [
          { label: `${nodes} nodes`, value: bytes.length / 1_000, unit: 'KB' },
          { label: 'encode', value: millis, unit: 'ms' },
          { label: 'put', value: put.millis, unit: 'ms' },
          { label: 'list', value: listed.millis, unit: 'ms' },
          { label: 'read and merge, each', value: loaded.millis / listed.value.value.length, unit: 'ms' },
          { label: 'one more onto all', value: more.millis, unit: 'ms' },
        ];
      });
    },
  },
  {
    name: 'compaction',
    run: async ({ quick, long = false }) => {
      const [windows, nodes] = quick ? [20, 10_000] : [long ? 1_000 : 100, 100_000];
      return withWindows(windows, nodes, async (store, bytes) => {
        const cpu = process.cpuUsage();
        const { value, millis } = await timed(() => compact(store));
        const used = process.cpuUsage(cpu);
        const trouble = value.problems[0];
        if (trouble !== undefined || value.value.merged !== windows)
          throw new Error(`compaction merged ${value.value.merged} of ${windows}: ${trouble?.message ?? 'no problem'}`);
        const seconds = millis / 1_000;
        const limit = { limit: { most: 60 } };
        return [
          { label: `${windows} of ${nodes} nodes`, value: seconds, unit: 's', ...(long ? limit : {}) },
          { label: 'processor', value: (used.user + used.system) / 1e6, unit: 's' },
          { label: 'before', value: megabytes(bytes), unit: 'MB' },
          { label: `after, ${value.value.written} snapshots`, value: megabytes(value.value.writtenBytes), unit: 'MB' },
          { label: 'resident', value: megabytes(process.memoryUsage.rss()), unit: 'MB' },
        ];
      });
    },
  },
];
