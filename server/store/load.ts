// Reads the snapshots of a selection and merges them into one profile that remembers where it comes from.
import type { Outcome, Problem } from '../base/problem.ts';
import { mergeProfiles } from '../cct/merge.ts';
import type { Profile } from '../cct/profile.ts';
import type { HeaderReading } from '../snapshot/decode.ts';
import type { Execution } from '../snapshot/snapshot.ts';
import { type LoadRequest, selectEntries } from './selection.ts';
import type { Store, StoreEntry } from './store.ts';

export type { LoadRequest } from './selection.ts';

/** What a loaded profile stands on, for people to judge it. */
export type Provenance = {
  readonly project: string;
  readonly program: string;
  /** Distinct executions, sorted. */
  readonly executions: readonly Execution[];
  readonly entries: readonly StoreEntry[];
  readonly startMillis: number;
  readonly endMillis: number;
  readonly recorders: readonly string[];
  /** false as soon as one recording ran without DebugNonSafepoints: lines are approximate then; null when none tells. */
  readonly debugNonSafepoints: boolean | null;
};

export type Loaded = { readonly profile: Profile; readonly provenance: Provenance };

/** Snapshots read before they are merged into one: bounds the memory that many small ones take. */
const MERGED_AT_ONCE = 16;

/** null with problems when nothing fits or nothing could be read; broken snapshots are reported and left out. */
export async function loadProfile(
  store: Store,
  request: LoadRequest,
  onProgress?: (read: number, all: number) => void,
  signal?: AbortSignal,
): Promise<Outcome<Loaded | null>> {
  const selected = await selectEntries(store, request);
  const problems: Problem[] = [...selected.problems];
  const nothing = { value: null, problems };
  if (selected.value.length === 0) {
    if (!problems.some(problem => problem.severity === 'error')) problems.push(nothingFits(store, request));
    return nothing;
  }
  let read = 0;
  let profiles: Profile[] = [];
  const used: Used[] = [];
  for (const { entry, reading } of selected.value) {
    if (signal?.aborted) {
      problems.push({ severity: 'error', message: 'loading was cancelled', file: store.location });
      return nothing;
    }
    const snapshot = await store.read(entry);
    problems.push(...snapshot.problems);
    if (snapshot.value !== null) {
      profiles.push(snapshot.value.profile);
      used.push({ entry, reading });
      if (profiles.length === MERGED_AT_ONCE) profiles = [mergeProfiles(profiles)];
    }
    onProgress?.(++read, selected.value.length);
  }
  if (used.length === 0) return nothing;
  const profile = mergeProfiles(profiles);
  return { value: { profile, provenance: provenanceOf(used) }, problems };
}

type Used = { readonly entry: StoreEntry; readonly reading: HeaderReading };

function nothingFits(store: Store, request: LoadRequest): Problem {
  const { project, program, version, instances, fromMillis, toMillis } = request;
  const instance = request.instance ?? instances?.join(' or ');
  const wanted = Object.entries({ project, program, version, instance })
    .filter(([, text]) => text !== undefined)
    .map(([field, text]) => `${field} ${text}`);
  const timed = fromMillis !== undefined || toMillis !== undefined;
  return {
    severity: 'error',
    message: `the store has no snapshot${wanted.length === 0 ? '' : ` of ${wanted.join(', ')}`}${timed ? ' in that time' : ''}`,
    file: store.location,
    remedy: 'see what it has with insitu executions, or import a recording with insitu import',
  };
}

function provenanceOf(used: readonly Used[]): Provenance {
  const { project, program } = used[0]!.entry.execution;
  const executions = new Map(used.map(({ entry }) => [JSON.stringify(entry.execution), entry.execution]));
  const headers = used.map(each => each.reading.header);
  const flags = headers.map(header => header.debugNonSafepoints);
  return {
    project,
    program,
    executions: [...executions.values()],
    entries: used.map(each => each.entry),
    startMillis: headers.reduce((least, header) => Math.min(least, header.startMillis), Number.POSITIVE_INFINITY),
    endMillis: headers.reduce((most, header) => Math.max(most, header.endMillis), Number.NEGATIVE_INFINITY),
    recorders: [...new Set(headers.map(header => header.recorder))].sort(),
    debugNonSafepoints: flags.includes(false) ? false : flags.includes(true) ? true : null,
  };
}
