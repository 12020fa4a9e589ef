// One side of a comparison for tests: some JVMs that did the same work, each of which differs from a picture at random.

import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import { CodeState } from '../../../server/capabilities/compare/code-states.ts';
import { mergeProfiles } from '../../../server/cct/merge.ts';
import type { Profile } from '../../../server/cct/profile.ts';
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
  const merged = mergeProfiles(profiles);
  const windows = merged.windows.map(each => ({ ...each, jvm: `jvm-${Math.floor(each.startMillis / 100_000)}` }));
  return loadedFrom(nanos === undefined ? { ...merged, windows } : withLoads({ ...merged, windows }, nanos));
}

/** Divides the time of each JVM among its windows as its samples are. */
function withLoads(profile: Profile, nanos: number): Profile {
  const samples = new Float64Array(profile.windows.length);
  for (const [cell, window] of profile.cells[0]!.window.entries()) samples[window]! += profile.cells[0]!.weight[cell]!;
  const ofJvm = new Map<string, number>();
  for (const [window, { jvm }] of profile.windows.entries()) ofJvm.set(jvm!, (ofJvm.get(jvm!) ?? 0) + samples[window]!);
  const weight = samples.map((amount, window) => (nanos * amount) / ofJvm.get(profile.windows[window]!.jvm!)!);
  const { length } = samples;
  const zeros = new Int32Array(length);
  const loads = {
    ...{ length, node: zeros, thread: zeros, line: zeros, window: Int32Array.from(samples.keys()) },
    ...{ count: new Float64Array(length).fill(1), weight, weightSquares: weight.map(each => each * each) },
  };
  const metric = { id: 'processor-load', unit: 'nanoseconds', kind: 'exact', events: [], periodNanos: 0 } as const;
  return { ...profile, metrics: [...profile.metrics, metric], cells: [...profile.cells, loads] };
}

/** Per method row: changed where it is named, not known where its class is the platform's, else unchanged. */
export function codeOf({ profile }: LoadedData, changed: readonly string[]): Uint8Array {
  return Uint8Array.from({ length: profile.methods.length }, (_, row) => {
    const name = methodText(profile, row);
    if (changed.includes(name)) return CodeState.changed;
    return /^java\.|^$/.test(name) || row < 2 ? CodeState.unknown : CodeState.same;
  });
}
