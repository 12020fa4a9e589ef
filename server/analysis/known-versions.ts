// Names the versions of a program that have data, for people who named one that has none.
import { printableName, suggested } from '../base/printable.ts';
import type { Problem } from '../base/problem.ts';
import { openRepository } from '../mapping/git/git-repository.ts';
import { commitsOfVersions } from '../mapping/git/version-commits.ts';
import { nearestNames } from '../metrics/nearest-names.ts';
import type { StoreEntry } from '../store/store.ts';
import type { Wish } from './wish.ts';

const MOST_VERSIONS = 12;

/** Versions that are most like the one wished for come first, by their names or by tags of their commits; of several the newest. */
export async function knownVersions(wish: Wish, program: string, entries: readonly StoreEntry[]): Promise<Problem> {
  const newest = entries.toSorted((one, other) => other.startMillis - one.startMillis);
  const versions = [...new Set(newest.map(({ execution }) => execution.version))];
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
  { repository: folder, tagPattern }: Wish,
  program: string,
  versions: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const repository = folder === undefined ? null : (await openRepository(folder)).value;
  if (repository === null) return new Map();
  const { value: commits } = await commitsOfVersions(repository, versions, { program, tagPattern: tagPattern ?? null });
  const { value: tags } = await repository.tagsAt([...new Set(commits.values())]);
  return new Map(
    Array.from(commits, ([version, commit]) => [version, (tags.get(commit) ?? []).filter(tag => tag !== version)]),
  );
}
