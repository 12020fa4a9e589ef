// Methods whose code differs between two commits, and what they were in data of production.
import { lineAt } from '../../../grammar/lines.ts';
import type { Declaration, Outline } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { printableName } from '../../base/printable.ts';
import type { Outcome } from '../../base/problem.ts';
import type { DocumentMap } from '../../mapping/document-map.ts';
import { committedFiles } from '../../mapping/git/changed-files.ts';
import type { CommitInWords } from '../../mapping/git/git-repository.ts';
import { mapDocument } from '../../mapping/map-document.ts';
import type { RepositoryTexts } from '../../mapping/recorded/repository-texts.ts';
import { CodeHistory, type CommitSpan } from './code-history.ts';
import { comparedFile, LARGEST_TEXT } from './compared-file.ts';

/** A method that commits changed, and its methods in the data of production. */
type CommittedChange = {
  readonly change: 'changed' | 'new' | 'gone';
  /** `Shop.search`; the class with its outer classes, without packages. */
  readonly name: string;
  /** Its path after the commits; for `gone`, its path before them. */
  readonly path: string;
  readonly line: number;
  /** Rows of the method table; none where it did not run, or is new. */
  readonly methods: readonly number[];
};

export type CommittedChanges = {
  readonly methods: readonly CommittedChange[];
  /** The latest of the commits that changed a method; null where git cannot tell. */
  commitOf(method: CommittedChange): Promise<CommitInWords | null>;
};

/**
 * Methods whose code differs between two commits, with the rows of the data's methods that they were before. A method that only
 * moved, also to another file, or was renamed is not among them.
 * @param before as a person writes it: a tag, a branch, a hash, `HEAD~2`. @returns null with what is wrong where git does not know a commit.
 */
export async function changedByCommits(
  texts: RepositoryTexts | null,
  [before, now]: readonly [before: string, now: string],
  data: LoadedData,
): Promise<Outcome<CommittedChanges | null>> {
  if (texts === null) return nothing('there is no git repository here', 'run the command inside a clone');
  const { repository } = texts;
  const commits: string[] = [];
  for (const name of [before, now]) {
    const hash = await repository.commitNamed(name);
    if (hash === null) return nothing(`git knows no commit "${printableName(name)}"`, 'name a tag, a branch or a hash');
    commits.push(hash);
  }
  const [first, second] = commits as [string, string];
  const span = { before: first, now: second };
  const history = new CodeHistory(texts, data.classes);
  const commitOf = async ({ change, path, line }: CommittedChange) => {
    const { value } = await repository.textAt(change === 'gone' ? first : second, path);
    return value === null ? null : history.latestChange(span, outlineOf(value, path), { path, line });
  };
  return { value: { methods: await changesIn(texts, span, data), commitOf }, problems: [] };
}

function nothing(message: string, remedy: string): Outcome<null> {
  return { value: null, problems: [{ severity: 'error', message, remedy }] };
}

async function changesIn(
  texts: RepositoryTexts,
  { before, now }: CommitSpan,
  { classes }: LoadedData,
): Promise<readonly CommittedChange[]> {
  const { repository } = texts;
  const [old, young] = [
    (await committedFiles(repository, before)).value,
    (await committedFiles(repository, now)).value,
  ];
  const [hashBefore, hashNow] = [old, young].map(files => new Map(files.map(({ path, hash }) => [path, hash])));
  const found: CommittedChange[] = [];
  /** Declarations of the earlier commit that are still there, as row and path. */
  const kept = new Set<string>();
  const notCompared = new Set<string>();
  for (const { path, hash } of young) {
    if (hashBefore!.get(path) === hash) continue;
    const { value: text } = await repository.textAt(now, path);
    const compared = text === null ? null : await comparedFile(texts.asOf(now), { path, text }, before, classes);
    if (compared === null) {
      notCompared.add(path);
      continue;
    }
    for (const { row } of compared.outline.declarations.filter(isCode)) {
      const was = compared.was(row);
      if (was !== null) kept.add(`${was.row} ${was.path}`);
      if (was === null) found.push(told(path, compared, row, 'new'));
      else if (was.state === 'changed') found.push(told(path, compared, row, 'changed'));
    }
  }
  for (const { path, hash } of old) {
    if (hashNow!.get(path) === hash || notCompared.has(path)) continue;
    const { value: text } = await repository.textAt(before, path);
    if (text === null || text.length > LARGEST_TEXT) continue;
    const outline = outlineOf(text, path);
    const gone = outline.declarations.filter(each => isCode(each) && !kept.has(`${each.row} ${path}`));
    if (gone.length === 0) continue;
    const map = mapDocument(outline, classes);
    for (const { row } of gone) found.push(told(path, { outline, map }, row, 'gone'));
  }
  return found;
}

function isCode({ kind }: Declaration): boolean {
  return kind === 'method' || kind === 'constructor';
}

function told(
  path: string,
  { outline, map }: { readonly outline: Outline; readonly map: DocumentMap },
  row: number,
  change: CommittedChange['change'],
): CommittedChange {
  const declaration = outline.declarations[row]!;
  const type = outline.declarations[declaration.parent]?.binaryName ?? '';
  return {
    change,
    name: `${type.slice(type.lastIndexOf('.') + 1)}.${declaration.name}`,
    path,
    line: lineAt(outline.lineStarts, declaration.nameSpan.start),
    methods: map.declarations.findLast(({ declaration }) => declaration === row)?.methods ?? [],
  };
}
