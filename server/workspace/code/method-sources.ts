// Compares the code of measured methods with the baseline's by the texts of both commits: what changed, where, and in which commit.
import { lineAt } from '../../../grammar/lines.ts';
import type { Declaration, Outline } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { printableName } from '../../base/printable.ts';
import type { Outcome } from '../../base/problem.ts';
import { PARTIAL_METHOD } from '../../cct/profile.ts';
import { plainClassName, topLevelClass } from '../../mapping/class-names.ts';
import { committedFiles } from '../../mapping/git/changed-files.ts';
import type { CommitInWords } from '../../mapping/git/git-repository.ts';
import { mapDocument } from '../../mapping/map-document.ts';
import type { OpenRepositories } from '../../mapping/recorded/open-repositories.ts';
import { textOnDisk } from '../../mapping/recorded/profiled-text.ts';
import { WORKTREE } from '../../mapping/recorded/recorded-code.ts';
import { textInCommit } from '../../mapping/recorded/recorded-text.ts';
import type { RepositoryTexts } from '../../mapping/recorded/repository-texts.ts';
import { TextComparer } from '../../mapping/stale/compare-texts.ts';
import type { TextComparison } from '../../mapping/stale/text-comparison.ts';
import type { Source } from '../data/source.ts';
import { KeptMapping } from '../document/kept-mapping.ts';
import { KeptOutline } from '../document/kept-outline.ts';
import { recordedIn } from './text-of-data.ts';

/** A method with less of all samples on both sides is in no list. */
const LEAST_SHARE = 0.001;
/** So many files are read; files of the hottest methods come first. */
const MOST_FILES = 200;
/** Larger texts are not compared: it is a single step. */
const LARGEST_TEXT = 400_000;
/** So many commits of a file are searched for the one that changed a method. */
const MOST_COMMITS = 50;

export type MethodSource = {
  /** `same`: only its place, its name or its layout is another one, if anything. */
  readonly change: 'same' | 'changed' | 'new';
  /** From the root of the repository. */
  readonly path: string;
  /** Lines from 1 on. */
  readonly line: number;
  readonly endLine: number;
};

/** Full hashes. */
type ComparedCommits = {
  readonly before: string;
  readonly now: string;
  /** The texts of now are those of the files that are checked out, with or without what is not committed. */
  readonly isWorktree: boolean;
};

/** By row of the shown method table: hot methods whose texts git has in both commits. */
export type MethodSources = {
  readonly commits: ComparedCommits;
  readonly ofMethod: ReadonlyMap<number, MethodSource>;
};

/** null where git does not have the commits of both sides, or they are one. */
export async function methodSources(
  repositories: OpenRepositories,
  source: Source,
  data: LoadedData,
  baseline: LoadedData,
): Promise<MethodSources | null> {
  const texts = await textsOf(repositories, source);
  const commitOf = async (each: LoadedData) => (await repositories.commitOf(recordedIn(source, each))).value?.hash;
  const [now, before] = [await commitOf(data), await commitOf(baseline)];
  const isWorktree = recordedIn(source, data).versions.join() === WORKTREE;
  if (texts === null || now === undefined || before === undefined || (now === before && !isWorktree)) return null;
  const commits = { before, now, isWorktree };
  const ofMethod = new Map<number, MethodSource>();
  for (const className of hotClasses(data)) {
    const path = await texts.fileOfClass(now, className);
    if (path === null) continue;
    for (const [row, found] of await sourcesInFile(texts, path, commits, data)) ofMethod.set(row, found);
  }
  return { commits, ofMethod };
}

async function textsOf(repositories: OpenRepositories, { wish }: Source): Promise<RepositoryTexts | null> {
  return wish.repository === undefined ? null : (await repositories.at(wish.repository)).texts;
}

/** Top-level classes of hot methods, hottest first. */
function hotClasses({ values: { total }, analysis, profile: { methods } }: LoadedData): string[] {
  const least = Math.max(Number.MIN_VALUE, LEAST_SHARE * analysis.whole.weight);
  const hot: number[] = [];
  for (let row = PARTIAL_METHOD + 1; row < total.weight.length; row++) if (total.weight[row]! >= least) hot.push(row);
  hot.sort((a, b) => total.weight[b]! - total.weight[a]!);
  const classOf = (row: number) => topLevelClass(plainClassName(methods.strings[methods.className[row]!]!));
  return [...new Set(hot.map(classOf))].slice(0, MOST_FILES);
}

