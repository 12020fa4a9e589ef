// The runtime methods behind a declaration of a document.
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';

export function entryOf({ mapped }: DocumentView, declaration: number): MappedDeclaration | null {
  const entries = mapped?.map.declarations ?? [];
  let low = 0;
  // They are sorted by declaration.
  for (let high = entries.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.declaration < declaration) low = middle + 1;
    else high = middle;
  }
  return entries[low]?.declaration === declaration ? entries[low]! : null;
}
