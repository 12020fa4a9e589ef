// Loaded data for tests of features: from a picture of a profile, folded and analysed as the server does it.

import { answer, type Door, lookAt } from '../../../server/analysis/ask.ts';
import type { Baseline } from '../../../server/analysis/baseline.ts';
import type { Dataset } from '../../../server/analysis/datasets.ts';
import { foldData } from '../../../server/analysis/folded-data.ts';
import { completeData, type LoadedData } from '../../../server/analysis/loaded-data.ts';
import { Pairing, verdictsIn } from '../../../server/analysis/pairing.ts';
import { selectData } from '../../../server/analysis/select-data.ts';
import type { Selection } from '../../../server/analysis/selection.ts';
import { wishKey } from '../../../server/analysis/wish.ts';
import { noPause } from '../../../server/base/pause.ts';
import type { Profile } from '../../../server/cct/profile.ts';
import type { Provenance } from '../../../server/store/load-snapshots.ts';
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

/** The Dataset of a profile that was never put into a store. */
export function datasetOf(profile: Profile, provenance: Provenance): Dataset {
  const { project, program, executions } = provenance;
  const wish = { store: '', project, program, version: executions[0]?.version ?? null, root: '' };
  return { wish, key: wishKey(wish), revision: '', folded: foldData(profile), provenance, used: [], problems: [] };
}

/** Data as features get them, from a profile as a reader gives it. */
export function loadedFrom(
  profile: Profile,
  provenance: Partial<Provenance> = {},
  selection: Selection = {},
): LoadedData {
  const { value, problems } = selectData(datasetOf(profile, { ...provenanceOf(), ...provenance }), selection);
  if (value === null) throw new Error(JSON.stringify(problems));
  return completeData(value);
}

/** The same from a picture; see profileOfText. */
export function loadedFromText(
  picture: string,
  options: ProfileOptions = {},
  provenance: Partial<Provenance> = {},
  selection: Selection = {},
): LoadedData {
  return loadedFrom(profileOfText(picture, { startMillis: START, ...options }), provenance, selection);
}

/** Answers questions in the thread of the test. */
export const inlineDoor: Door = {
  ask: async (subject, name, parameters, { baseline } = {}) =>
    answer(lookAt(subject), name, parameters, noPause, baseline === undefined ? null : lookAt(baseline)),
};

/** A baseline where no text tells which methods were renamed, with the verdicts of the JVMs of both sides. */
export function comparedByName(shown: LoadedData, baseline: LoadedData): Baseline {
  const pairing = Pairing.pending(shown, baseline).with();
  const wish = { became: pairing.becameRows(), scaling: 'share', work: null, code: null, check: null } as const;
  const evidence = answer(shown, 'evidence', wish, noPause, baseline);
  return { data: baseline, pairing: pairing.withVerdicts(shown, baseline, verdictsIn(evidence)) };
}
