// Measures the calling context tree at 2.17 million nodes: metrics, queries, folding, merging, snapshots, memory and growth.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { collapse } from '../../server/cct/collapse.ts';
import { mergeProfiles } from '../../server/cct/merge.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { indexTree } from '../../server/cct/tree-index.ts';
import { ingestFile } from '../../server/ingest/read.ts';
import { type Analysis, analyse } from '../../server/metrics/analysis.ts';
import { calleesOf, callersOf, linesOf, threadsOf } from '../../server/metrics/around-method.ts';
import { callSiteAmounts, indexCallSites } from '../../server/metrics/call-sites.ts';
import { taskAmounts } from '../../server/metrics/focus.ts';
import { hotMethods, methodTimes, selfTimes } from '../../server/metrics/method-times.ts';
import type { MethodSet } from '../../server/metrics/node-walks.ts';
import { ownTimes } from '../../server/metrics/own-times.ts';
import { methodAmount, selfAtLines } from '../../server/metrics/queries.ts';
import { matchTask } from '../../server/metrics/task.ts';
import { decodeSnapshot } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { sampleRecordings } from '../oracle/oracle.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';
import { bigProfile } from './big-profile.ts';
import { type BenchFigure, type BenchRow, median, millisecondsOf } from './row.ts';

const NODES = 2_170_000;
const profiles = new Map<number, Profile>();

/** The large profile with one or two metrics, made once a process. */
function large(metrics: 1 | 2): Profile {
  const known = profiles.get(metrics);
  if (known !== undefined) return known;
  const made = bigProfile({ seed: 'tree', nodes: NODES, metrics });
  profiles.set(metrics, made);
  return made;
}

/** The median of a few runs of `work` against a limit in milliseconds. */
async function timed(label: string, limit: number, quick: boolean, work: () => unknown): Promise<BenchFigure> {
  const times = await millisecondsOf(quick ? 5 : 15, 3, work);
  const value = median(times);
  return { label, value, best: Math.min(...times), unit: 'ms', limit: { most: limit } };
}

/** Times of all methods and calls; every callee is a group of its own, and every second method is own code. */
export function everythingOf(a: Analysis): unknown {
  const groups = new Int32Array(a.profile.methods.length).map((_, row) => row);
  const sites = indexCallSites(a.profile, groups);
  const isOwn = new Uint8Array(a.profile.methods.length).map((_, row) => row % 2);
  return [methodTimes(a), selfTimes(a), ownTimes(a, isOwn), sites, callSiteAmounts(a, sites)];
}

const metricsRow: BenchRow = {
  name: 'metrics of 2.17 M nodes',
  async run({ quick }) {
    const profile = large(2);
    const index = indexTree(profile);
    const threads = new Uint8Array(profile.threads.length).map((_, i) => i % 2);
    const windows = new Uint8Array(profile.windows.length).map((_, i) => (i < 30 ? 1 : 0));
    const analysis = analyse(profile, index, { metric: 0 });
    const everySecond = new Uint8Array(profile.methods.length).map((_, row) => row % 2);
    const focus = outermostOf(profile, hotMethods(analysis, 5)[4]!.method);
    return [
      await timed('all: index, totals, self, own, recursion, calls', 150, quick, () => {
        return everythingOf(analyse(profile, indexTree(profile), { metric: 0 }));
      }),
      await timed('own code chosen anew', 60, quick, () => ownTimes(analysis, everySecond)),
      await timed('other metric', 60, quick, () => {
        return methodTimes(analyse(profile, index, { metric: 1 }));
      }),
      await timed('other threads', 60, quick, () => methodTimes(analyse(profile, index, { metric: 0, threads }))),
      await timed('other windows', 60, quick, () => methodTimes(analyse(profile, index, { metric: 0, windows }))),
      await timed('other focus', 60, quick, () => methodTimes(analyse(profile, index, { metric: 0, focus }))),
      await timed('tasks of an expression', 100, quick, () => {
        const value = String.raw`^com\.acme\.shop\.(?<part>[^.]+)\.Type\d*7$|^com\.acme\.shop\.(?<other>part3\d)`;
        const tasks = matchTask(profile.methods, { name: 'parts', type: 'regex', value }).value;
        return taskAmounts(analysis, tasks);
      }),
    ];
  },
};

function outermostOf({ tree }: Profile, method: number): Int32Array {
  const nodes: number[] = [];
  for (let i = 0; i < tree.length; i = tree.method[i] === method ? tree.subtreeEnd[i]! : i + 1) {
    if (tree.method[i] === method) nodes.push(i);
  }
  return Int32Array.from(nodes);
}

const QUERIES: readonly [string, (a: Analysis, set: MethodSet) => unknown][] = [
  ['method', methodAmount],
  ['self', selfAtLines],
  ['callees', calleesOf],
  ['callers', callersOf],
  ['lines', linesOf],
  ['threads', threadsOf],
];

const queriesRow: BenchRow = {
  name: 'one method of 2.17 M nodes, 99th percentile of the 5,000 hottest',
  async run({ quick }) {
    const profile = large(2);
    const a = analyse(profile, indexTree(profile), { metric: 0 });
    const methods = hotMethods(a, quick ? 2000 : 5000).map(each => each.method);
    return QUERIES.map(([label, query]) => {
      for (const method of methods.slice(0, 500)) query(a, [method]);
      const times = methods.map(method => {
        const started = performance.now();
        query(a, [method]);
        return performance.now() - started;
      });
      const value = times.toSorted((x, y) => x - y)[Math.floor(times.length * 0.99)]!;
      return { label, value, unit: 'ms', limit: { most: 10 } };
    });
  },
};

