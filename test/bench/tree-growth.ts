// Measures how works over a tree grow with it, from 0.25 to 4 million nodes: the exponent is the slope of time over nodes, 1 is linear.
import { ProfileBuilder } from '../../server/cct/builder.ts';
import { collapse } from '../../server/cct/collapse.ts';
import { mergeProfiles } from '../../server/cct/merge.ts';
import { graftPartialStacks } from '../../server/cct/partial.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { indexTree } from '../../server/cct/tree-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { decodeSnapshot } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';
import { bigProfile, cutProfile, randomNumbers } from './big-profile.ts';
import type { BenchFigure, BenchRow } from './row.ts';
import { everythingOf } from './tree.ts';

/** Prepares a work for so many nodes; the work itself is what is measured. */
type Work = {
  readonly label: string;
  readonly prepare: (nodes: number) => () => unknown;
  /** A part of the work that does not depend on the nodes; its time is taken off. */
  readonly fixed?: (nodes: number) => () => unknown;
  /** How often the work goes over the whole tree, where that depends on the tree: growth a round is told as well. */
  readonly rounds?: (nodes: number) => number;
  /** Not a work of ours, but what memory alone makes of a larger one. */
  readonly isPeer?: true;
};

const made = new Map<number, Profile>();

function profileOf(nodes: number): Profile {
  const known = made.get(nodes);
  if (known !== undefined) return known;
  const profile = bigProfile({ seed: `growth ${nodes}`, nodes });
  made.set(nodes, profile);
  return profile;
}

function halves(nodes: number): Profile[] {
  return ['first', 'second'].map(seed => bigProfile({ seed, nodes: nodes / 2 }));
}

/** Four records a complete node, each found in the one before, among as many records of four integers as there are partial nodes. */
function randomReads(nodes: number): () => unknown {
  const random = randomNumbers('reads');
  const length = nodes * 0.4;
  const records = Int32Array.from({ length: length * 4 }, () => Math.floor(random() * length));
  return () => {
    let at = 0;
    for (let i = 0; i < nodes * 2.4; i++) at = records[((at ^ i) % length) * 4]!;
    return at;
  };
}

/** The tables of a profile and its root alone. */
function withoutNodes(profile: Profile): Profile {
  const builder = new ProfileBuilder('raw');
  const { tree, cells } = builder.finish([]);
  return { ...profile, tree, metrics: [], cells };
}

const METRICS: Work = {
  label: 'all metrics',
  prepare: nodes => {
    const profile = profileOf(nodes);
    return () => everythingOf(analyse(profile, indexTree(profile), { metric: 0 }));
  },
};

const OTHERS: readonly Work[] = [
  {
    label: 'merge of two halves, tables apart',
    prepare: nodes => {
      const parts = halves(nodes);
      return () => mergeProfiles(parts);
    },
    // Tables are about as large for small trees as for large ones, and would be most of the work there.
    fixed: nodes => {
      const parts = halves(nodes).map(withoutNodes);
      return () => mergeProfiles(parts);
    },
  },
  {
    label: 'fold 5 % of the methods',
    prepare: nodes => {
      const profile = profileOf(nodes);
      const removed = new Uint8Array(profile.methods.length).map((_, m) => (m % 20 === 7 ? 1 : 0));
      return () => collapse(profile, removed);
    },
  },
  {
    label: 'graft, two fifths of the nodes partial',
    prepare: nodes => {
      const { profile } = cutProfile(`growth ${nodes}`, nodes * 0.6, nodes * 0.4, 64);
      return () => graftPartialStacks(profile);
    },
    rounds: nodes => graftPartialStacks(cutProfile(`growth ${nodes}`, nodes * 0.6, nodes * 0.4, 64).profile).rounds,
  },
  { label: 'random reads, of a table as large as grafting has', prepare: randomReads, isPeer: true },
  { label: 'write a snapshot', prepare: nodes => () => encodeSnapshot(snapshotOf(profileOf(nodes))) },
  {
    label: 'read a snapshot',
    prepare: nodes => {
      const bytes = encodeSnapshot(snapshotOf(profileOf(nodes)));
      return () => decodeSnapshot(bytes);
    },
  },
];

const growthRow: BenchRow = {
  name: 'growth from 0.25 M nodes on',
  async run({ quick }) {
    const sizes = quick ? [0.25, 0.5, 1] : [0.25, 0.5, 1, 2, 4];
    const figures: BenchFigure[] = [];
    for (const { label, prepare, fixed, rounds, isPeer } of quick ? [METRICS] : [METRICS, ...OTHERS]) {
      const points: { nodes: number; time: number }[] = [];
      for (const size of sizes) {
        const time = (work: () => unknown) => leastProcessorTime(quick ? 5 : 8, 2, work);
        const apart = fixed === undefined ? 0 : time(fixed(size * 1e6));
        const own = time(prepare(size * 1e6)) - apart;
        // The time for the tables varies by more than the time for a small tree.
        if (own > 0) points.push({ nodes: size, time: own });
      }
      const value = exponent(points);
      const times = points.map(({ time }) => time.toFixed(0)).join(', ');
      const target = isPeer ? {} : { limit: { most: 1.1 } };
      figures.push({ label: `${label} (${times} ms), exponent`, value, unit: '', ...target });
      if (rounds === undefined) continue;
      const counts = points.map(({ nodes }) => rounds(nodes * 1e6));
      const one = exponent(points.map(({ nodes, time }, i) => ({ nodes, time: time / counts[i]! })));
      figures.push({ label: `the same, one of its ${counts.join(', ')} rounds, exponent`, value: one, unit: '' });
    }
    return figures;
  },
};

/**
 * Milliseconds that the thread itself computed in the fastest of so many runs: the exponent is about the work, not about what else
 * the machine did or what helping threads collected meanwhile.
 */
function leastProcessorTime(times: number, warmUp: number, work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = -warmUp; at < times; at++) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    if (at >= 0) least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Slope of log time over log nodes by least squares. */
function exponent(points: readonly { nodes: number; time: number }[]): number {
  const x = points.map(point => Math.log(point.nodes));
  const y = points.map(point => Math.log(point.time));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middleX, middleY] = [mean(x), mean(y)];
  const product = x.reduce((sum, value, i) => sum + (value - middleX) * (y[i]! - middleY), 0);
  return product / x.reduce((sum, value) => sum + (value - middleX) ** 2, 0);
}

export const rows: readonly BenchRow[] = [growthRow];
