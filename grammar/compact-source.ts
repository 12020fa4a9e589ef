// Compact source files (JLS 8.1.8): what has members without a class around them is the body of a class called after the file.
import { isType } from './binary-names.ts';
import { Draft, type Sheet } from './draft.ts';
import { isLineBreak } from './lines.ts';

/** Words that Java keeps for itself, so that no class has their name. */
const RESERVED = new Set(
  `abstract assert boolean break byte case catch char class const continue default do double else enum extends false final
  finally float for goto if implements import instanceof int interface long native new null package private protected public
  return short static strictfp super switch synchronized this throw throws transient true try void volatile while _`.split(
    /\s+/,
  ),
);

/** Name of the class that a compact source file of this name or path stands for; null where it cannot be one. */
function classOfFile(file: string): string | null {
  const name = /(?:^|[\\/])([^\\/]+)\.java$/.exec(file)?.[1]?.normalize('NFC');
  if (name === undefined || RESERVED.has(name)) return null;
  return /^[\p{L}\p{Nl}\p{Pc}\p{Sc}][\p{L}\p{Nl}\p{Pc}\p{Sc}\p{Mn}\p{Mc}\p{Nd}]*$/u.test(name) ? name : null;
}

/**
 * Puts the implicit class around what was found at top level, where the compiler would: a method `main` stands there, in the
 * unnamed package. A text with a type of that name is taken for an ordinary file that is being edited, although the compiler would
 * put that type into another of its name. `isBroken` says that braces do not match: members of a class may then seem to stand
 * outside of it, but these are indented.
 */
export function encloseCompact(sheet: Sheet, file: string, text: string, isBroken: boolean): void {
  const name = sheet.packageName === '' ? classOfFile(file) : null;
  if (name === null) return;
  const top = sheet.drafts.filter(draft => draft.owner === null);
  const isMain = (draft: Draft) =>
    draft.kind === 'method' && draft.name === 'main' && !(isBroken && isIndented(text, draft.start));
  const isNamesake = (draft: Draft) => isType(draft) && draft.name === name;
  if (!top.some(isMain) || top.some(isNamesake)) return;
  const implicit = new Draft(
    'class',
    null,
    top.reduce((first, { start }) => Math.min(first, start), text.length),
  );
  implicit.name = name;
  implicit.end = top.reduce((last, { end }) => Math.max(last, end), 0);
  implicit.bodyStart = implicit.start;
  implicit.bodyEnd = implicit.end;
  for (const draft of top) draft.owner = implicit;
  sheet.drafts.unshift(implicit);
}

function isIndented(text: string, start: number): boolean {
  return start > 0 && !isLineBreak(text.charCodeAt(start - 1));
}
