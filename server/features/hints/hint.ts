// A hint as it stands in a document.
import type { HintContent } from './hint-content.ts';

/** A hint at its place. */
export type Hint = HintContent & {
  /** What it says, the same object as long as that and the data stay. */
  readonly content: HintContent;
  /** 1-based. */
  readonly line: number;
  /** UTF-16 units of the line's text, without its line break. */
  readonly character: number;
  /** Row in the outline's declarations. */
  readonly declaration: number;
  /** Where that declaration has its name. */
  readonly name: TextPlace;
};

/** As editors count: both from 0, in UTF-16 units. */
export type TextPlace = { readonly line: number; readonly character: number };
