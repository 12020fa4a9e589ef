// Decides which version belongs to the code on screen when none is named: that of the commit checked out, else the nearest one with data.
import { LRUCache } from 'lru-cache';
import type { Outcome, Problem } from '../base/problem.ts';
import { type GitRepository, openRepository } from '../mapping/git/git-repository.ts';
import { type Nearest, nearestCommit } from '../mapping/git/nearest-commit.ts';
import { commitsOfVersions, type TagNames } from '../mapping/git/version-commits.ts';
import { ranInProduction } from '../store/select-snapshots.ts';
import type { Store, StoreEntry } from '../store/store.ts';
import type { Wish } from './wish.ts';

/** A version that has data, and when its latest snapshot began. */
type VersionWithData = { readonly version: string; readonly startMillis: number };

type ChosenVersion = {
  /** null: none belongs to the code, the newest is as good as any. */
  readonly version: string | null;
  /** `head`: data of the very commit that is checked out. */
  readonly relation: 'head' | 'ancestor' | 'branch' | 'none';
  /** One sentence for people; empty where there is nothing to say. */
  readonly reason: string;
};

/** More versions than these are not looked up: the newest ones count. */
const MOST_VERSIONS = 500;

/** Chooses for one load after another. */
export class VersionChooser {
  /** Whether an entry is of production, by its key. */
  readonly #production = new Map<string, boolean>();
  /** Where commits lie to each other never changes, so that only moving HEAD or new versions ask again. */
  readonly #nearest = new LRUCache<string, { readonly nearest: Nearest | null }>({ max: 64 });

  /**
   * The version whose numbers to show for `source`, null for the newest, and why. Outside git, and where no version has a commit, nothing is said;
   * else a version that is not the commit checked out is told as a problem of severity `info`.
   */
  async forCode(
    store: Store,
    wish: Wish,
    program: string,
  ): Promise<Outcome<Pick<ChosenVersion, 'version' | 'reason'>>> {
    const newest = { version: null, reason: 'the newest version is shown' };
    if (wish.repository === undefined) return { value: newest, problems: [] };
    const opened = await openRepository(wish.repository);
    if (opened.value === null) return { value: newest, problems: opened.problems };
    const { instances } = wish;
    // Problems of the listing come again when the snapshots are loaded.
    const { value: entries } = await store.list({ project: wish.project, program });
    const wanted = entries.filter(({ execution }) => instances?.includes(execution.instance) ?? true);
    const names = { program, tagPattern: wish.tagPattern ?? null };
    const choose = (among: readonly StoreEntry[]) => this.choose(opened.value!, versionsOf(among), names);
    let { value, problems } = await choose(wanted);
    const isProduction = (of: readonly StoreEntry[]) => ranInProduction(store, of, this.#production);
    if (instances === undefined && value.version !== null && !(await isProduction(ofVersion(wanted, value.version)))) {
      const byVersion = [...Map.groupBy(wanted, ({ execution }) => execution.version).values()];
      const ran = await Promise.all(byVersion.map(isProduction));
      ({ value, problems } = await choose(byVersion.filter((_, at) => ran[at]).flat()));
    }
    const { version, relation, reason } = value;
    if (reason === '') return { value: newest, problems };
    const chosen = { version, reason };
    if (relation === 'head') return { value: chosen, problems };
    const remedy = 'choose another with "version" in insitu.json; insitu executions lists them';
    const inEditor = { message: reason, remedy: 'insitu.selectExecution chooses another' };
    return { value: chosen, problems: [...problems, { severity: 'info', message: reason, remedy, inEditor }] };
  }

  /** Which of `versions` belongs to the commit that is checked out. Changed and unsaved files play no role. */
  async choose(
    repository: GitRepository,
    versions: readonly VersionWithData[],
    names: TagNames,
  ): Promise<Outcome<ChosenVersion>> {
    // Of versions with the same commit, the one with the latest data counts.
    const latest = [...versions].sort((a, b) => b.startMillis - a.startMillis).slice(0, MOST_VERSIONS);
    const named = latest.map(({ version }) => version);
    const [found, head] = await Promise.all([commitsOfVersions(repository, named, names), repository.head()]);
    const byCommit = new Map<string, string>();
    for (const { version } of latest) {
      const commit = found.value.get(version);
      if (commit !== undefined && !byCommit.has(commit)) byCommit.set(commit, version);
    }
    if (byCommit.size === 0) {
      const hint = repository.shallow && latest.length > 0 ? noneIn('this shallow clone') : '';
      return none(hint, found.problems, repository);
    }
    if (head === null) return none('nothing is committed on this branch; the newest version is shown', found.problems);
    const { value: nearest, problems } = await this.#knownNearest(repository, head, [...byCommit.keys()]);
    const all = [...found.problems, ...problems];
    if (nearest === null) return none(noneIn('the history of the commit checked out'), all, repository);
    const version = byCommit.get(nearest.commit)!;
    const relation = nearest.relation === 'same' ? 'head' : nearest.relation;
    return { value: { version, relation, reason: reasonOf(version, nearest) }, problems: all };
  }

  async #knownNearest(
    repository: GitRepository,
    head: string,
    commits: readonly string[],
  ): Promise<Outcome<Nearest | null>> {
    const key = JSON.stringify([repository.folder, repository.shallow, head, [...commits].sort()]);
    const known = this.#nearest.get(key);
    if (known !== undefined) return { value: known.nearest, problems: [] };
    const asked = await nearestCommit(repository, head, commits);
    if (asked.problems.length === 0) this.#nearest.set(key, { nearest: asked.value });
    return asked;
  }
}

function reasonOf(version: string, { relation, behind, ahead }: Nearest): string {
  if (relation === 'same') return `version ${version} is the commit checked out`;
  const shown = `version ${version} is shown, the nearest with data:`;
  if (relation === 'ancestor') return `${shown} ${commitsText(behind)} before the one checked out`;
  if (behind === 0) return `${shown} ${commitsText(ahead)} after the one checked out`;
  return `${shown} it parted from the commit checked out ${commitsText(behind)} ago and is ${commitsText(ahead)} further`;
}

function noneIn(place: string): string {
  return `no version with data is a commit in ${place}; the newest is shown`;
}

function none(
  reason: string,
  problems: readonly Problem[],
  repository: GitRepository | null = null,
): Outcome<ChosenVersion> {
  const cut = reason !== '' && repository?.shallow === true;
  const remedy = 'git fetch --unshallow --tags gets the whole history';
  const shallow: readonly Problem[] = cut
    ? [
        {
          severity: 'info',
          message: 'older commits are missing in this shallow clone',
          file: repository.folder,
          remedy,
        },
      ]
    : [];
  return { value: { version: null, relation: 'none', reason }, problems: [...problems, ...shallow] };
}

function commitsText(count: number): string {
  return `${count} commit${count === 1 ? '' : 's'}`;
}

function ofVersion(entries: readonly StoreEntry[], version: string): readonly StoreEntry[] {
  return entries.filter(({ execution }) => execution.version === version);
}

function versionsOf(entries: readonly StoreEntry[]): VersionWithData[] {
  const latest = new Map<string, number>();
  for (const { execution, startMillis } of entries)
    latest.set(execution.version, Math.max(startMillis, latest.get(execution.version) ?? startMillis));
  return Array.from(latest, ([version, startMillis]) => ({ version, startMillis }));
}
