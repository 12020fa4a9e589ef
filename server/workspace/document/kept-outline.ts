// The outline of a text that is being edited: only what an edit touches is parsed again.
import { JavaDocument, type TextEdit } from '../../../grammar/document.ts';
import type { Outline } from '../../../grammar/outline.ts';

/** Remembers the text that was asked for last; the next one costs what differs from it. */
export class KeptOutline {
  readonly #file: string;
  #document: JavaDocument | null = null;

  /** @param file the document's name, path or URI, without which the class of a compact source file has no name. */
  constructor(file = '') {
    this.#file = file;
  }

  /** Equal to `outlineOf(text, file)`. */
  of(text: string): Outline {
    if (this.#document === null) this.#document = new JavaDocument(text, this.#file);
    else if (this.#document.text !== text) this.#document.edit(editBetween(this.#document.text, text));
    return this.#document.outline;
  }
}

/** The smallest single edit that makes `after` of `before`: clients may send many in one go, or whole texts. */
export function editBetween(before: string, after: string): TextEdit {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let same = 0;
  while (
    same < most - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same++;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}
