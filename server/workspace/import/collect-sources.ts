// Fingerprints of the sources that a recording's classes were built from: of the commit that its version names, or of a folder that the user names.
import type { DistinctProblems } from '../../base/problem.ts';
import { readRegularLater } from '../../base/regular-file.ts';
import { PARTIAL_METHOD, type Profile } from '../../cct/profile.ts';
import { plainClassName, topLevelClass } from '../../mapping/class-names.ts';
import { openRepository } from '../../mapping/git/git-repository.ts';
import { recordedCommit } from '../../mapping/recorded/recorded-code.ts';
import { RepositoryTexts } from '../../mapping/recorded/repository-texts.ts';
import { textOfBytes } from '../../mapping/source-text/java-text.ts';
import { FILE_BYTES_MAX, walkSources } from '../../mapping/source-walk.ts';
import { fingerprintsOf } from '../../mapping/stale/source-fingerprints.ts';
import type { Execution } from '../../model/execution.ts';
import type { SourceFile } from '../../snapshot/source-section.ts';

/** Where the text of the recorded sources may be found. */
export type SourcesAt = {
  /** Root of the repository that versions are commits of; null outside git. */
  readonly repository: string | null;
  readonly tagPattern: string | null;
  /** Absolute path of the sources that were built, as the user vouches; null where the user does not. */
  readonly folder: string | null;
};

/** Files that are looked into, the files of the most heavily sampled classes first. */
const MOST_FILES = 1_000;
/** Larger texts are left out. */
const LARGEST_TEXT = 1_000_000;

/** Empty where the recorded text is not known for certain. What of a folder is left out is said in `problems`. */
export async function collectSources(
  profile: Profile,
  { program, version }: Execution,
  { repository, tagPattern, folder }: SourcesAt,
  problems: DistinctProblems,
): Promise<SourceFile[]> {
  const classes = hottestClasses(profile);
  if (folder !== null) return fromTexts(classes, textsBelow(folder, problems));
  const opened = repository === null ? null : (await openRepository(repository)).value;
  if (opened === null) return [];
  const texts = new RepositoryTexts(opened);
  try {
    const { value: commit } = await recordedCommit(texts, { program, versions: [version] }, tagPattern);
    if (commit === null) return [];
    return await fromTexts(classes, async name => {
      const path = await texts.fileOfClass(commit, name);
      return path === null ? null : (await texts.repository.textAt(commit, path)).value;
    });
  } finally {
    texts.close();
  }
}

async function fromTexts(
  classes: readonly string[],
  textOf: (className: string) => Promise<string | null>,
): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const name of classes) {
    const text = await textOf(name);
    if (text !== null && text.length <= LARGEST_TEXT)
      files.push(fingerprintsOf(text, `${name.slice(name.lastIndexOf('.') + 1)}.java`));
  }
  return files;
}

/** By the end of their paths; several files with the same end do not tell which of them was built. */
function textsBelow(folder: string, problems: DistinctProblems): (className: string) => Promise<string | null> {
  const byName = new Map<string, string[]>();
  for (const file of walkSources([folder], problems)) {
    if (file === null) continue;
    const path = file.path.replaceAll('\\', '/');
    const name = path.slice(path.lastIndexOf('/') + 1);
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  return async className => {
    const end = `/${className.replaceAll('.', '/')}.java`;
    const named = byName.get(end.slice(end.lastIndexOf('/') + 1)) ?? [];
    const [path, ...others] = named.filter(each => each.endsWith(end));
    if (path === undefined || others.length > 0) return null;
    return readRegularLater(path, FILE_BYTES_MAX).then(
      bytes => textOfBytes(path, bytes),
      () => null,
    );
  };
}

/** Top-level classes by the number of samples that were taken in them. */
function hottestClasses({ methods, cells, tree }: Profile): string[] {
  const samples = new Map<string, number>();
  for (let row = PARTIAL_METHOD + 1; row < methods.length; row++) samples.set(topLevelClass(nameOf(methods, row)), 0);
  for (const { length, node, count } of cells)
    for (let at = 0; at < length; at++) {
      const row = tree.method[node[at]!]!;
      if (row <= PARTIAL_METHOD) continue;
      const name = topLevelClass(nameOf(methods, row));
      samples.set(name, (samples.get(name) ?? 0) + count[at]!);
    }
  const named = [...samples].filter(([name]) => name !== '' && !/^(?:java|jdk|sun)\./.test(name));
  return named
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_FILES)
    .map(([name]) => name);
}

function nameOf({ strings, className }: Profile['methods'], row: number): string {
  return plainClassName(strings[className[row]!]!);
}