async function sourcesInFile(
  texts: RepositoryTexts,
  file: string,
  commits: ComparedCommits,
  { classes }: LoadedData,
): Promise<(readonly [number, MethodSource])[]> {
  const text = await textNow(texts, file, commits);
  if (text === null || text.length > LARGEST_TEXT) return [];
  const outline = outlineOf(text, file);
  const placed = mapDocument(outline, classes).declarations.filter(({ onlyLines }) => onlyLines === undefined);
  if (placed.length === 0) return [];
  const onScreen = {
    path: texts.repository.fileOf(file),
    text,
    outline: new KeptOutline(file),
    mapping: new KeptMapping(),
  };
  const { value } = await textInCommit(onScreen, texts, { commit: commits.before, committed: false }, () => new Map());
  if (value === null || (value.profiled.text?.length ?? 0) > LARGEST_TEXT) return [];
  const { comparison, moved } = new KeptMapping(value.profiled).of(text, outline, classes);
  return placed.flatMap(({ declaration, methods }) => {
    const found = placeOf(outline, outline.declarations[declaration]!);
    const change = changeOf(declaration, comparison, moved);
    return methods.map(row => [row, { change, path: file, ...found }] as const);
  });
}

async function textNow(
  { repository }: RepositoryTexts,
  file: string,
  { now, isWorktree }: ComparedCommits,
): Promise<string | null> {
  return isWorktree ? textOnDisk(repository.fileOf(file)) : (await repository.textAt(now, file)).value;
}

function changeOf(
  row: number,
  comparison: TextComparison | null,
  moved: readonly { readonly comparison: TextComparison }[],
): MethodSource['change'] {
  if (comparison === null) return 'same';
  const own =
    comparison.profiledRow(row) >= 0
      ? comparison
      : moved.find(each => each.comparison.profiledRow(row) >= 0)?.comparison;
  const state = own?.stateOf(row) ?? 'new';
  return state === 'new' || state === 'changed' ? state : 'same';
}

function placeOf({ lineStarts }: Outline, { nameSpan, span }: Declaration): Pick<MethodSource, 'line' | 'endLine'> {
  return { line: lineAt(lineStarts, nameSpan.start), endLine: lineAt(lineStarts, Math.max(span.start, span.end - 1)) };
}

/** The latest commit between both sides that changed a method's code; null where git cannot tell, and of code that is not committed. */
export async function commitThatChanged(
  repositories: OpenRepositories,
  source: Source,
  commits: MethodSources['commits'],
  { path, line }: MethodSource,
): Promise<CommitInWords | null> {
  const texts = await textsOf(repositories, source);
  if (texts === null) return null;
  const { repository } = texts;
  const { before, now } = commits;
  const text = await textNow(texts, path, commits);
  if (text === null) return null;
  const outline = outlineOf(text, path);
  const wanted = outline.declarations.find(each => placeOf(outline, each).line === line && each.fingerprint !== '');
  if (wanted === undefined) return null;
  const codeIn = async (commit: string) => {
    const { value } = await repository.textAt(commit, path);
    if (value === null) return null;
    const { declarations } = outlineOf(value, path);
    const key = keyOf(outline.declarations, wanted);
    return declarations.find(each => keyOf(declarations, each) === key)?.fingerprint ?? null;
  };
  let code: string | null = wanted.fingerprint;
  if (commits.isWorktree && (await codeIn(now)) !== code) return null;
  for (const commit of await repository.commitsTouching(before, now, path, MOST_COMMITS)) {
    const words = await repository.commitInWords(commit);
    if (words === null) return null;
    const earlier: string | null = words.parent === null ? null : await codeIn(words.parent);
    if (earlier !== code) return words;
    code = earlier;
  }
  return null;
}

