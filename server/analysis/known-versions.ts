// For a version that has no data under its name: the one that git says is meant, else the versions that have data.
import { printableName, suggested } from '../base/printable.ts';
import type { Problem } from '../base/problem.ts';
import { type GitRepository, openRepository } from '../mapping/git/git-repository.ts';
import { commitOfVersion, commitsOfVersions } from '../mapping/git/version-commits.ts';
import { nearestNames } from '../metrics/nearest-names.ts';
import type { StoreEntry } from '../store/store.ts';
import type { Wish } from './wish.ts';

const MOST_VERSIONS = 12;

/**
 * The version with data whose commit the wish's version means in git: as a tag, whether or not the pattern of tags is followed, or as
 * another hash of it. Of several the newest; null where there is none.
 */
export async function versionMeant(
  wish: Wish,
  program: string,
  entries: readonly StoreEntry[],
): Promise<string | null> {
  const repository = await repositoryOf(wish);
  if (repository === null || wish.version === null) return null;
  const names = { program, tagPattern: wish.tagPattern ?? null };
  const byPattern = await commitOfVersion(repository, wish.version, names);
  const wanted = byPattern.value ?? (await commitOfVersion(repository, wish.version, { program })).value;
  if (wanted === null) return null;
  const versions = newestFirst(entries);
  const { value: commits } = await commitsOfVersions(repository, versions, names);
  return versions.find(version => commits.get(version) === wanted) ?? null;
}

/** Versions that are most like the one wished for come first, by their names or by tags of their commits; of several the newest. */
export async function knownVersions(wish: Wish, program: string, entries: readonly StoreEntry[]): Promise<Problem> {
  const versions = newestFirst(entries);
  const tags = await tagsOfVersions(wish, program, versions);
  const namesOf = (version: string) => [version, ...(tags.get(version) ?? [])];
  const wanted = wish.version ?? '';
  const alike = nearestNames(versions.flatMap(namesOf), wanted, versions.length);
  const ranked = versions.map(version => {
    const found = alike.findIndex(name => namesOf(version).includes(name));
    const shared = Math.max(...namesOf(version).map(name => sharedBeginning(name, wanted)));
    return { version, rank: found < 0 ? alike.length : found, shared };
  });
  ranked.sort((one, other) => one.rank - other.rank || other.shared - one.shared);
  const nearest = ranked.map(({ version }) => version);
  const texts = nearest.slice(0, MOST_VERSIONS).map(version => {
    const [, ...names] = namesOf(version);
    return `${suggested(version)}${names.length === 0 ? '' : ` (tag ${names.map(suggested).join(', ')})`}`;
  });
  const more = versions.length > MOST_VERSIONS ? ` and ${versions.length - MOST_VERSIONS} more` : '';
  return { severity: 'info', message: `versions of ${printableName(program)}: ${texts.join(', ')}${more}` };
}

/** How many characters two names begin with both: versions mostly differ at their ends. */
function sharedBeginning(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** Tags at the commits of versions that are not called so themselves; without git none. */
async function tagsOfVersions(
  wish: Wish,
  program: string,
  versions: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const repository = await repositoryOf(wish);
  if (repository === null) return new Map();
  const names = { program, tagPattern: wish.tagPattern ?? null };
  const { value: commits } = await commitsOfVersions(repository, versions, names);
  const { value: tags } = await repository.tagsAt([...new Set(commits.values())]);
  return new Map(
    Array.from(commits, ([version, commit]) => [version, (tags.get(commit) ?? []).filter(tag => tag !== version)]),
  );
}

async function repositoryOf({ repository }: Wish): Promise<GitRepository | null> {
  return repository === undefined ? null : (await openRepository(repository)).value;
}

function newestFirst(entries: readonly StoreEntry[]): string[] {
  const sorted = entries.toSorted((one, other) => other.startMillis - one.startMillis);
  return [...new Set(sorted.map(({ execution }) => execution.version))];
}
