// Gives the windows of a profile other times or JVMs, joins windows that become the same, and takes some out.
import type { Profile, TimeWindow } from './profile.ts';
import { sharedInt32 } from './shared-columns.ts';
import { sortCells } from './sort-cells.ts';
import { moveTimes, sameRows } from './times.ts';
import { WindowUnion } from './unite-tables.ts';

/** The profile with windows in order, whatever their order was before. */
export function mapWindows(profile: Profile, becoming: (window: TimeWindow) => TimeWindow): Profile {
  const union = new WindowUnion();
  const numbers = union.add(profile.windows.map(becoming));
  const { table, rows } = union.finish();
  return withWindows(
    profile,
    table,
    numbers.map(number => rows[number]!),
  );
}

/** The profile with `jvm` in windows that name no JVM; the same profile where every window names one. */
export function withJvm(profile: Profile, jvm: string): Profile {
  if (profile.windows.every(window => window.jvm !== undefined)) return profile;
  return mapWindows(profile, window => ({ jvm, ...window }));
}

/** The profile without windows in which there is neither a sample nor a response time. */
export function withoutEmptyWindows(profile: Profile): Profile {
  const isUsed = new Uint8Array(profile.windows.length);
  for (const { window } of [...profile.cells, ...(profile.times === undefined ? [] : [profile.times])])
    for (const row of window) isUsed[row] = 1;
  const rows = new Int32Array(isUsed.length);
  for (let row = 1; row < rows.length; row++) rows[row] = rows[row - 1]! + isUsed[row - 1]!;
  const windows = profile.windows.filter((_, row) => isUsed[row] === 1);
  return windows.length === isUsed.length ? profile : withWindows(profile, windows, rows);
}

/** @param rows for each window of the profile its row in `windows` */
function withWindows(profile: Profile, windows: readonly TimeWindow[], rows: Int32Array): Profile {
  if (rows.every((row, before) => row === before)) return { ...profile, windows };
  const cells = profile.cells.map(own => {
    const window = sharedInt32(own.length);
    for (let i = 0; i < own.length; i++) window[i] = rows[own.window[i]!]!;
    return sortCells({ ...own, window }, profile.tree.length);
  });
  const times = moveTimes(profile.times, sameRows(profile.methods.length), rows);
  return { ...profile, windows, cells, ...(times !== undefined && { times }) };
}
