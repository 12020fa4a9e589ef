// The mapping of an open document: of its profiled text, carried over to the text on screen, or of that itself.
import type { Outline } from '../../../grammar/outline.ts';
import { outlineOf, outlineSteps } from '../../../grammar/parse.ts';
import type { ClassIndex } from '../../mapping/class-index.ts';
import type { DocumentMap } from '../../mapping/document-map.ts';
import { mapDocument } from '../../mapping/map-document.ts';
import type { Donor } from '../../mapping/recorded/donors.ts';
import { openedText, type ProfiledText } from '../../mapping/recorded/profiled-text.ts';
import { carryAllOver, carryOver } from '../../mapping/stale/carry-over.ts';
import { TextComparer, type TextComparison } from '../../mapping/stale/compare-texts.ts';
import { KeptMap } from './kept-map.ts';

export type Mapping = {
  readonly map: DocumentMap;
  /** The map of the profiled text itself, whatever is on screen; `map` where that text is not known. */
  readonly recorded: DocumentMap;
  /** What became of the profiled text; null where the text on screen is the profiled one or that is not known. */
  readonly comparison: TextComparison | null;
  /** What has moved here from other files, by their paths in the commit; each declaration is found in one of them at most. */
  readonly moved: readonly { readonly path: string; readonly comparison: TextComparison }[];
  /** The known facts about the profiled text. */
  readonly profiled: ProfiledText;
  /** The committed text seen from both sides, where it is known. */
  readonly committed: Committed | null;
};

/** The text that is checked out: what became of the profiled one in it, and what of it on screen; null where they are equal. */
type Committed = {
  readonly fromProfiled: TextComparison | null;
  readonly toScreen: TextComparison | null;
};

type CommittedComparers = {
  readonly text: string;
  readonly comparer: TextComparer;
  readonly fromProfiled: TextComparison | null;
};

type Compared = {
  readonly outline: Outline;
  readonly comparison: TextComparison | null;
  readonly moved: readonly { readonly donor: Donor; readonly comparison: TextComparison }[];
};

/** What was prepared for a profiled text before the document had it. */
const comparers = new WeakMap<ProfiledText, TextComparer>();

/** Remembers what the profiled text costs, and what was worked out for the last text. */
export class KeptMapping {
  readonly #unknown = new KeptMap();
  readonly #profiled: ProfiledText;
  #comparer: TextComparer | null = null;
  #maps = new WeakMap<Outline, { readonly classes: ClassIndex; readonly map: DocumentMap }>();
  #last: Compared | null = null;
  #carried: { readonly map: DocumentMap; readonly comparison: TextComparison; readonly carried: DocumentMap } | null =
    null;
  #committed: { readonly outline: Outline; readonly found: Committed } | null = null;
  #committedComparers: CommittedComparers | null = null;

  constructor(profiled: ProfiledText = openedText(null)) {
    this.#profiled = profiled;
  }

  get profiled(): ProfiledText {
    return this.#profiled;
  }

