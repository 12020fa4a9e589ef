// Joins the windows of one JVM that lie in one span of the clock, so that old data keep less detail of time.

import { mapWindows } from '../cct/map-windows.ts';
import type { Profile, TimeWindow } from '../cct/profile.ts';

/** No window of the result is finer than `finestMillis` where others of its JVM lie beside it; the same profile where nothing is to do. */
export function coarsenWindows(profile: Profile, finestMillis: number): Profile {
  if (finestMillis <= 0) return profile;
  const joined = new Map<string, TimeWindow>();
  for (const window of profile.windows) {
    const span = coarseSpan(window, finestMillis);
    const { startMillis, endMillis } = joined.get(span) ?? window;
    joined.set(span, {
      ...window,
      startMillis: Math.min(startMillis, window.startMillis),
      endMillis: Math.max(endMillis, window.endMillis),
    });
  }
  if (joined.size === profile.windows.length) return profile;
  return mapWindows(profile, window => joined.get(coarseSpan(window, finestMillis))!);
}

/** The same for windows that are joined. */
export function coarseSpan({ startMillis, jvm = '' }: TimeWindow, finestMillis: number): string {
  return `${Math.floor(startMillis / finestMillis)} ${jvm}`;
}
