// Follows the methods of one file between two versions, as far as both texts tell: renamed, moved, new.
import { outlineOf } from '../../../grammar/parse.ts';
import { pairKey, type RenamedFrom, type Renames } from '../../analysis/pairing.ts';
import { methodName } from '../../cct/method-names.ts';
import type { ClassIndex } from '../../mapping/class-index.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { mapDocument } from '../../mapping/map-document.ts';
import type { ProfiledText } from '../../mapping/recorded/profiled-text.ts';
import { KeptMapping } from '../document/kept-mapping.ts';

/**
 * Compares one file's text in both versions, and what it took over from other files of the earlier one. Methods in places that say
 * nothing, such as fields, are left to their names. `file` is the name or path that the text has.
 */
export function followMethods(
  shown: { readonly text: string; readonly file?: string; readonly classes: ClassIndex },
  baseline: { readonly profiled: ProfiledText; readonly classes: ClassIndex },
): Renames {
  const outline = outlineOf(shown.text, shown.file);
  const mapping = new KeptMapping(baseline.profiled);
  const { map } = mapping.of(shown.text, outline, baseline.classes);
  const fresh = mapping.freshRows(shown.text, outline);
  const rowsBefore = new Map(map.declarations.map(entry => [entry.declaration, entry]));
  const renames = new Map<string, RenamedFrom>();
  const ran = mapDocument(outline, shown.classes).declarations;
  const seen = new Set(ran.map(({ declaration }) => declaration));
  const namesOf = ({ methods }: MappedDeclaration) => methods.map(row => methodName(baseline.classes.methods, row));
  // A method that lives on and does not run now is paired with no running one; its key is the key of no method.
  for (const [row, then] of rowsBefore) if (!seen.has(row)) renames.set(`${shown.file}#${row}`, namesOf(then));
  for (const entry of ran) {
    const then = rowsBefore.get(entry.declaration);
    if (entry.onlyLines !== undefined || entry.confidence === 'ambiguous' || then?.confidence === 'ambiguous') continue;
    // A method that was there and did not run is found by no name either.
    if (then === undefined && !fresh.has(entry.declaration)) continue;
    const before = then === undefined ? [] : namesOf(then);
    for (const row of entry.methods) renames.set(pairKey(methodName(shown.classes.methods, row)), before);
  }
  return renames;
}
