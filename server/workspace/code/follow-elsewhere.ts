// Follows the hot methods that only one of two versions has by name through the texts of both, whether their files are open or not.

import { outlineOf } from '../../../grammar/parse.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { PARTIAL_METHOD } from '../../cct/profile.ts';
import { rowsOfClass } from '../../mapping/class-index.ts';
import { plainClassName, topLevelClass } from '../../mapping/class-names.ts';
import { KeptMapping } from '../document/kept-mapping.ts';
import { marksOf } from './donors.ts';
import { followMethods } from './followed-methods.ts';
import type { ProfiledText } from './profiled-text.ts';
import type { RepositoryTexts } from './repository-texts.ts';

/** Data and the commit that they were recorded from. */
type RecordedSide = { readonly data: LoadedData; readonly commit: string };

/** A method with less of all samples moves no list. */
const LEAST_SHARE = 0.001;
/** So many files are looked into, those of the hottest methods first. */
const MOST_FILES = 40;
/** Larger texts are not compared: it is a single step. */
const LARGEST_TEXT = 400_000;

/** Learns what `followedRows` tells of methods that the baseline does not have by name. What git cannot tell is left to the names. */
export async function followElsewhere(
  texts: RepositoryTexts,
  shown: RecordedSide,
  baseline: RecordedSide,
): Promise<void> {
  if (shown.commit === baseline.commit) return;
  for (const className of classesToFollow(shown.data, baseline.data)) {
    const path = await texts.fileOfClass(shown.commit, className);
    if (path === null) continue;
    const text = (await texts.repository.textAt(shown.commit, path)).value;
    if (text === null || text.length > LARGEST_TEXT) continue;
    const profiled = await profiledIn(texts, baseline.commit, path, text);
    if (profiled === null) continue;
    followMethods({ text, file: path, classes: shown.data.classes }, { profiled, classes: baseline.data.classes });
  }
}

/** What became the text of a file, and what it has from others, in an earlier commit. */
async function profiledIn(
  texts: RepositoryTexts,
  commit: string,
  path: string,
  text: string,
): Promise<ProfiledText | null> {
  const file = texts.repository.fileOf(path);
  const { value, problems } = await texts.textOf(commit, file, text);
  if (problems.length > 0 || (value?.text.length ?? 0) > LARGEST_TEXT) return null;
  const base: ProfiledText = {
    text: value?.text ?? '',
    from: 'commit',
    commit: { hash: commit, dateMillis: null },
    path: value === null || value.path === path ? null : value.path,
    donors: [],
    changedElsewhere: new Set(),
    committed: null,
    problem: null,
  };
  const outline = outlineOf(text, path);
  const marks = marksOf(text, outline, new KeptMapping(base).freshRows(text, outline));
  const donors = await texts.donorsFor(commit, file, value?.path ?? null, marks, new Map());
  return { ...base, donors };
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
