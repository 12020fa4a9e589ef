// Follows the hot methods that only one of two versions has by name through the texts of both, whether their files are open or not.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { RenamedFrom, Renames } from '../../analysis/pairing.ts';
import { methodName } from '../../cct/method-names.ts';
import { PARTIAL_METHOD } from '../../cct/profile.ts';
import { rowsOfClass } from '../../mapping/class-index.ts';
import { plainClassName, topLevelClass } from '../../mapping/class-names.ts';
import type { OpenRepositories } from '../../mapping/recorded/open-repositories.ts';
import { hasRun, textInCommit } from '../../mapping/recorded/recorded-text.ts';
import type { RepositoryTexts } from '../../mapping/recorded/repository-texts.ts';
import type { Source } from '../data/source.ts';
import { KeptMapping } from '../document/kept-mapping.ts';
import { KeptOutline } from '../document/kept-outline.ts';
import { followMethods } from './followed-methods.ts';
import { recordedIn } from './text-of-data.ts';

/** A method with less of all samples moves no list. */
const LEAST_SHARE = 0.001;
/** At most so many files are looked into, the files of the hottest methods first. */
const MOST_FILES = 40;
/** Larger texts are not compared: it is a single step. */
const LARGEST_TEXT = 400_000;

/** Data, and the commit that they were recorded from. */
type RecordedSide = { readonly data: LoadedData; readonly commit: string };

/** How many files of how many have been compared. */
export type OnProgress = (done: number, all: number) => void;

/**
 * The earlier names of hot methods that the baseline does not have by name, and of all others in their files. Cases that git cannot tell are left
 * to the names.
 */
export async function followToBaseline(
  repositories: OpenRepositories,
  source: Source,
  data: LoadedData,
  baseline: LoadedData,
  onProgress: OnProgress = () => {},
): Promise<Renames> {
  const renames = new Map<string, RenamedFrom>();
  const { repository } = source.wish;
  const { texts } = repository === undefined ? { texts: null } : await repositories.at(repository);
  const commitOf = async (each: LoadedData) => (await repositories.commitOf(recordedIn(source, each))).value?.hash;
  const [commit, earlier] = [await commitOf(data), await commitOf(baseline)];
  if (texts === null || commit === undefined || earlier === undefined || commit === earlier) return renames;
  const classes = classesToFollow(data, baseline);
  for (const [done, className] of classes.entries()) {
    onProgress(done, classes.length);
    const path = await texts.fileOfClass(commit, className);
    if (path === null) continue;
    const found = await followFile(texts, path, { data, commit }, { data: baseline, commit: earlier });
    for (const [name, before] of found) renames.set(name, before);
  }
  return renames;
}

/**
 * The names of a file's methods in a baseline.
 * @param recorded its path in the commit of the data; that of the file where it is null.
 */
export async function followFileToBaseline(
  repositories: OpenRepositories,
  { path, recorded }: { readonly path: string; readonly recorded: string | null },
  source: Source,
  [data, baseline]: readonly [LoadedData, LoadedData],
): Promise<Renames> {
  const now = await repositories.placeOf(path, recordedIn(source, data));
  const then = await repositories.placeOf(path, recordedIn(source, baseline));
  if (now.repository === null || now.repository !== then.repository) return new Map();
  const inCommit = recorded ?? now.repository.repository.pathOf(path);
  if (inCommit === null) return new Map();
  const before = { data: baseline, commit: then.commit };
  return followFile(now.repository, inCommit, { data, commit: now.commit }, before);
}

async function followFile(
  texts: RepositoryTexts,
  file: string,
  shown: RecordedSide,
  baseline: RecordedSide,
): Promise<Renames> {
  if (shown.commit === baseline.commit) return new Map();
  const { value: text } = await texts.repository.textAt(shown.commit, file);
  if (text === null || text.length > LARGEST_TEXT) return new Map();
  const path = texts.repository.fileOf(file);
  const inCommit = { path, text, outline: new KeptOutline(file), mapping: new KeptMapping() };
  const recorded = { commit: baseline.commit, committed: false };
  // The checked-out version may be a third one.
  const { value } = await textInCommit(inCommit, texts.asOf(shown.commit), recorded, () => new Map());
  if (value === null || (value.profiled.text?.length ?? 0) > LARGEST_TEXT) return new Map();
  const { profiled, isInCommit } = value;
  const { classes } = baseline.data;
  if (!isInCommit && hasRun(inCommit, profiled, classes)) return new Map();
  return followMethods({ text, file, classes: shown.data.classes }, { profiled, classes });
}

/** Top-level classes of hot methods that the other data have nothing of, by name; hottest first. */
function classesToFollow(shown: LoadedData, baseline: LoadedData): string[] {
  const { total } = shown.values;
  const least = Math.max(Number.MIN_VALUE, LEAST_SHARE * shown.analysis.whole.weight);
  const hot: number[] = [];
  for (let row = PARTIAL_METHOD + 1; row < total.weight.length; row++)
    if (total.weight[row]! >= least && !hasByName(shown, row, baseline)) hot.push(row);
  hot.sort((a, b) => total.weight[b]! - total.weight[a]!);
  return [...new Set(hot.map(row => topLevelOf(shown, row)))].slice(0, MOST_FILES);
}

function hasByName({ profile: { methods } }: LoadedData, row: number, other: LoadedData): boolean {
  const { className, name, descriptor } = methodName(methods, row);
  return rowsOfClass(other.classes, plainClassName(className)).some(each => {
    const their = methodName(other.profile.methods, each);
    return their.name === name && their.descriptor === descriptor;
  });
}

function topLevelOf({ profile: { methods } }: LoadedData, row: number): string {
  return topLevelClass(plainClassName(methods.strings[methods.className[row]!]!));
}
