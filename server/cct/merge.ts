// Merges profiles of one program, from different instances or spans of time, into one.
import type { Profile } from './profile.ts';

/**
 * One profile holding the samples of all. Methods, threads, windows and metrics are united by content; rows of the result are
 * its own. One profile comes back as it is; none gives an empty profile.
 */
export function mergeProfiles(profiles: readonly Profile[]): Profile {
  throw new Error(`not yet: ${profiles.length}`);
}
