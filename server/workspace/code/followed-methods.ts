// Which methods of a baseline those of the shown data have been, as far as two versions of a file's text tell: renamed, moved, new.
import { outlineOf } from '../../../grammar/parse.ts';
import type { MethodTable } from '../../cct/profile.ts';
import type { ClassIndex } from '../../mapping/class-index.ts';
import { mapDocument } from '../../mapping/map-document.ts';
import type { ProfiledText } from '../../mapping/recorded/profiled-text.ts';
import { KeptMapping } from '../document/kept-mapping.ts';

type Followed = {
  /** By row of the shown data: rows of the baseline, none for what was not there. */
  readonly rows: Map<number, readonly number[]>;
  /** How many texts have told. */
  texts: number;
};

/** Tables of methods outlive a change of focus, threads or metric. */
const followedOf = new WeakMap<MethodTable, WeakMap<MethodTable, Followed>>();

/**
 * Learns from one file's text in both versions, and from what it took over from other files of the earlier one, what became of its
 * methods. Methods in places that say nothing, such as fields, are left to their names. `file` is the name or path that the text has.
 */
export function followMethods(
  shown: { readonly text: string; readonly file?: string; readonly classes: ClassIndex },
  baseline: { readonly profiled: ProfiledText; readonly classes: ClassIndex },
): void {
  const outline = outlineOf(shown.text, shown.file);
  const mapping = new KeptMapping(baseline.profiled);
  const { map } = mapping.of(shown.text, outline, baseline.classes);
  const fresh = mapping.freshRows(shown.text, outline);
  const rowsBefore = new Map(map.declarations.map(entry => [entry.declaration, entry]));
  const followed = tableOf(shown.classes.methods, baseline.classes.methods);
  followed.texts++;
  for (const entry of mapDocument(outline, shown.classes).declarations) {
    const then = rowsBefore.get(entry.declaration);
    if (entry.onlyLines !== undefined || entry.confidence === 'ambiguous' || then?.confidence === 'ambiguous') continue;
    // What was there and did not run is found by no name either.
    if (then === undefined && !fresh.has(entry.declaration)) continue;
    for (const row of entry.methods) followed.rows.set(row, then?.methods ?? []);
  }
}

/** Rows of the baseline that a row of the shown data has been; undefined where no text told. */
export function followedRows(shown: MethodTable, baseline: MethodTable, row: number): readonly number[] | undefined {
  return followedOf.get(shown)?.get(baseline)?.rows.get(row);
}

/** How many texts have told so far: what was worked out from `followedRows` holds while this stays. */
export function followedTexts(shown: MethodTable, baseline: MethodTable): number {
  return followedOf.get(shown)?.get(baseline)?.texts ?? 0;
}

function tableOf(shown: MethodTable, baseline: MethodTable): Followed {
  const byBaseline = followedOf.get(shown) ?? new WeakMap<MethodTable, Followed>();
  followedOf.set(shown, byBaseline);
  const followed = byBaseline.get(baseline) ?? { rows: new Map(), texts: 0 };
  byBaseline.set(baseline, followed);
  return followed;
}