const foldingRow: BenchRow = {
  name: 'fold 2.17 M nodes',
  async run({ quick }) {
    const profile = large(2);
    const everyTwentieth = new Uint8Array(profile.methods.length).map((_, m) => (m % 20 === 7 ? 1 : 0));
    const times = await millisecondsOf(quick ? 3 : 9, 2, () => collapse(profile, everyTwentieth));
    return [{ label: '5 % of the methods removed', value: median(times), unit: 'ms' }];
  },
};

const mergeRow: BenchRow = {
  name: 'merge 2 × 1 M nodes',
  async run({ quick }) {
    const parts = ['first', 'second'].map(seed => bigProfile({ seed, nodes: 1_000_000 }));
    const nodes = parts.reduce((sum, part) => sum + part.tree.length, 0);
    const times = await millisecondsOf(quick ? 5 : 15, 3, () => mergeProfiles(parts));
    const value = nodes / 1000 / median(times);
    return [{ value, unit: 'M nodes/s', limit: { least: 6 } }];
  },
};

const snapshotRow: BenchRow = {
  name: 'snapshot of 2.17 M nodes',
  async run({ quick }) {
    const one = encodeSnapshot(snapshotOf(large(1)));
    const two = encodeSnapshot(snapshotOf(large(2)));
    const size = (label: string, bytes: number, limit: number): BenchFigure => {
      const value = bytes / 1e6;
      return { label, value, unit: 'MB', limit: { most: limit } };
    };
    return [
      size('size, one metric', one.length, 3),
      size('size of a further metric', two.length - one.length, 1),
      await timed('write', 400, quick, () => encodeSnapshot(snapshotOf(large(1)))),
      await timed('read to columns', 120, quick, () => decodeSnapshot(one)),
      await timed('read to columns, two metrics', 120, quick, () => decodeSnapshot(two)),
    ];
  },
};

const samplesRow: BenchRow = {
  name: 'snapshot of the merged tree of all sample recordings, every metric',
  async run({ quick }) {
    const read = await Promise.all(sampleRecordings.map(({ path }) => ingestFile(path, { names: 'normalised' })));
    const merged = mergeProfiles(read.map(({ profile }) => profile!));
    const bytes = encodeSnapshot(snapshotOf(merged));
    const kilo = (value: number) => (value / 1000).toFixed(1);
    const label = `size of ${kilo(merged.tree.length)} k nodes, ${merged.metrics.length} metrics`;
    const megabytes = bytes.length / 1e6;
    return [
      { label, value: megabytes, unit: 'MB', limit: { most: 3 } },
      await timed('write', 400, quick, () => encodeSnapshot(snapshotOf(merged))),
      await timed('read to columns', 120, quick, () => decodeSnapshot(bytes)),
    ];
  },
};

const memoryRow: BenchRow = {
  name: 'resident memory with 2.17 M nodes and all metrics',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-bench-'));
    try {
      return await Promise.all(([1, 2] as const).map(metrics => residentWith(metrics, join(folder, `${metrics}.cct`))));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** The memory of a fresh process once it has read the large profile and computed everything of one metric. */
async function residentWith(metrics: 1 | 2, file: string): Promise<BenchFigure> {
  const profile = large(metrics);
  writeFileSync(file, encodeSnapshot(snapshotOf(profile)));
  const module = (path: string) => JSON.stringify(new URL(`../../server/${path}`, import.meta.url).href);
  const script = `
    import { readFileSync } from 'node:fs';
    import { decodeSnapshot } from ${module('snapshot/decode.ts')};
    import { indexTree } from ${module('cct/tree-index.ts')};
    import { analyse } from ${module('metrics/analysis.ts')};
    import { callSiteAmounts, indexCallSites } from ${module('metrics/call-sites.ts')};
    import { methodTimes, selfTimes } from ${module('metrics/method-times.ts')};
    const { profile } = decodeSnapshot(readFileSync(process.argv[1])).value;
    const a = analyse(profile, indexTree(profile), { metric: profile.metrics.length - 1 });
    const sites = indexCallSites(profile, new Int32Array(profile.methods.length).map((_, row) => row));
    globalThis.held = [a, methodTimes(a), selfTimes(a), sites, callSiteAmounts(a, sites)];
    gc();
    await new Promise(resolve => setTimeout(resolve, 300));
    gc();
    console.log(process.memoryUsage.rss());`;
  const args = ['--expose-gc', '--input-type=module', '--eval', script, file];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const value = Number(stdout) / 1e6;
  const limit = (64 * profile.tree.length) / 1e6 + 120;
  const label = metrics === 1 ? 'one metric' : 'two metrics, the second analysed';
  return { label, value, unit: 'MB', limit: { most: limit } };
}

export const rows: readonly BenchRow[] = [
  memoryRow,
  metricsRow,
  queriesRow,
  foldingRow,
  mergeRow,
  snapshotRow,
  samplesRow,
];
