// What mapping gives to features: which runtime methods stand behind each declaration of one open file, and how sure that is.
import type { Outline } from '../../grammar/outline.ts';

/** Why a runtime method was taken for a declaration, best first. */
export type Confidence = 'exact' | 'erased' | 'line' | 'name only' | 'header' | 'generated' | 'ambiguous';

/** The runtime methods behind one declaration: several when the compiler made more than one (bridges fold away earlier). */
export type MappedDeclaration = {
  /** Row in `outline.declarations`. */
  readonly declaration: number;
  /** Rows of the profile's method table; values over them are taken as one set. Sorted, never empty. */
  readonly methods: readonly number[];
  readonly confidence: Confidence;
  /** For `ambiguous`: the other declarations that fit as well. */
  readonly alternatives: readonly number[];
};

/** One file seen against one profile. */
export type DocumentMap = {
  readonly outline: Outline;
  readonly declarations: readonly MappedDeclaration[];
};
