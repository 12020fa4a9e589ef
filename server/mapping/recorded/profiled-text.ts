// The known facts of the text that was running when a file's data were recorded, and the text that stands for it where none is known.
import type { Problem } from '../../base/problem.ts';
import { readRegular } from '../../base/regular-file.ts';
import { textOfBytes } from '../source-text/java-text.ts';
import { FILE_BYTES_MAX } from '../source-walk.ts';
import type { Donor } from './donors.ts';

/** A commit, for people to know it by. */
export type RecordedCommit = {
  /** Full hash. */
  readonly hash: string;
  /** When it was made, milliseconds since the epoch; null where that is not known. */
  readonly dateMillis: number | null;
};

/** The profiled text of one document. */
export type ProfiledText = {
  /** null where nothing stands for it but the text on screen, at every keystroke. */
  readonly text: string | null;
  /**
   * `commit`: the very text that was recorded, empty where the file was not there yet. `opened`: the text on disk when the document
   * was opened, which need not be the text that ran. `fingerprints`: a text made from the one on disk that has all that snapshots
   * say of the recorded one: which parts of it are equal, and where they stood.
   */
  readonly from: 'commit' | 'opened' | 'fingerprints';
  /** The commit that was recorded; null where it is not known. */
  readonly commit: RecordedCommit | null;
  /** Path in that commit where it is another than now. */
  readonly path: string | null;
  /** Texts of that commit from which declarations may have moved here. */
  readonly donors: readonly Donor[];
  /** Methods of other files that have changed since, as `methodKey` names them. */
  readonly changedElsewhere: ReadonlySet<string>;
  /** Text of the commit that is checked out; null where it is not asked for or not there. */
  readonly committed: string | null;
  /** Why the recorded text is not known and what to do; null where it is known. */
  readonly problem: Problem | null;
};

/** The text on disk; null where that is no plain file, too large or cannot be read. Asked once a document, when it is opened. */
export type TextOf = (path: string) => string | null;

export const textOnDisk: TextOf = path => {
  try {
    return textOfBytes(path, readRegular(path, FILE_BYTES_MAX));
  } catch {
    return null;
  }
};

/** Takes `text` for what was profiled, as long as that is not known. */
export function openedText(text: string | null, problem: Problem | null = null): ProfiledText {
  const nothing = { commit: null, path: null, donors: [], changedElsewhere: new Set<string>(), committed: null };
  return { text, from: 'opened', ...nothing, problem };
}

/**
 * The text as it would be on screen: git may keep line breaks in another form than the working tree, and an editor that takes a file in
 * Latin-1 for UTF-8 shows each of its other characters as U+FFFD.
 */
export function asOnScreen(screen: string, text: string): string {
  const isMisread = screen.includes('\ufffd') && !/[\x80-\xff]/.test(screen) && /^[\0-\xff]*$/.test(text);
  return withBreaksOf(screen, isMisread ? Buffer.from(text, 'latin1').toString('utf8') : text);
}

function withBreaksOf(screen: string, text: string): string {
  const [wanted = ''] = /\r\n?|\n/.exec(screen) ?? [];
  const isAlike = wanted === '' || BREAKS.every(each => each.test(screen) === each.test(text));
  return isAlike ? text : text.replaceAll(/\r\n?|\n/g, wanted);
}

/** The three forms of a line's end. */
const BREAKS: readonly RegExp[] = [/\r\n/, /\r(?!\n)/, /(?<!\r)\n/];
