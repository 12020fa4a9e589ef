// Which of some commits is nearest to the one that is checked out: itself, an ancestor, else one that shares the latest history with it.
import type { Outcome, Problem } from '../../base/problem.ts';
import { type GitRepository, lines } from './git-repository.ts';
import type { GitArguments } from './run-git.ts';

/** How the nearest commit lies to the one that is checked out. `commits` counts the commits in between. */
export type Nearest = {
  readonly commit: string;
  readonly relation: 'same' | 'ancestor' | 'branch';
  /** From the nearest commit, or from where both parted, to the one checked out. */
  readonly behind: number;
  /** From where both parted to the nearest commit; 0 for ancestors. */
  readonly ahead: number;
};

/** Of versions beyond the point where both parted, the oldest are the nearest: more than these are not counted. */
const MOST_COUNTED = 16;

/** Looked through first: walking all of a long history takes many times as long, and data are seldom older. */
const RECENT = 2000;

/**
 * The nearest of `commits` to `head`: itself; the ancestor with the fewest commits after it; else the one that parted from `head` last, the
 * one with the fewest commits since then. The later committed one of equals. null when none has any history in common with `head`.
 * @param recent how many commits to look through before asking for the whole history.
 */
export async function nearestCommit(
  repository: GitRepository,
  head: string,
  commits: readonly string[],
  recent = RECENT,
): Promise<Outcome<Nearest | null>> {
  if (commits.includes(head)) return { value: { commit: head, relation: 'same', behind: 0, ahead: 0 }, problems: [] };
  const history = new History(repository);
  const nearest = commits.length === 0 ? null : await nearestOf(history, head, commits, recent);
  return {
    value: history.problem === null ? nearest : null,
    problems: history.problem === null ? [] : [history.problem],
  };
}

async function nearestOf(
  history: History,
  head: string,
  commits: readonly string[],
  recent: number,
): Promise<Nearest | null> {
  const late = new Set(await history.latest(head, recent));
  const close = await nearestAncestor(
    history,
    head,
    commits.filter(commit => late.has(commit)),
  );
  // Every commit before those looked through has at least that many after it.
  if (close !== null && close.behind < recent) return close;
  const elsewhere = new Set(await history.reachable(commits, [head]));
  const ancestor = await nearestAncestor(
    history,
    head,
    commits.filter(commit => !elsewhere.has(commit)),
  );
  if (ancestor !== null) return ancestor;
  // With several commits, these are where `head` and a merge of all of them would have parted.
  const bases = await history.mergeBases(head, commits);
  const parting = await history.fewest(bases.slice(0, MOST_COUNTED), one => [one, head]);
  if (parting === null) return null;
  const sharing = new Set(await history.reachable(commits, [parting.best], ['--ancestry-path']));
  const oldest = await history.byDate(commits.filter(commit => sharing.has(commit)));
  const commit = await history.fewest(oldest.slice(0, MOST_COUNTED), one => [parting.best, one]);
  if (commit === null) return null;
  return { commit: commit.best, relation: 'branch', behind: parting.count, ahead: commit.count };
}

async function nearestAncestor(history: History, head: string, ancestors: readonly string[]): Promise<Nearest | null> {
  const latest = await history.independent(ancestors);
  const nearest = await history.fewest(latest, one => [one, head]);
  return nearest && { commit: nearest.best, relation: 'ancestor', behind: nearest.count, ahead: 0 };
}

/** Questions about history; the first that git cannot answer is kept, and the answers after it are worth nothing. */
class History {
  problem: Problem | null = null;
  readonly #repository: GitRepository;

  constructor(repository: GitRepository) {
    this.#repository = repository;
  }

  /** The `most` latest commits of the history of `head`, itself too. */
  latest(head: string, most: number): Promise<readonly string[]> {
    return this.#ask(['rev-list', `--max-count=${most}`, head]);
  }

  /** Commits reachable from `included`, themselves too, and from none of `excluded`. */
  reachable(included: readonly string[], excluded: readonly string[], options: readonly string[] = []) {
    return this.#ask(['rev-list', ...options, '--stdin'], [...included, ...excluded.map(each => `^${each}`)]);
  }

  /** The commits that are no ancestors of another one of them. */
  async independent(commits: readonly string[]): Promise<readonly string[]> {
    return commits.length < 2 ? commits : await this.#ask(['merge-base', '--independent', ...commits]);
  }

  mergeBases(head: string, commits: readonly string[]): Promise<readonly string[]> {
    return this.#ask(['merge-base', '--all', head, ...commits], [], 1);
  }

  /** The earliest committed first. */
  async byDate(commits: readonly string[]): Promise<string[]> {
    if (commits.length < 2) return [...commits];
    const dated = await this.#ask(['rev-list', '--no-walk=unsorted', '--timestamp', '--stdin'], commits);
    return dated
      .map(line => line.split(' '))
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([, commit]) => commit ?? '');
  }

  async count(from: string, to: string): Promise<number> {
    const [count] = await this.#ask(['rev-list', '--count', to, `^${from}`]);
    return Number(count ?? 0);
  }

  /** The commit with the fewest commits in its span; of equals the later committed one. */
  async fewest(commits: readonly string[], span: (commit: string) => readonly [string, string]) {
    let fewest: { readonly best: string; readonly count: number } | null = null;
    for (const best of (await this.byDate(commits)).reverse()) {
      const count = await this.count(...span(best));
      if (fewest === null || count < fewest.count) fewest = { best, count };
    }
    return fewest;
  }

  /** Lines of the answer; none where git ends with the status that says so. */
  async #ask(args: GitArguments, input: readonly string[] = [], none = 0): Promise<readonly string[]> {
    if (this.problem !== null) return [];
    const answer = await this.#repository.run(args, input.map(line => `${line}\n`).join(''));
    if (answer.ok) return lines(answer.bytes);
    if (none === 0 || answer.status !== none) this.problem = answer.problem;
    return [];
  }
}
