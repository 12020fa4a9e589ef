// One side of a comparison for tests: some JVMs that did the same work, each of which differs from a picture at random.

import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import { CodeState } from '../../../server/capabilities/compare/anchors.ts';
import { mergeProfiles } from '../../../server/cct/merge.ts';
import { withProcessorLoad } from '../../../server/cct/processor-load.ts';
import { normals } from '../../capabilities/compare/normals.ts';
import { loadedFrom } from './loaded.ts';
import { methodText, profileOfText } from './profiles.ts';

/**
 * @param picture as `profileOfText` reads it. @param spread standard deviation of each number, as a part of it.
 * @param nanos processor time that each JVM told of itself; absent where it told none
 */
export function jvmsOf(count: number, seed: number, picture: string, spread = 0.01, nanos?: number): LoadedData {
  const random = normals(seed);
  const profiles = Array.from({ length: count }, (_, jvm) => {
    const own = picture.replace(
      /\b(\d+)@/g,
      (_all, amount) => `${Math.round(Number(amount) * (1 + spread * random()))}@`,
    );
    return profileOfText(own, { startMillis: 100_000 * (jvm + 1) });
  });
  const merged = mergeProfiles(nanos === undefined ? profiles : profiles.map(each => withProcessorLoad(each, nanos)));
  const windows = merged.windows.map(each => ({ ...each, jvm: `jvm-${Math.floor(each.startMillis / 100_000)}` }));
  return loadedFrom({ ...merged, windows });
}

/** Per method row: changed where it is named, not known where its class is the platform's, else unchanged. */
export function codeOf({ profile }: LoadedData, changed: readonly string[]): Uint8Array {
  return Uint8Array.from({ length: profile.methods.length }, (_, row) => {
    const name = methodText(profile, row);
    if (changed.includes(name)) return CodeState.changed;
    return /^java\.|^$/.test(name) || row < 2 ? CodeState.unknown : CodeState.same;
  });
}
