// The outline of a text that is being edited: only what an edit touches is parsed again.
import { JavaDocument, type TextEdit } from '../../../grammar/document.ts';
import type { Outline } from '../../../grammar/outline.ts';

/** Remembers the text that was asked for last; the next one costs what differs from it. */
export class KeptOutline {
  readonly #file: string;
  /** What the document was made of: asked for its own text, it would put that together anew after each edit. */
  #text = '';
  #document: JavaDocument | null = null;

  /** @param file the document's name, path or URI, without which the class of a compact source file has no name. */
  constructor(file = '') {
    this.#file = file;
  }

  /** Equal to `outlineOf(text, file)`. */
  of(text: string): Outline {
    if (this.#document === null) this.#document = new JavaDocument(text, this.#file);
    else if (this.#text !== text) this.#document.edit(editBetween(this.#text, text));
    this.#text = text;
    return this.#document.outline;
  }
}

/** Compared at once, which is far quicker than one unit after the other. */
const BLOCK = 4_096;

/** The smallest single edit that makes `after` of `before`: clients may send many in one go, or whole texts. */
export function editBetween(before: string, after: string): TextEdit {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start + BLOCK <= most && before.slice(start, start + BLOCK) === after.slice(start, start + BLOCK))
    start += BLOCK;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  const behind = (text: string, same: number) => text.slice(text.length - same - BLOCK, text.length - same);
  let same = 0;
  while (same + BLOCK <= most - start && behind(before, same) === behind(after, same)) same += BLOCK;
  while (
    same < most - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same++;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}
