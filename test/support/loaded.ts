// Loaded data for tests of features: from a picture of a profile, folded and analysed as the server does it.

import type { Profile } from '../../server/cct/profile.ts';
import type { Provenance } from '../../server/store/load.ts';
import { prepareData } from '../../server/workspace/data/load-data.ts';
import { completeData, type LoadedData } from '../../server/workspace/data/loaded-data.ts';
import type { Part } from '../../server/workspace/data/part.ts';
import { type ProfileOptions, profileOfText } from './profiles.ts';

const START = Date.UTC(2026, 10, 20, 16, 0, 0);

export function provenanceOf(): Provenance {
  const execution = { project: 'acme', program: 'shop', version: '1.0', instance: 'i-1' };
  return {
    project: 'acme',
    program: 'shop',
    executions: [execution],
    entries: [],
    sourceEntries: [],
    startMillis: START,
    endMillis: START + 30_000,
    recorders: ['JDK Flight Recorder'],
    debugNonSafepoints: true,
  };
}

/** Data as features get them, from a profile as a reader gives it. */
export function loadedFrom(profile: Profile, provenance: Partial<Provenance> = {}, part: Part = {}): LoadedData {
  const { value, problems } = prepareData(profile, { ...provenanceOf(), ...provenance }, null, [], part);
  if (value === null) throw new Error(JSON.stringify(problems));
  return completeData(value);
}

/** The same from a picture; see profileOfText. */
export function loadedFromText(
  picture: string,
  options: ProfileOptions = {},
  provenance: Partial<Provenance> = {},
  part: Part = {},
): LoadedData {
  return loadedFrom(profileOfText(picture, { startMillis: START, ...options }), provenance, part);
}
