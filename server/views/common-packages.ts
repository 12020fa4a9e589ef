// The packages that have most call paths of a Dataset: they get the colours of the page, whatever is looked at.
import type { FoldedData } from '../analysis/folded-data.ts';
import { ROOT_METHOD } from '../cct/profile.ts';
import { packageOf } from '../mapping/class-names.ts';
import { isPlatformClass } from '../mapping/platform-classes.ts';

/** No picture shows more of them apart. */
const MOST_PACKAGES = 40;

/** Of each tree: the header is asked for again and again. */
const known = new WeakMap<FoldedData['profile'], readonly string[]>();

/** Names, the most common one first, those of the Java platform last; of equal ones by name. O(nodes). */
export function commonPackages(profile: FoldedData['profile']): readonly string[] {
  const found = known.get(profile) ?? byCallPaths(profile);
  known.set(profile, found);
  return found;
}

function byCallPaths({ methods, tree }: FoldedData['profile']): readonly string[] {
  const ofMethod = new Int32Array(methods.length);
  for (let node = 1; node < tree.length; node++) ofMethod[tree.method[node]!]!++;
  const counts = new Map<string, number>();
  for (let row = ROOT_METHOD + 1; row < methods.length; row++) {
    if (ofMethod[row] === 0) continue;
    const name = packageOf(methods.strings[methods.className[row]!]!);
    counts.set(name, (counts.get(name) ?? 0) + ofMethod[row]!);
  }
  const isPlatform = (name: string) => Number(isPlatformClass(`${name}.`));
  const sorted = [...counts].sort(
    ([a, one], [b, other]) => isPlatform(a) - isPlatform(b) || other - one || (a < b ? -1 : 1),
  );
  return sorted.slice(0, MOST_PACKAGES).map(([name]) => name);
}
