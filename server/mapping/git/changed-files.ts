// Which files differ between a commit and what is checked out, as git's index has it, or another commit; and what a commit holds.
import type { Outcome } from '../../base/problem.ts';
import type { GitRepository } from './git-repository.ts';

/** One file that is not the same in the commit and in the index or later commit. Paths count from the root of the repository. */
export type ChangedFile = {
  readonly kind: 'added' | 'deleted' | 'modified' | 'renamed';
  /** In the commit; null for added ones. */
  readonly before: string | null;
  /** In the index or later commit; null for deleted ones. */
  readonly after: string | null;
};

/** A file of a commit with the hash of its contents. */
export type CommittedFile = { readonly path: string; readonly hash: string };

/**
 * Java files that differ between the commit and the index, or a later commit; git finds renamed files by their contents.
 * @param later null for the index.
 */
export async function changedFiles(
  repository: GitRepository,
  commit: string,
  later: string | null = null,
): Promise<Outcome<readonly ChangedFile[]>> {
  const form = ['--find-renames', '--name-status', '--ignore-submodules=all', '-z', commit];
  const answer = await repository.run(
    later === null ? ['diff-index', '--cached', ...form] : ['diff-tree', '-r', ...form, later],
  );
  if (!answer.ok) return { value: [], problems: [answer.problem] };
  const fields = fieldsOf(answer.bytes);
  const found: ChangedFile[] = [];
  for (let i = 0; i + 1 < fields.length; ) {
    const status = fields[i]!.charAt(0);
    const before = fields[i + 1]!;
    const isPair = status === 'R' || status === 'C';
    const after = isPair ? (fields[i + 2] ?? before) : before;
    i += isPair ? 3 : 2;
    if (status === 'R') found.push({ kind: 'renamed', before, after });
    else if (status === 'A' || status === 'C') found.push({ kind: 'added', before: null, after });
    else if (status === 'D') found.push({ kind: 'deleted', before, after: null });
    else found.push({ kind: 'modified', before, after });
  }
  return { value: found.filter(({ before, after }) => isJava(after ?? before ?? '')), problems: [] };
}

/** Java files of a commit, in the folder (with its subfolders unless `flat`), or in all. */
export async function committedFiles(
  repository: GitRepository,
  commit: string,
  folder: { readonly path: string; readonly flat: boolean } | null = null,
): Promise<Outcome<readonly CommittedFile[]>> {
  const recursive = folder?.flat === true ? [] : ['-r'];
  const path = folder === null || folder.path === '' ? [] : ['--', `${folder.path}/`];
  const answer = await repository.run(['ls-tree', ...recursive, '-z', '--full-tree', commit, ...path]);
  if (!answer.ok) return { value: [], problems: [answer.problem] };
  const value = fieldsOf(answer.bytes).flatMap(line => {
    const [, hash, name] = /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    return hash !== undefined && name !== undefined && isJava(name) ? [{ path: name, hash }] : [];
  });
  return { value, problems: [] };
}

/** The commit of a submodule that a commit names; null where there is none at that path. */
export async function submoduleCommit(repository: GitRepository, commit: string, path: string): Promise<string | null> {
  const answer = await repository.run(['ls-tree', '-z', '--full-tree', commit, '--', path]);
  if (!answer.ok) return null;
  const [line] = fieldsOf(answer.bytes);
  return /^160000 commit ([0-9a-f]+)\t/.exec(line ?? '')?.[1] ?? null;
}

function isJava(path: string): boolean {
  return path.endsWith('.java');
}

function fieldsOf(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .split('\0')
    .filter(field => field !== '');
}
