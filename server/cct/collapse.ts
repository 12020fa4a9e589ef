// Folding: takes transparent methods (bridges, accessors, reflection hops) out of a tree as if no stack had ever held them.
import type { Profile } from './profile.ts';

/**
 * Removes all nodes of transparent methods. A child takes the removed node's call line, cells of a removed node become cells of the
 * nearest kept ancestor at that call line, and siblings that become identical merge. Tables stay as they are, so rows stay valid.
 * Gives `profile` itself back when no node is transparent.
 * @param transparent one byte a method row, 1 = remove; the root and the partial node are never removed
 */
export function collapse(profile: Profile, transparent: Uint8Array): Profile {
  throw new Error(`not yet: ${profile.tree.length} ${transparent.length}`);
}
