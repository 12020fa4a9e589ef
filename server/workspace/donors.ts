// Texts of the profiled commit from which declarations have moved into an open document that did not have them.
import type { Outline } from '../../grammar/outline.ts';
import { outlineOf } from '../../grammar/parse.ts';
import { TextComparer } from '../mapping/stale/compare-texts.ts';
import { isNamedType } from '../mapping/stale/source-text.ts';

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

/** The file as a donor of declarations with one of the names; null where it has lost none of them. Compares at once. */
export function donorOf({ path, profiled, current }: DonorTexts, names: ReadonlySet<string>): Donor | null {
  if (profiled.length > LARGEST_DONOR || (current?.length ?? 0) > LARGEST_DONOR) return null;
  if (![...names].some(name => profiled.includes(name))) return null;
  const outline = outlineOf(profiled);
  const comparer = new TextComparer(profiled, outline);
  const gone = current === null ? everyRow(outline) : comparer.compare(current, outlineOf(current))?.gone;
  if (gone === undefined || gone.size === 0) return null;
  return { path, text: profiled, comparer, gone };
}

function everyRow({ declarations }: Outline): ReadonlySet<number> {
  return new Set(declarations.map(({ row }) => row));
}

/** Names of types and methods among `rows`: what may have moved here from elsewhere. */
export function namesOf({ declarations }: Outline, rows: ReadonlySet<number>): ReadonlySet<string> {
  const names = declarations.filter(one => rows.has(one.row) && (one.kind === 'method' || isNamedType(one)));
  return new Set(names.map(({ name }) => name));
}
