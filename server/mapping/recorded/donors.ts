// Texts of the profiled commit from which declarations have moved into an open document that did not have them.
import type { Outline } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import { TextComparer } from '../stale/compare-texts.ts';
import { isNamedType } from '../stale/source-text.ts';

/** Another file as it was recorded. */
export type Donor = {
  /** In the commit, from the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly comparer: TextComparer;
  /** Rows of it that are not in the same file any more. */
  readonly gone: ReadonlySet<number>;
};

/** A file that may be a donor: its text in the commit and now; null now where it is gone. */
export type DonorTexts = { readonly path: string; readonly profiled: string; readonly current: string | null };

/** Larger files are left out: comparing one is a single step. */
const LARGEST_DONOR = 400_000;

/** The file as a donor; null where it has lost nothing. Compares at once. */
export function donorOf({ path, profiled, current }: DonorTexts): Donor | null {
  if (profiled.length > LARGEST_DONOR || (current?.length ?? 0) > LARGEST_DONOR) return null;
  const outline = outlineOf(profiled, path);
  const comparer = new TextComparer(profiled, outline);
  const gone = current === null ? everyRow(outline) : comparer.compare(current, outlineOf(current, path))?.gone;
  if (gone === undefined || gone.size === 0) return null;
  return { path, text: profiled, comparer, gone };
}

function everyRow({ declarations }: Outline): ReadonlySet<number> {
  return new Set(declarations.map(({ row }) => row));
}

/** By what a file is told that may have had a declaration: all words of one of the lists stand in it. */
export type Marks = readonly (readonly string[])[];

/** So many words tell a method that has another name now. */
const TELLING_WORDS = 3;

/** Marks of the types and methods among `rows`: their names, and for methods the longest words of their bodies. */
export function marksOf(text: string, { declarations }: Outline, rows: ReadonlySet<number>): Marks {
  return declarations.flatMap(one => {
    if (!rows.has(one.row) || (one.kind !== 'method' && !isNamedType(one))) return [];
    if (one.kind !== 'method' || one.body === null) return [[one.name]];
    const words = new Set(text.slice(one.body.start, one.body.end).match(/[A-Za-z_$][\w$]{3,}/g));
    const longest = [...words].sort((a, b) => b.length - a.length).slice(0, TELLING_WORDS);
    return longest.length < TELLING_WORDS ? [[one.name]] : [[one.name], longest];
  });
}

/** Whether a text has what some declaration is told by. */
export function hasMarks(text: string, marks: Marks): boolean {
  return marks.some(words => words.every(word => text.includes(word)));
}

/** Code that is gone from several files has no known origin. */
export function unambiguous(donors: readonly Donor[]): Donor[] {
  const count = new Map<string, number>();
  const keyOf = ({ comparer, text }: Donor, row: number) => {
    const { span, name, kind } = comparer.profiled.declarations[row]!;
    return `${kind} ${name} ${text.slice(span.start, span.end)}`;
  };
  for (const donor of donors)
    for (const row of donor.gone) count.set(keyOf(donor, row), (count.get(keyOf(donor, row)) ?? 0) + 1);
  return donors.map(donor => ({
    ...donor,
    gone: new Set([...donor.gone].filter(row => count.get(keyOf(donor, row)) === 1)),
  }));
}