function keyOf(declarations: readonly Declaration[], { parent, name, parameters, kind }: Declaration): string {
  const types = parameters.map(({ type }) => `${type?.name}${type?.dimensions}`);
  return JSON.stringify([declarations[parent]?.binaryName, kind, name, types]);
}

/** A method that commits changed, and what stands behind it in data of production. */
export type CommittedChange = {
  readonly change: 'changed' | 'new' | 'gone';
  /** `Shop.search`; the class with its outer classes, without packages. */
  readonly name: string;
  /** Where it is after the commits; where it was before them for `gone`. */
  readonly path: string;
  readonly line: number;
  /** Rows of the method table; none where it did not run, or is new. */
  readonly methods: readonly number[];
};

/**
 * Methods whose code differs between two commits, with the rows of the data's methods that they were before.
 * @param before as a person writes it: a tag, a branch, a hash, `HEAD~2`. @returns null with what is wrong where git does not know a commit.
 */
export async function changedByCommits(
  repositories: OpenRepositories,
  source: Source,
  [before, now]: readonly [before: string, now: string],
  data: LoadedData,
): Promise<Outcome<readonly CommittedChange[] | null>> {
  const texts = await textsOf(repositories, source);
  if (texts === null) return nothing('there is no git repository here', 'run the command inside a clone');
  const { repository } = texts;
  const commits: string[] = [];
  for (const name of [before, now]) {
    const hash = await repository.commitNamed(name);
    if (hash === null) return nothing(`git knows no commit "${printableName(name)}"`, 'name a tag, a branch or a hash');
    commits.push(hash);
  }
  const [first, second] = commits as [string, string];
  const files = async (commit: string) => (await committedFiles(repository, commit)).value;
  const [old, young] = [await files(first), await files(second)];
  const hashBefore = new Map(old.map(({ path, hash }) => [path, hash]));
  const pathsNow = new Set(young.map(({ path }) => path));
  const found: CommittedChange[] = [];
  for (const { path, hash } of young)
    if (hashBefore.get(path) !== hash) found.push(...(await changesInFile(texts, path, [first, second], data)));
  for (const { path } of old)
    if (!pathsNow.has(path)) found.push(...(await changesInFile(texts, path, [first, second], data)));
  return { value: found, problems: [] };
}

function nothing(message: string, remedy: string): Outcome<null> {
  return { value: null, problems: [{ severity: 'error', message, remedy }] };
}

async function changesInFile(
  { repository }: RepositoryTexts,
  path: string,
  commits: readonly [string, string],
  { classes }: LoadedData,
): Promise<CommittedChange[]> {
  const [before, now] = [
    (await repository.textAt(commits[0], path)).value,
    (await repository.textAt(commits[1], path)).value,
  ];
  if ((before?.length ?? 0) > LARGEST_TEXT || (now?.length ?? 0) > LARGEST_TEXT) return [];
  const [profiled, current] = [outlineOf(before ?? '', path), outlineOf(now ?? '', path)];
  const ran = new Map(
    mapDocument(profiled, classes).declarations.map(({ declaration, methods }) => [declaration, methods] as const),
  );
  const comparison = new TextComparer(before ?? '', profiled).compare(now ?? '', current);
  if (comparison === null) return [];
  const told = (outline: Outline, row: number, change: CommittedChange['change'], then: number): CommittedChange => {
    const declaration = outline.declarations[row]!;
    const type = outline.declarations[declaration.parent]?.binaryName ?? '';
    const name = `${type.slice(type.lastIndexOf('.') + 1)}.${declaration.name}`;
    return { change, name, path, line: placeOf(outline, declaration).line, methods: ran.get(then) ?? [] };
  };
  const isCode = ({ kind }: Declaration) => kind === 'method' || kind === 'constructor';
  return [
    ...current.declarations.filter(isCode).flatMap(({ row }) => {
      const state = comparison.stateOf(row);
      return state === 'changed' || state === 'new' ? [told(current, row, state, comparison.profiledRow(row))] : [];
    }),
    ...profiled.declarations
      .filter(isCode)
      .flatMap(({ row }) => (comparison.currentRow(row) < 0 ? [told(profiled, row, 'gone', row)] : [])),
  ];
}
