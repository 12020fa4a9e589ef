// The map of a profiled text, carried over to the declarations of the text on screen.
import type { Outline } from '../../../grammar/outline.ts';
import type { DocumentMap, MappedDeclaration } from '../document-map.ts';
import type { TextComparison } from './text-comparison.ts';

/**
 * The map with rows of the current outline. Declarations that are gone are left out. `onlyLines` stay lines of the profiled text,
 * which is what numbers are counted by.
 */
export function carryOver(map: DocumentMap, comparison: TextComparison): DocumentMap {
  return carryAllOver([{ map, comparison }], comparison.current);
}

/** The same from several profiled texts at once, each with its own map, into one current text. */
export function carryAllOver(
  parts: readonly { readonly map: DocumentMap; readonly comparison: TextComparison }[],
  outline: Outline,
): DocumentMap {
  const declarations: MappedDeclaration[] = [];
  const declarationOfMethod = new Map<number, number>();
  for (const { map, comparison } of parts) {
    for (const entry of map.declarations) {
      const declaration = comparison.currentRow(entry.declaration);
      if (declaration < 0) continue;
      const alternatives = entry.alternatives.map(row => comparison.currentRow(row)).filter(row => row >= 0);
      declarations.push({ ...entry, declaration, alternatives });
    }
    for (const [method, row] of map.declarationOfMethod) {
      const declaration = comparison.currentRow(row);
      if (declaration >= 0) declarationOfMethod.set(method, declaration);
    }
  }
  declarations.sort((a, b) => a.declaration - b.declaration);
  return { outline, declarations, declarationOfMethod };
}
