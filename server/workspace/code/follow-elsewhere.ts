// Follows the hot methods that only one of two versions has by name through the texts of both, whether their files are open or not.
import { outlineOf } from '../../../grammar/parse.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { PARTIAL_METHOD } from '../../cct/profile.ts';
import { plainClassName, topLevelClass } from '../../mapping/class-names.ts';
import { KeptMapping } from '../document/kept-mapping.ts';
import { marksOf } from './donors.ts';
import { followMethods } from './followed-methods.ts';
import type { RenamedFrom, Renames } from './pairing.ts';
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

/**
 * What became of hot methods that the baseline does not have by name, and of all others in their files. What git cannot tell is left
 * to the names.
 * @param onProgress how many files of how many have been compared.
 */
export async function followElsewhere(
  texts: RepositoryTexts,
  shown: RecordedSide,
  baseline: RecordedSide,
  onProgress: (done: number, all: number) => void = () => {},
): Promise<Renames> {
  const renames = new Map<string, RenamedFrom>();
  if (shown.commit === baseline.commit) return renames;
  const classes = classesToFollow(shown.data, baseline.data);
  for (const [done, className] of classes.entries()) {
    onProgress(done, classes.length);
    const path = await texts.fileOfClass(shown.commit, className);
    if (path === null) continue;
    for (const [name, before] of await followFile(texts, path, shown, baseline)) renames.set(name, before);
  }
  return renames;
}

/** What became of the methods of a file, by its path in the shown commit. */
export async function followFile(
  texts: RepositoryTexts,
  path: string,
  shown: RecordedSide,
  baseline: RecordedSide,
): Promise<Renames> {
  const { value: text } = await texts.repository.textAt(shown.commit, path);
  if (shown.commit === baseline.commit || text === null || text.length > LARGEST_TEXT) return new Map();
  const profiled = await profiledIn(texts, baseline, path, text);
  if (profiled === null) return new Map();
  return followMethods({ text, file: path, classes: shown.data.classes }, { profiled, classes: baseline.data.classes });
}

/** What became the text of a file, and what it has from others, in an earlier commit; null where git does not tell. */
async function profiledIn(
  texts: RepositoryTexts,
  { commit, data }: RecordedSide,
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
  const profiled = { ...base, donors };
  return value === null && hasRun(data, path, text, profiled) ? null : profiled;
}

/** Whether some type of a text that came from no text of the commit was seen running there: it was generated, or never committed. */
function hasRun({ classes }: LoadedData, path: string, text: string, profiled: ProfiledText): boolean {
  const outline = outlineOf(text, path);
  const fresh = new KeptMapping(profiled).freshRows(text, outline);
  return outline.declarations.some(
    ({ row, binaryName }) => fresh.has(row) && binaryName !== '' && classes.rowsOfClass.get(binaryName) !== undefined,
  );
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
  const rows = other.classes.rowsOfClass.get(plainClassName(strings[className[row]!]!)) ?? [];
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
