// Follows the hot methods that only one of two versions has by name through the texts of both, whether their files are open or not.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { PARTIAL_METHOD } from '../../cct/profile.ts';
import { rowsOfClass } from '../../mapping/class-index.ts';
import { plainClassName, topLevelClass } from '../../mapping/class-names.ts';
import type { OpenRepositories } from '../../mapping/recorded/open-repositories.ts';
import { textInCommit } from '../../mapping/recorded/recorded-text.ts';
import type { Source } from '../data/source.ts';
import { KeptMapping } from '../document/kept-mapping.ts';
import { KeptOutline } from '../document/kept-outline.ts';
import { followMethods } from './followed-methods.ts';
import { recordedIn } from './text-of-data.ts';

/** A method with less of all samples moves no list. */
const LEAST_SHARE = 0.001;
/** So many files are looked into, those of the hottest methods first. */
const MOST_FILES = 40;
/** Larger texts are not compared: it is a single step. */
const LARGEST_TEXT = 400_000;

/** Learns what `followedRows` tells of methods that the baseline does not have by name. What git cannot tell is left to the names. */
export async function followToBaseline(
  repositories: OpenRepositories,
  source: Source,
  data: LoadedData,
  baseline: LoadedData,
): Promise<void> {
  const { repository } = source.wish;
  const { texts } = repository === undefined ? { texts: null } : await repositories.at(repository);
  const commitOf = async (each: LoadedData) => (await repositories.commitOf(recordedIn(source, each))).value?.hash;
  const [commit, earlier] = [await commitOf(data), await commitOf(baseline)];
  if (texts === null || commit === undefined || earlier === undefined || commit === earlier) return;
  for (const className of classesToFollow(data, baseline)) {
    const file = await texts.fileOfClass(commit, className);
    if (file === null) continue;
    const text = (await texts.repository.textAt(commit, file)).value;
    if (text === null || text.length > LARGEST_TEXT) continue;
    const path = texts.repository.fileOf(file);
    const inCommit = { path, text, outline: new KeptOutline(file), mapping: new KeptMapping() };
    const recorded = { commit: earlier, committed: false };
    const profiled = (await textInCommit(inCommit, texts, recorded, () => new Map())).value?.profiled;
    if (profiled === undefined || (profiled.text?.length ?? 0) > LARGEST_TEXT) continue;
    followMethods({ text, file, classes: data.classes }, { profiled, classes: baseline.classes });
  }
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
  const { strings, className, name, descriptor } = methods;
  const rows = rowsOfClass(other.classes, plainClassName(strings[className[row]!]!));
  const theirs = other.profile.methods;
  const text = (of: typeof methods, at: number) => (at < 0 ? '' : of.strings[at]!);
  return rows.some(
    each =>
      theirs.strings[theirs.name[each]!] === strings[name[row]!] &&
      text(theirs, theirs.descriptor[each]!) === text(methods, descriptor[row]!),
  );
}

function topLevelOf({ profile: { methods } }: LoadedData, row: number): string {
  return topLevelClass(plainClassName(methods.strings[methods.className[row]!]!));
}
