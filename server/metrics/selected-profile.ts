// Cuts a profile to what an analysis counts, for writing it in other formats: chosen threads, windows and paths, what lies below a focus, complete stacks.
import type { Cct, Cells, Profile, Times } from '../cct/profile.ts';
import { pruneProfile } from '../cct/prune.ts';
import { regroup } from '../cct/regroup.ts';
import { sortCells } from '../cct/sort-cells.ts';
import { takeCells } from '../cct/take-cells.ts';
import { takeTimes } from '../cct/times.ts';
import type { Analysis } from './analysis.ts';

/**
 * All metrics under the analysis' selection, over the smallest tree and tables that hold them; metrics without samples there are
 * left out. Below a focus, stacks begin with its outermost methods. O(nodes + cells).
 */
export function selectedProfile(a: Analysis): Profile {
  const { times: _, ...untimed } = a.profile;
  const times = selectedTimes(a);
  const cells = a.profile.cells.map((each, metric) => withCounts(selectedCells(a, each, metric)));
  const cut = { ...untimed, cells, ...(times !== undefined && { times }) };
  return pruneProfile(a.selection.focus === undefined ? cut : withoutCallers(cut, a.selection.focus));
}

function selectedCells({ selection, scope }: Analysis, cells: Cells, metric: number): Cells {
  const { threads, windows, path } = selection;
  const isIn = (rows: Uint8Array | undefined | null, row: number) => (rows ?? null) === null || rows![row] === 1;
  return takeCells(
    cells,
    i =>
      isIn(threads, cells.thread[i]!) &&
      isIn(windows, cells.window[i]!) &&
      isIn(scope, cells.node[i]!) &&
      isIn(path?.satisfied[metric], i),
  );
}

/** Counts that nobody knows are 1, as they came; the metric says that they are not known. */
function withCounts(cells: Cells): Cells {
  if (cells.count.every(count => count < Number.POSITIVE_INFINITY)) return cells;
  return { ...cells, count: cells.count.map(count => Math.min(1, count)) };
}

/** Response times have neither threads nor a place in the tree: none are left where these or a path are chosen. */
function selectedTimes({ profile, selection: { threads, windows, path }, scope }: Analysis): Times | undefined {
  if ((threads ?? null) !== null || (scope ?? null) !== null || path !== undefined) return undefined;
  const rows = windows ?? null;
  return rows === null ? profile.times : takeTimes(profile.times, row => rows[row] === 1, 'whole');
}

/** The focus' outermost nodes become calls of the root, from no line; equal ones become one. */
function withoutCallers(profile: Profile, focus: Int32Array): Profile {
  const { tree, methods } = profile;
  const removed = new Uint8Array(tree.length).fill(1, 1);
  for (const node of focus) removed.fill(0, node, tree.subtreeEnd[node]!);
  const line = tree.callLine.slice();
  for (const node of focus) line[node] = 0;
  const dirty = changedBelow(tree, removed, focus);
  const { tree: rest, rows } = regroup(tree, methods.length, { removed, dirty, line, guests: null });
  const moved = (cells: Cells) => ({ ...cells, node: cells.node.map(node => rows[node]!) });
  return { ...profile, tree: rest, cells: profile.cells.map(cells => sortCells(moved(cells), rest.length)) };
}

/** Per node: 1 where it or a node below it is taken out or begins stacks. */
function changedBelow({ length, parent }: Cct, removed: Uint8Array, focus: Int32Array): Uint8Array {
  const dirty = removed.slice();
  for (const node of focus) dirty[node] = 1;
  for (let node = length - 1; node > 0; node--) dirty[parent[node]!]! |= dirty[node]!;
  return dirty;
}
