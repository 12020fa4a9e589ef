// Splits a snapshot that is too large for one object of a bucket: by windows, and what is one window by groups of threads.
import { sharedFloat64, sharedInt32, treeColumns } from '../cct/columns.ts';
import type { Cct, Cells, Profile } from '../cct/profile.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/**
 * Snapshots that together hold every sample of this one once and whose bytes are no more than `most` each; null where that cannot be
 * done: one thread in one window is not split. The same snapshot always gives the same parts.
 */
export function splitSnapshot(snapshot: Snapshot, most: number): readonly Snapshot[] | null {
  const parts: Snapshot[] = [];
  const pending = [snapshot];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (encodeSnapshot(next).length <= most) {
      parts.push(next);
      continue;
    }
    const halves = halvesOf(next);
    if (halves === null) return null;
    pending.push(...halves.toReversed());
  }
  return parts;
}

/** null where there is only one thread in one window left. */
function halvesOf(snapshot: Snapshot): readonly [Snapshot, Snapshot] | null {
  const { profile, sources } = snapshot;
  const windows = profile.windows.length;
  if (windows > 1) {
    const middle = windows >> 1;
    return [
      headed(
        snapshot,
        withCells(profile, 0, middle, (cells, i) => cells.window[i]! < middle),
      ),
      headed(
        snapshot,
        { ...withCells(profile, middle, windows, (cells, i) => cells.window[i]! >= middle), losses: NONE },
        sources,
      ),
    ];
  }
  const threads = [...new Set(profile.cells.flatMap(({ thread }) => [...new Set(thread)]))];
  if (threads.length < 2) return null;
  // Groups stay together as long as there are several.
  const { group, name } = profile.threads;
  const named = threads.sort((a, b) => compare(group[a]!, group[b]!) || compare(name[a]!, name[b]!) || a - b);
  const middle = named.length >> 1;
  const edge = named.findIndex((row, at) => at >= middle && group[row] !== group[named[middle - 1]!]);
  const first = new Set(named.slice(0, edge > 0 ? edge : middle));
  const isFirst = (cells: Cells, i: number) => first.has(cells.thread[i]!);
  return [
    headed(snapshot, withCells(profile, 0, windows, isFirst)),
    headed(snapshot, { ...withCells(profile, 0, windows, (cells, i) => !isFirst(cells, i)), losses: NONE }, sources),
  ];
}

/** What was lost is counted with the first part. */
const NONE = { truncatedStacks: 0, withoutStack: 0, lostSamples: 0 };

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The later part keeps what is said of sources: readers look at the latest first. */
function headed({ header }: Snapshot, profile: Profile, sources: Snapshot['sources'] = []): Snapshot {
  const { windows } = profile;
  const startMillis = windows.reduce((least, window) => Math.min(least, window.startMillis), header.endMillis);
  const endMillis = windows.reduce((most, window) => Math.max(most, window.endMillis), header.startMillis);
  return { header: { ...header, startMillis, endMillis }, profile, ...(sources.length > 0 && { sources }) };
}

/** The profile with some of its windows and cells, and of its nodes those that these need. */
function withCells(
  profile: Profile,
  fromWindow: number,
  toWindow: number,
  isWanted: (cells: Cells, row: number) => boolean,
): Profile {
  const rows = profile.cells.map(cells =>
    Array.from({ length: cells.length }, (_, i) => i).filter(i => isWanted(cells, i)),
  );
  const needed = new Uint8Array(profile.tree.length);
  needed[0] = 1;
  profile.cells.forEach((cells, metric) => {
    for (const i of rows[metric]!) {
      needed[cells.node[i]!] = 1;
    }
  });
  const { parent } = profile.tree;
  for (let node = parent.length - 1; node > 0; node--) if (needed[node] === 1) needed[parent[node]!] = 1;
  const { tree, moved } = prune(profile.tree, needed);
  const cells = profile.cells.map((own, metric) => {
    const kept = rows[metric]!;
    const integers = (of: (i: number) => number) => sharedInt32(kept.length).map((_, at) => of(kept[at]!));
    const numbers = (column: Float64Array) => sharedFloat64(kept.length).map((_, at) => column[kept[at]!]!);
    return {
      length: kept.length,
      node: integers(i => moved[own.node[i]!]!),
      thread: integers(i => own.thread[i]!),
      line: integers(i => own.line[i]!),
      window: integers(i => own.window[i]! - fromWindow),
      count: numbers(own.count),
      weight: numbers(own.weight),
      weightSquares: own.weightSquares === null ? null : numbers(own.weightSquares),
    };
  });
  return { ...profile, tree, windows: profile.windows.slice(fromWindow, toWindow), cells };
}

/** The nodes that are needed, in the same order; `moved` has each one's new row. */
function prune(tree: Cct, needed: Uint8Array): { readonly tree: Cct; readonly moved: Int32Array } {
  // Where each row would go: as many rows as are needed before it.
  const moved = new Int32Array(tree.length + 1);
  for (let node = 0; node < tree.length; node++) moved[node + 1] = moved[node]! + needed[node]!;
  const length = moved[tree.length]!;
  const pruned = treeColumns(length);
  for (let node = 0; node < tree.length; node++) {
    if (needed[node] === 0) continue;
    const row = moved[node]!;
    pruned.parent[row] = node === 0 ? -1 : moved[tree.parent[node]!]!;
    pruned.method[row] = tree.method[node]!;
    pruned.callLine[row] = tree.callLine[node]!;
    pruned.subtreeEnd[row] = moved[tree.subtreeEnd[node]!]!;
    pruned.depth[row] = tree.depth[node]!;
  }
  return { tree: pruned, moved };
}
