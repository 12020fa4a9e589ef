// Measures the comparison of two trees of 2.17 million nodes, as they come, in the worst cases, and opening a box; and which planted changes it finds, in a sample and in a database.

import { answer } from '../../server/analysis/ask.ts';
import { Pairing } from '../../server/analysis/pairing.ts';
import { noPause } from '../../server/base/pause.ts';
import { comparedSide } from '../../server/capabilities/compare/compared-side.ts';
import { responsibleContexts } from '../../server/capabilities/compare/responsible.ts';
import { heightsOf, type Scale } from '../../server/capabilities/compare/scaling.ts';
import { TreeComparison } from '../../server/capabilities/compare/tree-comparison.ts';
import type { ComparedSide } from '../../server/capabilities/compare/united-tree.ts';
import type { Cct } from '../../server/cct/profile.ts';
import { indexTree } from '../../server/cct/tree-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { fetchEngine } from '../support/engines/engines.ts';
import { loadedFrom } from '../support/profiles/loaded.ts';
import { idleChanges, type Outcome, PlantedForks, plantedChanges } from '../support/recordings/planted.ts';
import { bigProfile } from './big-profile.ts';
import { h2Row } from './h2/row.ts';
import { type BenchFigure, type BenchRow, median, millisecondsOf } from './row.ts';

const NODES = 2_170_000;
/** Labels behind those of the methods, for what is inserted. */
const NEW_LABELS = 100;
const MORE_LEVELS = 20;

/** The large tree, from a seed, as a question gets it. */
function lookAt(seed: string) {
  const profile = bigProfile({ seed, nodes: NODES });
  return analyse(profile, indexTree(profile), { metric: 0 });
}

type Look = ReturnType<typeof lookAt>;

function methodsOf({ profile }: Look): number {
  return profile.methods.length;
}

/** @param shift is added to each label. */
function sideOf(look: Look, shift = 0): ComparedSide {
  return comparedSide(
    look,
    Int32Array.from({ length: methodsOf(look) + NEW_LABELS }, (_, row) => row + shift),
  );
}

/** The side with a chain of new methods inserted above each node that `isBelow` chooses. */
function withInserted(
  side: ComparedSide,
  firstLabel: number,
  levels: number,
  isBelow: (tree: Cct, node: number) => boolean,
): ComparedSide {
  const { tree, total } = side;
  let length = tree.length;
  for (let node = 1; node < tree.length; node++) if (isBelow(tree, node)) length += levels;
  const [parent, method, callLine] = [new Int32Array(length), new Int32Array(length), new Int32Array(length)];
  const [subtreeEnd, depth, totals] = [new Int32Array(length), new Int32Array(length), new Float64Array(length)];
  const rows = new Int32Array(tree.length);
  let at = 0;
  for (let node = 0; node < tree.length; node++) {
    let above = node === 0 ? -1 : rows[tree.parent[node]!]!;
    const inserted = node > 0 && isBelow(tree, node) ? levels : 0;
    for (let level = 0; level <= inserted; level++) {
      parent[at] = above;
      method[at] = level < inserted ? firstLabel + level : tree.method[node]!;
      callLine[at] = tree.callLine[node]!;
      depth[at] = above < 0 ? 0 : depth[above]! + 1;
      totals[at] = total[node]!;
      subtreeEnd[at] = at + 1;
      above = at++;
    }
    rows[node] = above;
  }
  for (let row = length - 1; row > 0; row--)
    subtreeEnd[parent[row]!] = Math.max(subtreeEnd[parent[row]!]!, subtreeEnd[row]!);
  const tops: number[] = [];
  for (let row = 1; row < length; row = subtreeEnd[row]!) tops.push(row);
  return {
    ...side,
    tree: { length, parent, method, callLine, subtreeEnd, depth },
    total: totals,
    tops: Int32Array.from(tops),
  };
}

async function timed(label: string, limit: number, quick: boolean, work: () => unknown): Promise<BenchFigure> {
  const times = await millisecondsOf(quick ? 2 : 7, 1, work);
  const value = median(times);
  return { label, value, best: Math.min(...times), unit: 'ms', limit: { most: limit } };
}

