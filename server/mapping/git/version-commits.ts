// From a version as recordings name it to the commit that it was built from: a hash, or one of the usual names of tags.
import type { Outcome } from '../../base/problem.ts';
import { type GitRepository, isHash } from './git-repository.ts';

/** How tags of a program may be called. */
export type TagNames = {
  readonly program: string;
  /** Stands for the usual names where given: a tag with `{version}` and perhaps `{program}` in it, such as `release/{version}`. */
  readonly tagPattern?: string | null;
};

/**
 * Full hashes of the commits of versions, by version; versions without a commit are left out. A version is a full or abbreviated hash, else a
 * tag: `X`, `vX`, `<program>-X` or `<program>/X`, in this order, or what the pattern says. A name that `git describe` gave is its
 * hash, or its tag where it has none: `v1.0-1-g0308bb8`, `v1.0-dirty`.
 */
export async function commitsOfVersions(
  repository: GitRepository,
  versions: readonly string[],
  names: TagNames,
): Promise<Outcome<ReadonlyMap<string, string>>> {
  const tags = await repository.tags(
    versions.flatMap(version => namesOf(version).flatMap(name => tagsOf(name, names))),
  );
  const candidates = versions.map(version => ({
    version,
    hashes: namesOf(version)
      .flatMap(name => [name, ...tagsOf(name, names).flatMap(tag => tags.value.get(tag) ?? [])])
      .filter(isHash),
  }));
  const commits = await repository.commits([...new Set(candidates.flatMap(({ hashes }) => hashes))]);
  const value = new Map<string, string>();
  for (const { version, hashes } of candidates) {
    const commit = hashes.map(hash => commits.value.get(hash)).find(found => found !== undefined);
    if (commit !== undefined) value.set(version, commit);
  }
  return { value, problems: [...tags.problems, ...commits.problems] };
}

/** The same for one version; null when it has no commit here. */
export async function commitOfVersion(
  repository: GitRepository,
  version: string,
  names: TagNames,
): Promise<Outcome<string | null>> {
  const { value, problems } = await commitsOfVersions(repository, [version], names);
  return { value: value.get(version) ?? null, problems };
}

/** The first tag by name that points at the commit of each version that is a hash, by version; versions without a tag are left out. */
export async function tagsOfVersions(
  repository: GitRepository,
  versions: readonly string[],
): Promise<Outcome<ReadonlyMap<string, string>>> {
  const hashes = versions.filter(isHash);
  if (hashes.length === 0) return { value: new Map(), problems: [] };
  const commits = await repository.commits(hashes);
  const tags = await repository.tagsAt([...new Set(commits.value.values())]);
  const value = new Map<string, string>();
  for (const version of hashes) {
    const tag = tags.value.get(commits.value.get(version) ?? '')?.[0];
    if (tag !== undefined) value.set(version, tag);
  }
  return { value, problems: [...commits.problems, ...tags.problems] };
}

/** The version itself; and of what `git describe` made, the commit's hash or tag. */
function namesOf(version: string): string[] {
  const clean = version.replace(/[-+](?:dirty|broken)$/, '');
  const hash = /-\d+-g([0-9a-f]{4,64})$/.exec(clean)?.[1];
  return [...new Set([version, ...(hash === undefined ? [] : [hash]), clean])];
}

function tagsOf(version: string, { program, tagPattern }: TagNames): string[] {
  if (tagPattern === undefined || tagPattern === null)
    return [version, `v${version}`, `${program}-${version}`, `${program}/${version}`];
  const values: Readonly<Record<string, string>> = { '{version}': version, '{program}': program };
  return [tagPattern.replace(/\{version\}|\{program\}/g, name => values[name]!)];
}
