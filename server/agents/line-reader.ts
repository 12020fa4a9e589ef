// Cuts bytes into lines, and keeps only the identifier of the request of a line that is too long.

/** Characters and places of a message are few beside a text that it carries. */
export const MOST_LINE_MIB = 10;
const MOST_LINE_BYTES = MOST_LINE_MIB * 2 ** 20;
/** Bytes at the begin and at the end of a line that is too long, where clients write the identifier. */
const END_BYTES = 512;

/** A line that was not kept; `id` as far as its request is known. */
export type LongLine = { readonly id: string | number | null };

const ID = String.raw`"id"\s*:\s*(\d{1,15}|"(?:[^"\\]|\\.)*")`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
/** Identifier in the first or second field of the message. */
const FIRST_ID = new RegExp(String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?${ID}`);
/** Identifier in the last field or the last but one. Quotes within a text are escaped, and no other brace follows that of the message. */
const LAST_ID = new RegExp(String.raw`(?<!\\)${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`);

export class LineReader {
  #parts: Buffer[] = [];
  #length = 0;

  /** Lines that end within these bytes. */
  *read(chunk: Buffer): Generator<string | LongLine> {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#add(chunk.subarray(start, end));
      yield* this.end();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  /** The line that has begun; none where it is empty. */
  *end(): Generator<string | LongLine> {
    const [line, length] = [Buffer.concat(this.#parts).toString('utf8'), this.#length];
    this.#parts = [];
    this.#length = 0;
    if (length > MOST_LINE_BYTES) yield { id: idOf(line) };
    else if (line.trim() !== '') yield line;
  }

  #add(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
    if (this.#length <= MOST_LINE_BYTES) return;
    const all = Buffer.concat(this.#parts);
    this.#parts = [Buffer.from(all.subarray(0, END_BYTES)), Buffer.from(all.subarray(-END_BYTES))];
  }
}

function idOf(ends: string): LongLine['id'] {
  const found = FIRST_ID.exec(ends)?.[1] ?? LAST_ID.exec(ends)?.[1];
  return found === undefined ? null : (JSON.parse(found) as string | number);
}
