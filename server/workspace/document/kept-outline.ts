// The outline of a text that is being edited: only what an edit touches is parsed again.
import { JavaDocument } from '../../../grammar/document.ts';
import type { Outline } from '../../../grammar/outline.ts';
import { type Parsed, parseSteps, resultOf } from '../../../grammar/parse.ts';
import { preparations } from '../../../grammar/pieces.ts';
import { editBetween } from './edit-between.ts';

type Parsing = { readonly text: string; readonly steps: Generator<void, Parsed, void> };

/** A longer body is parsed in steps, with the rest of its text: at once it would take longer than a step may. */
const MOST_AT_ONCE = 100_000;

/** Remembers the text that was asked for last; the next one costs what differs from it. */
export class KeptOutline {
  readonly #file: string;
  /** The text that the document was made of: the document itself would put its text together anew after each edit. */
  #text = '';
  #document: JavaDocument | null = null;
  /** A text that is being parsed in steps, by one caller or several. */
  #parsing: Parsing | null = null;

  /** @param file the document's name, path or URI, without which the class of a compact source file has no name. */
  constructor(file = '') {
    this.#file = file;
  }

  /** Equal to `outlineOf(text, file)`. */
  of(text: string): Outline {
    return this.#withoutParsing(text)?.outline ?? this.#take(text, resultOf(this.#stepsFor(text).steps)).outline;
  }

  /** Does in small steps what `of` costs, which is quick afterwards for the same text. */
  *prepare(text: string): Generator<void, void, void> {
    if (this.#withoutParsing(text, MOST_AT_ONCE) !== null) return;
    for (const prepare of this.#document === null ? preparations : []) {
      prepare();
      yield;
    }
    // Another text that was asked for meanwhile counts as the last one.
    for (const parsing = this.#stepsFor(text); this.#parsing === parsing; ) {
      const { done, value } = parsing.steps.next();
      if (done === true) this.#take(text, value);
      else yield;
    }
  }

  /** The document with this text where that need not be parsed as a whole; null where it has to be. */
  #withoutParsing(text: string, most: number = Number.POSITIVE_INFINITY): JavaDocument | null {
    if (this.#document === null) return null;
    if (this.#text !== text && !this.#document.editInside(editBetween(this.#text, text), most)) return null;
    this.#parsing = null;
    this.#text = text;
    return this.#document;
  }

  #stepsFor(text: string): Parsing {
    if (this.#parsing?.text !== text) this.#parsing = { text, steps: parseSteps(text, this.#file) };
    return this.#parsing;
  }

  #take(text: string, parsed: Parsed): JavaDocument {
    this.#parsing = null;
    this.#text = text;
    this.#document = new JavaDocument(text, this.#file, parsed);
    return this.#document;
  }
}
