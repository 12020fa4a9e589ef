// The mapping of an open document: of its profiled text, carried over to the text on screen, or of that itself.
import type { Outline } from '../../../grammar/outline.ts';
import { outlineFrom, outlineOf, parseSteps } from '../../../grammar/parse.ts';
import type { ClassIndex } from '../../mapping/class-index.ts';
import type { DocumentMap } from '../../mapping/document-map.ts';
import { mapDocument } from '../../mapping/map-document.ts';
import { indexOutline } from '../../mapping/outline-index.ts';
import type { Donor } from '../../mapping/recorded/donors.ts';
import { openedText, type ProfiledText } from '../../mapping/recorded/profiled-text.ts';
import { carryAllOver, carryOver } from '../../mapping/stale/carry-over.ts';
import { TextComparer } from '../../mapping/stale/compare-texts.ts';
import type { TextComparison } from '../../mapping/stale/text-comparison.ts';
import { KeptMap } from './kept-map.ts';

export type Mapping = {
  readonly map: DocumentMap;
  /** The map of the profiled text itself, not of the one on screen; `map` where that text is not known. */
  readonly recorded: DocumentMap;
  /** The comparison with the profiled text; null where the text on screen is the profiled one, or the profiled one is not known. */
  readonly comparison: TextComparison | null;
  /** The declarations that have moved here from other files, by their paths in the commit; each is found in one of them at most. */
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

/** A comparison of which donors are left to be looked in, for rows that are in none so far. */
type Begun = Compared & {
  readonly moved: { readonly donor: Donor; readonly comparison: TextComparison }[];
  readonly fresh: Set<number>;
  readonly left: Donor[];
};

/** The comparers that were prepared for a profiled text before the document had it. */
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
  /** The outline and classes of the last preparation. */
  #mapped: { readonly outline: Outline; readonly classes: ClassIndex } | null = null;

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

  /** Does in small steps what `of` costs, which is quick afterwards; without classes, what comparing the texts costs. */
  *prepare(text: string, outline: Outline, classes: ClassIndex | null = null): Generator<void, void, void> {
    const isMapped = classes === null || this.#mapped?.classes === classes;
    if (isMapped && this.#mapped?.outline === outline) return;
    const { text: profiledText, path, committed } = this.#profiled;
    if (profiledText !== null && this.#last?.outline !== outline) {
      if (this.#comparer === null && !this.#isProfiled(text, outline)) {
        const file = path ?? outline.file;
        const profiled = outlineFrom(profiledText, file, yield* parseSteps(profiledText, file));
        yield;
        this.#comparer ??= new TextComparer(profiledText, profiled);
      }
      yield;
      for (const stage of this.#comparerFor(text, outline).stagesTo(text, outline))
        do yield;
        while (stage());
      const compared = this.#withoutDonors(text, outline);
      do {
        const [donor] = compared.left;
        for (const stage of donor?.comparer.stagesElsewhere(text, outline, {
          gone: donor.gone,
          fresh: compared.fresh,
        }) ?? [])
          do yield;
          while (stage());
        yield;
      } while (this.#lookInDonor(text, compared));
    }
    if (profiledText !== null && committed !== null && this.#committed?.outline !== outline) {
      if (this.#committedComparers?.text !== committed) {
        const known = outlineFrom(committed, outline.file, yield* parseSteps(committed, outline.file));
        const comparer = this.#forCommitted(text, outline);
        for (const stage of comparer.stagesTo(committed, known))
          do yield;
          while (stage());
        this.#knowCommitted(committed, known, comparer);
      }
      for (const stage of this.#committedComparers!.comparer.stagesTo(text, outline))
        do yield;
        while (stage());
    }
    if (classes === null) return;
    const sides =
      this.#last === null
        ? []
        : [this.#comparerFor(text, outline), ...this.#last.moved.map(({ donor }) => donor.comparer)];
    for (const { profiled } of sides) {
      yield;
      indexOutline(profiled);
      yield;
      this.#mapOf(profiled, classes);
    }
    yield;
    this.of(text, outline, classes);
    this.#mapped = { outline, classes };
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
    const compared = this.#withoutDonors(text, outline);
    while (this.#lookInDonor(text, compared));
    return compared;
  }

  #withoutDonors(text: string, outline: Outline): Begun {
    const comparison = this.#comparerFor(text, outline).compare(text, outline);
    const { donors } = this.#profiled;
    const fresh = new Set(donors.length === 0 ? [] : comparison?.fresh);
    return { outline, comparison, moved: [], fresh, left: [...donors] };
  }

  /** Finds what has come from the next donor; false where nothing is left to be found, and all is kept. */
  #lookInDonor(text: string, compared: Begun): boolean {
    const { outline, fresh, moved, left } = compared;
    const donor = fresh.size === 0 ? undefined : left.shift();
    if (donor === undefined) {
      this.#last = compared;
      return false;
    }
    const found = donor.comparer.compareElsewhere(text, outline, { gone: donor.gone, fresh });
    const rows = [...fresh].filter(row => found.profiledRow(row) >= 0);
    if (rows.length > 0) moved.push({ donor, comparison: found });
    for (const row of rows) fresh.delete(row);
    return true;
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
    if (this.#committedComparers?.text !== committed)
      this.#knowCommitted(committed, outlineOf(committed, outline.file), this.#forCommitted(text, outline));
    const { comparer, fromProfiled } = this.#committedComparers!;
    const found = { fromProfiled, toScreen: comparer.compare(text, outline) };
    this.#committed = { outline, found };
    return found;
  }

  /** Compares the profiled text with the committed one: a comparer that goes from one text on screen to the next is another one. */
  #forCommitted(text: string, outline: Outline): TextComparer {
    return new TextComparer(this.#profiled.text ?? '', this.#comparerFor(text, outline).profiled);
  }

  #knowCommitted(text: string, outline: Outline, fromProfiled: TextComparer): void {
    const comparer = new TextComparer(text, outline);
    this.#committedComparers = { text, comparer, fromProfiled: fromProfiled.compare(text, outline) };
  }
}
