// Splits a snapshot that is too large for one object of a bucket: by windows, and what is one window by groups of threads.
import type { Cells, Profile } from '../cct/profile.ts';
import { pruneTables } from '../cct/prune.ts';
import { takeCells } from '../cct/take-cells.ts';
import { takeTimes } from '../cct/times.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/**
 * Snapshots that together hold every sample and time of this one once and whose bytes are no more than `most` each; null where that cannot be
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
        withoutChunks(snapshot),
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
  // Times have no thread: the part that is stored last has them.
  const { times: _, ...untimed } = profile;
  return [
    headed(withoutChunks(snapshot), withCells(untimed, 0, windows, isFirst)),
    headed(snapshot, { ...withCells(profile, 0, windows, (cells, i) => !isFirst(cells, i)), losses: NONE }, sources),
  ];
}

/** The losses of all parts but the first, which has them all. */
const NONE = { truncatedStacks: 0, withoutStack: 0, lostSamples: 0 };

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The part that is stored last names the chunks: they are not imported before all parts are there. */
function withoutChunks({ header: { chunks: _, ...header }, ...others }: Snapshot): Snapshot {
  return { header, ...others };
}

/** The later part keeps what is said of sources: readers look at the latest first. */
function headed({ header }: Snapshot, profile: Profile, sources: Snapshot['sources'] = []): Snapshot {
  const { windows } = profile;
  const startMillis = windows.reduce((least, window) => Math.min(least, window.startMillis), header.endMillis);
  const endMillis = windows.reduce((most, window) => Math.max(most, window.endMillis), header.startMillis);
  return { header: { ...header, startMillis, endMillis }, profile, ...(sources.length > 0 && { sources }) };
}

/** The profile with some of its windows and cells, and of its tables what these need. */
function withCells(
  profile: Profile,
  fromWindow: number,
  toWindow: number,
  isWanted: (cells: Cells, row: number) => boolean,
): Profile {
  const cells = profile.cells.map(own => {
    const taken = takeCells(own, row => isWanted(own, row));
    return { ...taken, window: taken.window.map(row => row - fromWindow) };
  });
  const { times, ...untimed } = profile;
  const taken = takeTimes(times, window => window >= fromWindow && window < toWindow, 'shared');
  return pruneTables({
    ...untimed,
    windows: profile.windows.slice(fromWindow, toWindow),
    cells,
    ...(taken !== undefined && { times: { ...taken, window: taken.window.map(row => row - fromWindow) } }),
  });
}
