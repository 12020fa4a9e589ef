// Merges profiles of one program, from different instances or spans of time, into one.
import { sharedInt32 } from './columns.ts';
import { mergeTrees } from './merge-trees.ts';
import type { Cct, Cells, Losses, Profile } from './profile.ts';
import { concatenateCells, sortCells } from './sort-cells.ts';
import { uniteMethods, uniteMetrics, uniteThreads, uniteWindows } from './unite-tables.ts';

/** A tree with cells over the common tables. */
type Part = { readonly tree: Cct; readonly cells: readonly Cells[] };

/**
 * One profile holding the samples of all. Methods, threads, windows and metrics are united by content; rows of the result are
 * its own. One profile comes back as it is; none gives an empty profile.
 */
export function mergeProfiles(profiles: readonly Profile[]): Profile {
  if (profiles.length === 1) return profiles[0]!;
  const methods = uniteMethods(profiles.map(profile => profile.methods));
  const threads = uniteThreads(profiles.map(profile => profile.threads));
  const windows = uniteWindows(profiles.map(profile => profile.windows));
  const metrics = uniteMetrics(profiles.map(profile => profile.metrics));

  let parts: Part[] = profiles.map((profile, i) => {
    const cells = metrics.table.map((_, row) => {
      const own = metrics.rows[i]!.indexOf(row);
      return own < 0 ? NO_CELLS : translateCells(profile.cells[own]!, threads.rows[i]!, windows.rows[i]!);
    });
    return {
      tree: { ...profile.tree, method: translate(profile.tree.method, methods.rows[i]!) },
      cells: cells.map(each => sortCells(each, profile.tree.length)),
    };
  });
  if (parts.length === 0) parts = [{ tree: emptyTree(), cells: [] }];
  // In pairs, so that every node is copied about log₂ k times and not k times.
  while (parts.length > 1) {
    const merged: Part[] = [];
    for (let i = 0; i < parts.length; i += 2) {
      const [a, b] = [parts[i]!, parts[i + 1]];
      merged.push(b === undefined ? a : mergeParts(a, b, methods.table.length));
    }
    parts = merged;
  }
  return {
    ...parts[0]!,
    methods: methods.table,
    threads: threads.table,
    windows: windows.table,
    metrics: metrics.table,
    losses: sumLosses(profiles),
  };
}

function mergeParts(a: Part, b: Part, methods: number): Part {
  const { tree, rowsA, rowsB } = mergeTrees(a.tree, b.tree, methods);
  const cells = a.cells.map((cellsA, i) => {
    const movedA = { ...cellsA, node: translate(cellsA.node, rowsA) };
    const cellsB = b.cells[i]!;
    const movedB = { ...cellsB, node: translate(cellsB.node, rowsB) };
    if (movedA.length === 0) return sortCells(movedB, tree.length);
    if (movedB.length === 0) return sortCells(movedA, tree.length);
    return sortCells(concatenateCells([movedA, movedB]), tree.length);
  });
  return { tree, cells };
}

/** The column with every value replaced by its row in `rows`; the column itself where that changes nothing. */
function translate(column: Int32Array, rows: Int32Array): Int32Array {
  if (rows.every((row, i) => row === i)) return column;
  const out = sharedInt32(column.length);
  for (let i = 0; i < column.length; i++) out[i] = rows[column[i]!]!;
  return out;
}

function translateCells(cells: Cells, threads: Int32Array, windows: Int32Array): Cells {
  return { ...cells, thread: translate(cells.thread, threads), window: translate(cells.window, windows) };
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

/** A tree of the root alone. */
function emptyTree(): Cct {
  const column = (value: number) => sharedInt32(1).fill(value);
  return {
    length: 1,
    parent: column(-1),
    method: column(0),
    callLine: column(0),
    subtreeEnd: column(1),
    depth: column(0),
  };
}
