// Compares the code of measured methods with the baseline's by the texts of both commits: what changed, where, and in which commit.
import { lineAt } from '../../../grammar/lines.ts';
import type { Declaration, Outline } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { PARTIAL_METHOD } from '../../cct/profile.ts';
import { plainClassName, topLevelClass } from '../../mapping/class-names.ts';
import type { CommitInWords } from '../../mapping/git/git-repository.ts';
import { mapDocument } from '../../mapping/map-document.ts';
import type { OpenRepositories } from '../../mapping/recorded/open-repositories.ts';
import { textOnDisk } from '../../mapping/recorded/profiled-text.ts';
import { WORKTREE } from '../../mapping/recorded/recorded-code.ts';
import type { RepositoryTexts } from '../../mapping/recorded/repository-texts.ts';
import type { Source } from '../data/source.ts';
import { type CodeCalls, callsIn } from './code-calls.ts';
import { CodeHistory } from './code-history.ts';
import { comparedFile, LARGEST_TEXT } from './compared-file.ts';
import { recordedIn } from './text-of-data.ts';

/** A method with less of all samples on both sides is in no list. */
const LEAST_SHARE = 0.001;
/** So many files are read; files of the hottest methods come first. */
const MOST_FILES = 200;

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
  /** The present texts are the texts of the checked-out files, with or without changes that are not committed. */
  readonly isWorktree: boolean;
};

/** By row of the shown method table: hot methods whose texts git has in both commits. */
export type MethodSources = {
  readonly commits: ComparedCommits;
  readonly ofMethod: ReadonlyMap<number, MethodSource>;
  /** Calls in methods whose code changed, by row of the shown method table. */
  readonly calledBy: ReadonlyMap<number, CodeCalls>;
  readonly history: CodeHistory;
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
  const calledBy = new Map<number, CodeCalls>();
  for (const className of hotClasses(data)) {
    const path = await texts.fileOfClass(now, className);
    if (path === null) continue;
    for (const { row, source: found, called } of await sourcesInFile(texts, path, commits, data)) {
      ofMethod.set(row, found);
      if (called !== null) calledBy.set(row, called);
    }
  }
  return { commits, ofMethod, calledBy, history: new CodeHistory(texts, data.classes) };
}

export async function textsOf(repositories: OpenRepositories, { wish }: Source): Promise<RepositoryTexts | null> {
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
  path: string,
  commits: ComparedCommits,
  { classes }: LoadedData,
): Promise<SourceOfRow[]> {
  const text = await textNow(texts, path, commits);
  if (text === null || text.length > LARGEST_TEXT) return [];
  const outline = outlineOf(text, path);
  const placed = mapDocument(outline, classes).declarations.filter(({ onlyLines }) => onlyLines === undefined);
  if (placed.length === 0) return [];
  // The checked-out version may be a third one.
  const shown = commits.isWorktree ? texts : texts.asOf(commits.now);
  const compared = await comparedFile(shown, { path, text }, commits.before, classes);
  if (compared === null) return [];
  return placed.flatMap(({ declaration, methods }) => {
    const found = placeOf(outline, outline.declarations[declaration]!);
    const was = compared.was(declaration);
    const state = was?.state ?? 'new';
    const change = state === 'new' || state === 'changed' ? state : 'same';
    const called =
      was === null || change !== 'changed'
        ? null
        : { before: callsIn(was.text, was.outline, was.row), now: callsIn(text, outline, declaration) };
    return methods.map(row => ({ row, source: { change, path, ...found }, called }));
  });
}

type SourceOfRow = { readonly row: number; readonly source: MethodSource; readonly called: CodeCalls | null };

async function textNow(
  { repository }: RepositoryTexts,
  file: string,
  { now, isWorktree }: ComparedCommits,
): Promise<string | null> {
  return isWorktree ? textOnDisk(repository.fileOf(file)) : (await repository.textAt(now, file)).value;
}

function placeOf({ lineStarts }: Outline, { nameSpan, span }: Declaration): Pick<MethodSource, 'line' | 'endLine'> {
  return { line: lineAt(lineStarts, nameSpan.start), endLine: lineAt(lineStarts, Math.max(span.start, span.end - 1)) };
}

/** The latest commit between both sides that changed a method's code; null where git cannot tell, and of code that is not committed. */
export async function commitThatChanged(
  repositories: OpenRepositories,
  source: Source,
  { commits, history }: MethodSources,
  { path, line }: MethodSource,
): Promise<CommitInWords | null> {
  const texts = await textsOf(repositories, source);
  const text = texts === null ? null : await textNow(texts, path, commits);
  if (text === null) return null;
  const outline = outlineOf(text, path);
  const wanted = outline.declarations.find(each => placeOf(outline, each).line === line && each.fingerprint !== '');
  if (wanted === undefined) return null;
  const isCommitted =
    !commits.isWorktree || (await history.codeAt(commits.now, outline, path, line)) === wanted.fingerprint;
  return isCommitted ? history.latestChange(commits, outline, { path, line }) : null;
}
