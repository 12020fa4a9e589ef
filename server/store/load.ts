// Reads the snapshots of a selection and merges them into one profile that remembers where it comes from.
import type { Outcome } from '../base/problem.ts';
import type { Profile } from '../cct/profile.ts';
import type { Execution } from '../snapshot/snapshot.ts';
import type { Store, StoreEntry, StoreFilter } from './store.ts';

/** Which snapshots are wanted. Without `version` the newest version that has data; `all` merges every version. */
export type LoadRequest = StoreFilter & { readonly versions?: 'newest' | 'all' };

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
  /** Samples per metric row, and how many of them are in partial stacks. */
  readonly samples: readonly { readonly count: number; readonly incomplete: number }[];
};

export type Loaded = { readonly profile: Profile; readonly provenance: Provenance };

/** null with problems when nothing fits or nothing could be read; broken snapshots are reported and left out. */
export async function loadProfile(
  store: Store,
  request: LoadRequest,
  onProgress?: (read: number, all: number) => void,
  signal?: AbortSignal,
): Promise<Outcome<Loaded | null>> {
  throw new Error(`not yet: ${store.location} ${request.program} ${onProgress} ${signal}`);
}
