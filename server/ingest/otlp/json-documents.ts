// Joins the lines of JSON documents to objects, which may go over several lines or stand in an array.

/** Characters of an object that memory is planned for. */
const MOST_CHARACTERS = 64 << 20;
/** Marks that decide where an object ends: brackets outside of texts, and the ends of texts. */
const MARK = /[{}"]|\\./gs;

/** An object in the lines so far: its `text`, whole or without an end (`isBroken`), and its first line. */
type FoundObject = { readonly text: string; readonly line: number; readonly isBroken: boolean };

/** The outermost objects of documents, whatever stands between them. */
export class JsonDocuments {
  #pieces: string[] = [];
  #length = 0;
  #depth = 0;
  #isText = false;
  #firstLine = 0;

  /** Whether an object has begun that has not ended. */
  get isOpen(): boolean {
    return this.#depth > 0;
  }

  /** The objects that end in a line. */
  push(line: string, number: number): FoundObject[] {
    const found: FoundObject[] = [];
    // Where a line begins as an object does, the object before it is cut off.
    if (this.#depth > 0 && /^\{\s*"resource/.test(line)) found.push(...this.end());
    let from = this.#depth > 0 ? 0 : -1;
    for (const { 0: mark, index } of line.matchAll(MARK)) {
      if (mark === '"') this.#isText = this.#depth > 0 && !this.#isText;
      else if (this.#isText || mark.startsWith('\\')) continue;
      else if (mark === '{' && this.#depth++ === 0) {
        from = index;
        this.#firstLine = number;
      } else if (mark === '}' && this.#depth > 0 && --this.#depth === 0) {
        found.push({ ...this.#take(line.slice(from, index + 1)), isBroken: false });
        from = -1;
      }
    }
    if (from >= 0 && this.#length <= MOST_CHARACTERS) {
      const piece = line.slice(from);
      this.#pieces.push(piece);
      this.#length += piece.length + 1;
    }
    return found;
  }

  /** The object that has no end; none where all have one. */
  end(): FoundObject[] {
    if (this.#depth === 0) return [];
    this.#depth = 0;
    this.#isText = false;
    return [{ ...this.#take(''), isBroken: true }];
  }

  #take(last: string): Pick<FoundObject, 'text' | 'line'> {
    const text = this.#length > MOST_CHARACTERS ? '' : [...this.#pieces, last].join('\n');
    this.#pieces = [];
    this.#length = 0;
    return { text, line: this.#firstLine };
  }
}
