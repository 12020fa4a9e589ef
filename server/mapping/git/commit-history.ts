// The commits of a range in the order of history, and what each says of itself.
import type { Outcome, Problem } from '../../base/problem.ts';
import { wildcard } from '../../base/wildcard.ts';
import { type GitRepository, lines } from './git-repository.ts';

/** Which commits are meant. Merged branches count as one commit: their merge. */
export type CommitRange =
  | { readonly kind: 'between'; readonly from: string; readonly to: string }
  | { readonly kind: 'last'; readonly count: number }
  | { readonly kind: 'tags'; readonly pattern: string };

/** A commit as people know it. `author` and `subject` are text from outside. */
export type CommitAbout = {
  /** Full hash. */
  readonly hash: string;
  readonly author: string;
  readonly subject: string;
  readonly authoredMillis: number;
  /** The first tag of the range at it; null without one. */
  readonly tag: string | null;
};

/** More commits than these are a mistake. */
const MOST_COMMITS = 10_000;

/** Full hashes, the oldest first; a range has both its ends. null with a problem where there is no such commit. */
export async function commitsIn(
  repository: GitRepository,
  range: CommitRange,
): Promise<Outcome<readonly CommitAbout[] | null>> {
  const listed = await (range.kind === 'tags' ? taggedCommits(repository, range.pattern) : chain(repository, range));
  if (listed.value === null) return { value: null, problems: listed.problems };
  if (listed.value.length > MOST_COMMITS) return nothing(repository, `the range has more than ${MOST_COMMITS} commits`);
  return describeCommits(repository, listed.value);
}

type Listed = { readonly hash: string; readonly tag: string | null };

async function chain(
  repository: GitRepository,
  range: Exclude<CommitRange, { kind: 'tags' }>,
): Promise<Outcome<readonly Listed[] | null>> {
  const to = await commitNamed(repository, range.kind === 'last' ? 'HEAD' : range.to);
  if (to.value === null) return { value: null, problems: to.problems };
  const order = ['--first-parent', '--reverse'] as const;
  if (range.kind === 'last') return hashesOf(repository, [...order, `--max-count=${range.count}`, to.value]);
  const from = await commitNamed(repository, range.from);
  if (from.value === null) return { value: null, problems: from.problems };
  const after = await hashesOf(repository, [...order, `--max-count=${MOST_COMMITS + 1}`, `^${from.value}`, to.value]);
  if (after.value === null) return after;
  const isAncestor = (await repository.run(['merge-base', '--is-ancestor', from.value, to.value])).ok;
  if (!isAncestor) return nothing(repository, `${range.from} is not in the history of ${range.to}`);
  return { value: [{ hash: from.value, tag: null }, ...after.value], problems: [] };
}

async function hashesOf(
  repository: GitRepository,
  args: readonly string[],
): Promise<Outcome<readonly Listed[] | null>> {
  const answer = await repository.run(['rev-list', ...args]);
  if (!answer.ok) return { value: null, problems: [{ ...answer.problem, severity: 'error' }] };
  return { value: lines(answer.bytes).map(hash => ({ hash, tag: null })), problems: [] };
}

/** The commit that a name means to git: a branch, a tag, a hash, `HEAD~3`. */
export async function commitNamed(repository: GitRepository, name: string): Promise<Outcome<string | null>> {
  const args = ['--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const answer = await repository.run(['rev-parse', ...args]);
  // Some versions of git print the option that ends the others.
  const hash = answer.ok ? lines(answer.bytes).at(-1) : undefined;
  return hash === undefined ? nothing(repository, `git knows no commit ${name}`) : { value: hash, problems: [] };
}

async function taggedCommits(repository: GitRepository, pattern: string): Promise<Outcome<readonly Listed[] | null>> {
  const format = '--format=%(objecttype) %(*objecttype) %(objectname) %(*objectname) %(refname:strip=2)';
  const answer = await repository.run(['for-each-ref', '--sort=creatordate', format, 'refs/tags']);
  if (!answer.ok) return { value: null, problems: [{ ...answer.problem, severity: 'error' }] };
  const tags = lines(answer.bytes).flatMap(line => {
    const [type, peeledType, own, peeled, ...name] = line.split(' ');
    const hash = type === 'commit' ? own : peeledType === 'commit' ? peeled : undefined;
    return hash === undefined ? [] : [{ hash, tag: name.join(' ') }];
  });
  const isLike = wildcard(pattern);
  const wanted = tags.filter(({ tag }) => isLike(tag));
  if (wanted.length === 0) return nothing(repository, `no tag is like ${pattern}`);
  // Of several tags at one commit the first one names it.
  return {
    value: [...new Map(wanted.toReversed().map(each => [each.hash, each])).values()].toReversed(),
    problems: [],
  };
}

async function describeCommits(
  repository: GitRepository,
  listed: readonly Listed[],
): Promise<Outcome<readonly CommitAbout[] | null>> {
  const args = ['--stdin', '--no-walk=unsorted', '--format=%at%x09%an%x09%s'];
  const answer = await repository.run(['rev-list', ...args], listed.map(({ hash }) => `${hash}\n`).join(''));
  if (!answer.ok) return { value: null, problems: [{ ...answer.problem, severity: 'error' }] };
  const about = new Map<string, readonly string[]>();
  let hash = '';
  for (const line of lines(answer.bytes))
    if (/^commit [0-9a-f]{40,64}$/.test(line)) hash = line.slice('commit '.length);
    else about.set(hash, line.split('\t'));
  const value = listed.map(each => {
    const [seconds = '0', author = '', ...subject] = about.get(each.hash) ?? [];
    return { ...each, author, subject: subject.join('\t'), authoredMillis: Number(seconds) * 1000 };
  });
  return { value, problems: [] };
}

function nothing(repository: GitRepository, message: string): { value: null; problems: readonly Problem[] } {
  return { value: null, problems: [{ severity: 'error', message, file: repository.folder }] };
}
