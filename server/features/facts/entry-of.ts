// The runtime methods behind a declaration of a document, and what was seen on its lines.
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { inRanges } from '../../mapping/observed-lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';

/** An entry for methods that no declaration was asked for. */
export function entryOfRows(methods: readonly number[]): MappedDeclaration {
  return { declaration: -1, methods, confidence: 'exact', alternatives: [] };
}

/** The facts on lines of the declaration: of a block, whose methods have further lines, a part of them. */
export function onOwnLines<T extends { readonly line: number }>(
  { onlyLines }: MappedDeclaration,
  seen: readonly T[],
): readonly T[] {
  return onlyLines === undefined ? seen : seen.filter(({ line }) => inRanges(onlyLines, line));
}

export function entryOf({ mapped }: DocumentView, declaration: number): MappedDeclaration | null {
  const entries = mapped?.map.declarations ?? [];
  let low = 0;
  // The entries are sorted by declaration.
  for (let high = entries.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.declaration < declaration) low = middle + 1;
    else high = middle;
  }
  return entries[low]?.declaration === declaration ? entries[low]! : null;
}
