// The text of a file that was running when data were recorded: from git, else from what snapshots say, else the text that is there.
import type { Outline } from '../../../grammar/outline.ts';
import { inTurns } from '../../base/pause.ts';
import type { Outcome, Problem } from '../../base/problem.ts';
import { type ClassIndex, rowsOfClass } from '../class-index.ts';
import { type Marks, marksOf } from './donors.ts';
import type { OpenRepositories, RecordedIn } from './open-repositories.ts';
import { asOnScreen, openedText, type ProfiledText } from './profiled-text.ts';
import type { RepositoryTexts } from './repository-texts.ts';

/** Compares the texts of one file with its profiled text, and remembers what that costs. */
type Comparing = {
  /** The same file with another profiled text. */
  knowing(profiled: ProfiledText): Comparing;
  /** Does in small steps what takes longest. */
  prepare(text: string, outline: Outline): Iterable<void>;
  /** Declarations that neither the profiled text nor a donor has. */
  freshRows(text: string, outline: Outline): ReadonlySet<number>;
};

/** A file with its text on screen. */
export type FileOnScreen = {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly outline: { prepare(text: string): Iterable<void>; of(text: string): Outline };
  readonly mapping: Comparing;
};

/** The recorded text that is looked for. */
export type WantedText = RecordedIn & {
  /** The text that is checked out is wanted too. */
  readonly committed: boolean;
};

/** Where the recorded text is looked for. */
export type TextSources = {
  readonly repositories: OpenRepositories;
  /** A text that has what snapshots say of the recorded one; null where they say nothing of this file. */
  readonly standIn: (text: string, path: string) => Promise<string | null>;
  /** Present texts of open files by their absolute path; others are read from the disk. */
  readonly textsNow: () => ReadonlyMap<string, string>;
  /** Everything that ran. */
  readonly classes: ClassIndex;
  /** Stands for the recorded text where nothing is known of it; null for the text on screen. */
  readonly opened: string | null;
};

/** A profiled text, and by what its donors were looked for. */
type FoundText = { readonly profiled: ProfiledText; readonly marks: Marks };

/** The profiled text of a file: the states of its declarations follow from this text and the text on screen. A failure is in its `problem`. */
export async function recordedText(file: FileOnScreen, wanted: WantedText, sources: TextSources): Promise<FoundText> {
  const place = await sources.repositories.placeOf(file.path, wanted);
  if (place.repository === null) return standIn(file, sources, place.problem);
  const { repository, commit } = place;
  const { value, problems } = await textInCommit(file, repository, { ...wanted, commit }, sources.textsNow);
  if (value === null) return standIn(file, sources, problems[0] ?? null);
  if (value.isInCommit || !hasRun(file, value.profiled, sources.classes)) return value;
  // Generated, or built from files that were never committed.
  const message = `is not in commit ${commit.slice(0, 12)}, from which the data come`;
  const problem: Problem = { severity: 'info', message, file: file.path };
  return { profiled: openedText(sources.opened, problem), marks: [] };
}

/**
 * The text of a file in a commit, and what the file has from other files of it. The text is empty where nothing of the commit became
 * this file; null with a problem where git cannot tell.
 * @param textsNow present texts of open files by their absolute path; others are read from the disk.
 */
export async function textInCommit(
  file: FileOnScreen,
  texts: RepositoryTexts,
  { commit, committed }: { readonly commit: string; readonly committed: boolean },
  textsNow: () => ReadonlyMap<string, string>,
): Promise<Outcome<(FoundText & { readonly isInCommit: boolean }) | null>> {
  const { path, text } = file;
  const { value, problems } = await texts.textOf(commit, path, text);
  if (problems.length > 0) return { value: null, problems: problems.slice(0, 1) };
  const before = value?.path ?? null;
  const checkedOut = committed ? await texts.committedText(path, before) : null;
  const base: ProfiledText = {
    text: asOnScreen(text, value?.text ?? ''),
    from: 'commit',
    commit: { hash: commit, dateMillis: await texts.repository.dateOf(commit) },
    path: before === texts.repository.pathOf(path) ? null : before,
    donors: [],
    changedElsewhere: new Set(),
    committed: checkedOut === null ? null : asOnScreen(text, checkedOut),
    problem: null,
  };
  await inTurns(file.outline.prepare(text));
  const outline = file.outline.of(text);
  const comparing = file.mapping.knowing(base);
  await inTurns(comparing.prepare(text, outline));
  const marks = marksOf(text, outline, comparing.freshRows(text, outline));
  // Most files have nothing new, and need no list of all others.
  const donors = marks.length === 0 ? [] : await texts.donorsFor(commit, path, before, marks, textsNow());
  const profiled = { ...base, donors };
  comparing.knowing(profiled);
  return { value: { profiled, marks, isInCommit: value !== null }, problems: [] };
}

/** Without the recorded text: what the snapshots say of it, else the text that was opened. */
async function standIn(
  { path, text: screen }: FileOnScreen,
  { opened, standIn }: TextSources,
  problem: Problem | null,
): Promise<FoundText> {
  const text = await standIn(opened ?? screen, path);
  const profiled: ProfiledText =
    text === null ? openedText(opened, problem) : { ...openedText(text, problem), from: 'fingerprints' };
  return { profiled, marks: [] };
}

/** Whether some type of the file that came from no text of the commit was seen running: it was generated, or never committed. */
export function hasRun({ outline, mapping, text }: FileOnScreen, profiled: ProfiledText, classes: ClassIndex): boolean {
  const now = outline.of(text);
  const fresh = mapping.knowing(profiled).freshRows(text, now);
  return now.declarations.some(
    ({ row, binaryName }) => fresh.has(row) && binaryName !== '' && rowsOfClass(classes, binaryName).length > 0,
  );
}
