// The runtime methods behind a declaration of a document.
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';

export function entryOf(document: DocumentView, declaration: number): MappedDeclaration | null {
  return document.mapped?.map.declarations.find(entry => entry.declaration === declaration) ?? null;
}