const treesRow: BenchRow = {
  name: 'compare 2 × 2.17 M nodes',
  async run({ quick }) {
    const [one, other] = [lookAt('tree'), lookAt('other')];
    const labels = methodsOf(one) + NEW_LABELS;
    const first = sideOf(one);
    const compare = (a: ComparedSide, b: ComparedSide) => () => new TreeComparison(a, b, 2 * labels, noPause);
    const isTop = (tree: Cct, node: number) => tree.depth[node] === 1;
    const wrapped = withInserted(first, labels - NEW_LABELS, 1, isTop);
    const deep = withInserted(first, labels - NEW_LABELS, MORE_LEVELS, isTop);
    const spread = withInserted(first, labels - NEW_LABELS, 1, (tree, node) => {
      const depth = tree.depth[node]!;
      return depth % 3 === 1 && depth < 3 * MORE_LEVELS;
    });
    return [
      await timed('two recordings, from their looks on', 1500, quick, () => compare(sideOf(one), sideOf(other))()),
      await timed('equal trees', 1500, quick, compare(first, first)),
      await timed('root wrapped', 3000, quick, compare(first, wrapped)),
      await timed('20 levels inserted in one place', 3000, quick, compare(first, deep)),
      await timed('20 levels inserted, every third', 3000, quick, compare(first, spread)),
      await timed('disjoint', 3000, quick, compare(first, sideOf(other, labels))),
    ];
  },
};

const boxesRow: BenchRow = {
  name: 'open a box of 2 × 2.17 M compared nodes',
  async run({ quick }) {
    const [one, other] = [lookAt('tree'), lookAt('other')];
    const [first, second] = [sideOf(one), sideOf(other)];
    const comparison = new TreeComparison(first, second, methodsOf(one) + NEW_LABELS, noPause);
    const scale: Scale = { scaling: 'share', by: [first.whole, second.whole] };
    const recorder = new Uint8Array(methodsOf(one) + NEW_LABELS);
    const open = (row: number) =>
      comparison.childrenOf(row).map(child => heightsOf(comparison.amountsOf(child), scale));
    let widest = 0;
    for (let row = 0; row < comparison.length; row++)
      if (comparison.stateOf(row) !== null && comparison.childrenOf(row).length > comparison.childrenOf(widest).length)
        widest = row;
    const [data, baseline] = [
      loadedFrom(bigProfile({ seed: 'other', nodes: NODES })),
      loadedFrom(bigProfile({ seed: 'tree', nodes: NODES })),
    ];
    const pairing = Pairing.pending(data, baseline).with();
    const wish = {
      became: pairing.becameRows(),
      scaling: 'share',
      work: null,
      code: null,
      show: 'children',
      box: 0,
      label: -1,
      from: 0,
      most: 100,
    } as const;
    const ask = () => answer(data, 'comparedBoxes', wish, noPause, baseline);
    return [
      await timed('names joined', 1500, quick, () => pairing.becameRows()),
      await timed('the root, by the question', 50, quick, ask),
      await timed('the root', 50, quick, () => open(0)),
      await timed('the one with most children', 50, quick, () => open(widest)),
      await timed('what is responsible', 1500, quick, () => responsibleContexts(comparison, scale, recorder, noPause)),
    ];
  },
};

const ORDERS = 30_000;
const ROUNDS = 5;
const BASES_A_ROUND = 2;

const plantedRow: BenchRow = {
  name: 'planted changes, 10 forks before and 5 now',
  async run({ long }) {
    if (long !== true) return [];
    const jdk = await fetchEngine('jdk17', () => {});
    if ('missing' in jdk) throw new Error(jdk.missing);
    const forks = new PlantedForks(jdk, ORDERS);
    try {
      const changes = [...plantedChanges(await forks.turns()), ...idleChanges];
      await forks.record(changes, ROUNDS, BASES_A_ROUND);
      const outcomes = forks.outcomes(changes);
      for (const { change, verdict, reports } of outcomes)
        process.stderr.write(
          `  ${change.name}: ${verdict}${reports.length > 1 ? `, ${reports.length} reports` : ''}\n`,
        );
      const further = outcomes.reduce((sum, { verdict, reports }) => sum + reports.length - +(verdict === 'found'), 0);
      const count = (points: number, ...hoped: readonly Outcome['verdict'][]) => {
        const all = outcomes.filter(({ change }) => change.points === points);
        const value = all.filter(({ verdict }) => hoped.includes(verdict)).length;
        return { value, unit: 'changes', limit: { least: all.length } };
      };
      return [
        { label: '20 points, found with context and commit', ...count(20, 'found') },
        { label: '10 points, found with context and commit', ...count(10, 'found') },
        { label: '5 points, found or "cannot tell"', ...count(5, 'found', 'cannot tell') },
        { label: 'without effect, not reported', ...count(0, 'nothing') },
        { label: 'reports of anything else', value: further, unit: 'reports' },
      ];
    } finally {
      forks.remove();
    }
  },
};

export const rows: readonly BenchRow[] = [treesRow, boxesRow, plantedRow, h2Row];
