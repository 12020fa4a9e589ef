// Which commit the recorded program was built from, or why that is not known.
import type { Outcome, Problem } from '../../base/problem.ts';
import type { RepositoryTexts } from './repository-texts.ts';

/** The recorded versions of a program, several where they are shown as one. */
export type Recorded = { readonly program: string; readonly versions: readonly string[] };

/** The version of what was built from the files that are checked out, whether they are committed or not. */
export const WORKTREE = 'worktree';

/** Said of files without a repository. */
export const OUTSIDE_GIT: Problem = {
  severity: 'info',
  message: 'the file is in no git repository, which would tell what was recorded',
};

/**
 * Full hash of the commit that was recorded; null with one problem that says why it is not known.
 * Of the working tree it is the commit that is checked out.
 * @param tagPattern how tags of versions are called where not as usual.
 */
export async function recordedCommit(
  texts: RepositoryTexts,
  { program, versions }: Recorded,
  tagPattern: string | null,
): Promise<Outcome<string | null>> {
  const [version] = versions;
  if (versions.length !== 1 || version === undefined) {
    const list = versions.slice(0, 3).join(', ') + (versions.length > 3 ? ', …' : '');
    return unknown(`several versions are shown as one: ${list}`, 'choose one of them');
  }
  if (version === WORKTREE) {
    const head = await texts.repository.head();
    if (head !== null) return { value: head, problems: [] };
  }
  const { value, problems } = await texts.commitOfVersion(version, { program, tagPattern });
  if (value !== null) return { value, problems: [] };
  if (problems[0] !== undefined) return { value: null, problems: [problems[0]] };
  if (texts.repository.shallow)
    return unknown(
      `version ${version} is no commit and no tag in this shallow clone`,
      'git fetch --unshallow --tags gets the whole history',
    );
  return unknown(
    `version ${version} is no commit and no tag in this repository`,
    'tag the commit that it was built from, or set "tagPattern" in insitu.json',
  );
}

function unknown(message: string, remedy: string): Outcome<null> {
  return { value: null, problems: [{ severity: 'info', message, remedy }] };
}
