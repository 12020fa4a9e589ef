// Writes the files of a commit into a folder of their own, as a repository that shares the objects of another: the other is only read.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../base/problem.ts';
import { type GitRepository, lines } from './git-repository.ts';
import { type GitAnswer, type GitSurroundings, runGitInOwnFolder } from './run-git.ts';

/**
 * Makes `folder` and checks out a commit in it, with HEAD at that commit. No hook and no filter of the repository runs; submodules stay
 * empty.
 * @param commit full hash.
 * @param folder absolute; nothing stands there yet, else this throws. Throws what the system says where it cannot be written to.
 * @returns null, or why the commit could not be written.
 */
export async function makeWorktree(
  repository: GitRepository,
  commit: string,
  folder: string,
  surroundings: GitSurroundings,
): Promise<Problem | null> {
  const asked = await repository.run(['rev-parse', '--path-format=absolute', '--git-path', 'objects']);
  if (!asked.ok) return flaw(asked);
  const [objects = ''] = lines(asked.bytes);
  mkdirSync(folder, { mode: 0o700 });
  const format = commit.length === 64 ? ['--object-format=sha256'] : [];
  const made = await runGitInOwnFolder(folder, ['init', '--quiet', '--template=', ...format], surroundings);
  if (!made.ok) return flaw(made);
  const own = join(folder, '.git');
  mkdirSync(join(own, 'objects', 'info'), { recursive: true });
  writeFileSync(join(own, 'objects', 'info', 'alternates'), `${objects}\n`);
  const tags = await repository.run(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/tags']);
  // A command that asks for the nearest tag finds it here too.
  if (tags.ok) writeFileSync(join(own, 'packed-refs'), tags.bytes);
  writeFileSync(join(own, 'HEAD'), `${commit}\n`);
  const written = await runGitInOwnFolder(folder, ['read-tree', '-m', '-u', commit], surroundings);
  return written.ok ? null : flaw(written);
}

function flaw({ problem }: Extract<GitAnswer, { ok: false }>): Problem {
  return { ...problem, severity: 'error', message: `the commit cannot be checked out: ${problem.message}` };
}
