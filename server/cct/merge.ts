// Merges profiles of one program, from different instances or spans of time, into one.

import { GrowingMerge, translate } from './growing-merge.ts';
import { mergeTrees } from './merge-trees.ts';
import type { Cct, Cells, Losses, Profile, Times } from './profile.ts';
import { sharedInt32 } from './shared-columns.ts';
import { concatenateCells, sortCells } from './sort-cells.ts';
import { GrowingTimes } from './times.ts';
import { MethodUnion, MetricUnion, ThreadUnion, WindowUnion } from './unite-tables.ts';

/** A tree with cells over the common tables. */
type Part = { readonly tree: Cct; readonly cells: readonly Cells[] };

/**
 * One profile holding the samples of all. Methods, threads, windows and metrics are united by content; rows of the result are
 * its own. One profile comes back as it is; none gives an empty profile.
 */
export function mergeProfiles(profiles: readonly Profile[]): Profile {
  if (profiles.length === 1) return profiles[0]!;
  // Two are quicker walked in step than grown: all that only one of them has is copied in one go.
  if (profiles.length === 2) return mergeTwo(profiles);
  const merge = new GrowingMerge();
  for (const profile of profiles) merge.add(profile);
  return merge.finish();
}

function mergeTwo(profiles: readonly Profile[]): Profile {
  const [methods, threads] = [new MethodUnion(), new ThreadUnion()];
  const [windows, metrics] = [new WindowUnion(), new MetricUnion()];
  const rows = profiles.map(profile => ({
    methods: methods.add(profile.methods),
    threads: threads.add(profile.threads),
    windows: windows.add(profile.windows),
    metrics: metrics.add(profile.metrics),
  }));
  const { table, rows: windowRows } = windows.finish();
  const common = metrics.finish();
  const [a, b] = profiles.map((profile, i): Part => {
    const own = rows[i]!;
    const cells = common.map((_, row) => {
      const metric = own.metrics.indexOf(row);
      if (metric < 0) return NO_CELLS;
      return translateCells(profile.cells[metric]!, own.threads, translate(own.windows, windowRows));
    });
    return {
      tree: { ...profile.tree, method: translateUnlessSame(profile.tree.method, own.methods) },
      cells: cells.map(each => sortCells(each, profile.tree.length)),
    };
  });
  const times = mergeTimes(
    profiles,
    rows.map(own => ({ methods: own.methods, windows: translate(own.windows, windowRows) })),
  );
  return {
    ...(times !== undefined && { times }),
    ...mergeParts(a!, b!, methods.length),
    methods: methods.finish(),
    threads: threads.finish(),
    windows: table,
    metrics: common,
    losses: sumLosses(profiles),
  };
}

type CommonRows = { readonly methods: Int32Array; readonly windows: Int32Array };

function mergeTimes(profiles: readonly Profile[], rows: readonly CommonRows[]): Times | undefined {
  const merged = new GrowingTimes();
  for (const [i, { times }] of profiles.entries())
    if (times !== undefined) merged.addAll(times, rows[i]!.methods, rows[i]!.windows);
  return merged.finish();
}

function mergeParts(a: Part, b: Part, methods: number): Part {
  const { tree, rowsA, rowsB } = mergeTrees(a.tree, b.tree, methods);
  const cells = a.cells.map((cellsA, i) => {
    const movedA = { ...cellsA, node: translateUnlessSame(cellsA.node, rowsA) };
    const cellsB = b.cells[i]!;
    const movedB = { ...cellsB, node: translateUnlessSame(cellsB.node, rowsB) };
    if (movedA.length === 0) return sortCells(movedB, tree.length);
    if (movedB.length === 0) return sortCells(movedA, tree.length);
    return sortCells(concatenateCells([movedA, movedB]), tree.length);
  });
  return { tree, cells };
}

/** As `translate`; the column itself where that changes nothing. */
function translateUnlessSame(column: Int32Array, rows: Int32Array): Int32Array {
  return rows.every((row, i) => row === i) ? column : translate(column, rows);
}

function translateCells(cells: Cells, threads: Int32Array, windows: Int32Array): Cells {
  return {
    ...cells,
    thread: translateUnlessSame(cells.thread, threads),
    window: translateUnlessSame(cells.window, windows),
  };
}

function sumLosses(profiles: readonly Profile[]): Losses {
  const sum = (of: (losses: Losses) => number) => profiles.reduce((total, profile) => total + of(profile.losses), 0);
  return {
    truncatedStacks: sum(losses => losses.truncatedStacks),
    withoutStack: sum(losses => losses.withoutStack),
    lostSamples: sum(losses => losses.lostSamples),
  };
}

const NO_CELLS: Cells = {
  length: 0,
  node: sharedInt32(0),
  thread: sharedInt32(0),
  line: sharedInt32(0),
  window: sharedInt32(0),
  count: new Float64Array(0),
  weight: new Float64Array(0),
  weightSquares: null,
};
