// The mapping of a text that is being edited: it stays while nothing changes that decides which method stands where.

import type { Outline } from '../../../grammar/outline.ts';
import type { ClassIndex } from '../../mapping/class-index.ts';
import type { DocumentMap } from '../../mapping/document-map.ts';
import { mapDocument } from '../../mapping/map-document.ts';
import { mapsAlike } from './maps-alike.ts';

/** Remembers the mapping that was asked for last. */
export class KeptMap {
  #classes: ClassIndex | null = null;
  #map: DocumentMap | null = null;

  /** Equal to `mapDocument(outline, classes)`. */
  of(outline: Outline, classes: ClassIndex): DocumentMap {
    const known = this.#classes === classes ? this.#map : null;
    if (known !== null && mapsAlike(known.outline, outline)) this.#map = { ...known, outline };
    else this.#map = mapDocument(outline, classes);
    this.#classes = classes;
    return this.#map;
  }
}
