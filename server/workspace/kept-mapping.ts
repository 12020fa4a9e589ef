// The mapping of an open document: of its profiled text, carried over to the text on screen, or of that itself.
import type { Outline } from '../../grammar/outline.ts';
import { outlineOf } from '../../grammar/parse.ts';
import type { ClassIndex } from '../mapping/class-index.ts';
import type { DocumentMap } from '../mapping/document-map.ts';
import { mapDocument } from '../mapping/map-document.ts';
import { carryOver } from '../mapping/stale/carry-over.ts';
import { TextComparer, type TextComparison } from '../mapping/stale/compare-texts.ts';
import { KeptMap } from './kept-map.ts';

export type Mapping = {
  readonly map: DocumentMap;
  /** What became of the profiled text; null where the text on screen is the profiled one or that is not known. */
  readonly comparison: TextComparison | null;
};

/** Remembers what the profiled text costs, and what was worked out for the last text. */
export class KeptMapping {
  readonly #profiledText: string | null;
  readonly #unknown = new KeptMap();
  #comparer: TextComparer | null = null;
  #profiled: { readonly classes: ClassIndex; readonly map: DocumentMap } | null = null;
  #last: { readonly outline: Outline; readonly comparison: TextComparison | null } | null = null;

  /** @param profiledText null where nobody knows it; the text on screen is mapped then. */
  constructor(profiledText: string | null = null) {
    this.#profiledText = profiledText;
  }

  of(text: string, outline: Outline, classes: ClassIndex): Mapping {
    if (this.#profiledText === null) return { map: this.#unknown.of(outline, classes), comparison: null };
    const isProfiled = text === this.#profiledText;
    this.#comparer ??= new TextComparer(this.#profiledText, isProfiled ? outline : outlineOf(this.#profiledText));
    const { profiled } = this.#comparer;
    if (this.#profiled?.classes !== classes) this.#profiled = { classes, map: mapDocument(profiled, classes) };
    const { map } = this.#profiled;
    if (this.#last?.outline !== outline) this.#last = { outline, comparison: this.#comparer.compare(text, outline) };
    const { comparison } = this.#last;
    return { map: comparison === null ? { ...map, outline } : carryOver(map, comparison), comparison };
  }
}