  /** The same document with other knowledge of its profiled text; what was worked out for the same text stays. */
  knowing(profiled: ProfiledText): KeptMapping {
    const other = new KeptMapping(profiled);
    const isSame = profiled.text === this.#profiled.text;
    if (isSame) other.#maps = this.#maps;
    other.#comparer = (isSame ? this.#comparer : comparers.get(profiled)) ?? null;
    if (other.#comparer !== null) comparers.set(profiled, other.#comparer);
    return other;
  }

  of(text: string, outline: Outline, classes: ClassIndex): Mapping {
    const profiled = this.#profiled;
    if (profiled.text === null) {
      const map = this.#unknown.of(outline, classes);
      return { map, recorded: map, comparison: null, moved: [], profiled, committed: null };
    }
    const { comparison, moved } = this.#compared(text, outline);
    const committed = this.#committedOf(text, outline);
    const recorded = this.#mapOf(this.#comparerFor(text, outline).profiled, classes);
    if (comparison === null)
      return { map: { ...recorded, outline }, recorded, comparison, moved: [], profiled, committed };
    const parts = moved.map(({ donor, comparison }) => ({
      map: this.#mapOf(donor.comparer.profiled, classes),
      comparison,
    }));
    return {
      map:
        parts.length === 0
          ? this.#carriedOver(recorded, comparison)
          : carryAllOver([{ map: recorded, comparison }, ...parts], outline),
      recorded,
      comparison,
      moved: moved.map(({ donor, comparison }) => ({ path: donor.path, comparison })),
      profiled,
      committed,
    };
  }

  /** Does in small steps what takes longest in comparing the text with the profiled one; everything else is quick afterwards. */
  *prepare(text: string, outline: Outline): Generator<void, void, void> {
    const { text: profiledText, path } = this.#profiled;
    if (profiledText === null || this.#last?.outline === outline) return;
    if (this.#comparer === null && !this.#isProfiled(text, outline)) {
      const profiled = yield* outlineSteps(profiledText, path ?? outline.file);
      this.#comparer ??= new TextComparer(profiledText, profiled);
    }
    const comparer = this.#comparerFor(text, outline);
    yield;
    yield* comparer.prepare(text, outline);
    yield;
    this.#compared(text, outline);
  }

  /** Declarations on screen that neither the profiled text nor a donor has. Needs no data. */
  freshRows(text: string, outline: Outline): ReadonlySet<number> {
    if (this.#profiled.text === null) return new Set();
    const { comparison, moved } = this.#compared(text, outline);
    const fresh = new Set(comparison?.fresh);
    for (const each of moved) for (const row of fresh) if (each.comparison.profiledRow(row) >= 0) fresh.delete(row);
    return fresh;
  }

  #comparerFor(text: string, outline: Outline): TextComparer {
    const profiledText = this.#profiled.text ?? '';
    const file = this.#profiled.path ?? outline.file;
    this.#comparer ??= new TextComparer(
      profiledText,
      this.#isProfiled(text, outline) ? outline : outlineOf(profiledText, file),
    );
    comparers.set(this.#profiled, this.#comparer);
    return this.#comparer;
  }

  /** Whether the outline is that of the profiled text as well. */
  #isProfiled(text: string, outline: Outline): boolean {
    return text === this.#profiled.text && (this.#profiled.path ?? outline.file) === outline.file;
  }

  #compared(text: string, outline: Outline): Compared {
    if (this.#last?.outline === outline) return this.#last;
    const comparison = this.#comparerFor(text, outline).compare(text, outline);
    const moved: { donor: Donor; comparison: TextComparison }[] = [];
    const { donors } = this.#profiled;
    const fresh = new Set(donors.length === 0 ? [] : comparison?.fresh);
    for (const donor of donors) {
      if (fresh.size === 0) break;
      const found = donor.comparer.compareElsewhere(text, outline, { gone: donor.gone, fresh });
      const rows = [...fresh].filter(row => found.profiledRow(row) >= 0);
      if (rows.length > 0) moved.push({ donor, comparison: found });
      for (const row of rows) fresh.delete(row);
    }
    this.#last = { outline, comparison, moved };
    return this.#last;
  }

  /** The same entries as before where each declaration keeps its row. */
  #carriedOver(map: DocumentMap, comparison: TextComparison): DocumentMap {
    const known = this.#carried;
    const isSame = known !== null && known.map === map && comparison.keepsRowsOf(known.comparison);
    const carried = isSame ? { ...known.carried, outline: comparison.current } : carryOver(map, comparison);
    this.#carried = { map, comparison, carried };
    return carried;
  }

  #mapOf(outline: Outline, classes: ClassIndex): DocumentMap {
    const known = this.#maps.get(outline);
    if (known?.classes === classes) return known.map;
    const map = mapDocument(outline, classes);
    this.#maps.set(outline, { classes, map });
    return map;
  }

  #committedOf(text: string, outline: Outline): Committed | null {
    const { committed } = this.#profiled;
    if (committed === null) return null;
    if (this.#committed?.outline === outline) return this.#committed.found;
    if (this.#committedComparers?.text !== committed) {
      const committedOutline = outlineOf(committed, outline.file);
      // By a comparer of its own: the other one goes from one text on screen to the next.
      const { profiled } = this.#comparerFor(text, outline);
      const fromProfiled = new TextComparer(this.#profiled.text ?? '', profiled).compare(committed, committedOutline);
      const comparer = new TextComparer(committed, committedOutline);
      this.#committedComparers = { text: committed, comparer, fromProfiled };
    }
    const { comparer, fromProfiled } = this.#committedComparers;
    const found = { fromProfiled, toScreen: comparer.compare(text, outline) };
    this.#committed = { outline, found };
    return found;
  }
}
