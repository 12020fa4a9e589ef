// Joins the windows of a profile that lie in one span of the clock, so that old data keep less detail of time.

import type { Profile, TimeWindow } from '../cct/profile.ts';
import { sharedInt32 } from '../cct/shared-columns.ts';
import { sortCells } from '../cct/sort-cells.ts';

/** No window of the result is finer than `finestMillis` where others lie beside it; the same profile where nothing is to do. */
export function coarsenWindows(profile: Profile, finestMillis: number): Profile {
  if (finestMillis <= 0) return profile;
  const groups = new Map<number, { startMillis: number; endMillis: number; members: number[] }>();
  profile.windows.forEach(({ startMillis, endMillis }, row) => {
    const span = Math.floor(startMillis / finestMillis);
    const known = groups.get(span) ?? { startMillis, endMillis, members: [] };
    known.startMillis = Math.min(known.startMillis, startMillis);
    known.endMillis = Math.max(known.endMillis, endMillis);
    known.members.push(row);
    groups.set(span, known);
  });
  if (groups.size === profile.windows.length) return profile;
  const sorted = [...groups.values()].sort((a, b) => a.startMillis - b.startMillis || a.endMillis - b.endMillis);
  const windows: TimeWindow[] = sorted.map(({ startMillis, endMillis }) => ({ startMillis, endMillis }));
  const rows = new Int32Array(profile.windows.length);
  sorted.forEach(({ members }, row) => {
    for (const member of members) rows[member] = row;
  });
  const cells = profile.cells.map(own => {
    const window = sharedInt32(own.length);
    for (let i = 0; i < own.length; i++) window[i] = rows[own.window[i]!]!;
    return sortCells({ ...own, window }, profile.tree.length);
  });
  return { ...profile, windows, cells };
}
