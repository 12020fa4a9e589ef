// Cuts a stream of the protocol into its messages without changing a byte of them, and says when no message can be found in it any more.
import { printable } from '../../base/printable.ts';

/** One message as it came: header and body. */
export type Frame = {
  readonly bytes: Buffer;
  /** Where the body begins in `bytes`. */
  readonly bodyStart: number;
};

type SplitterOptions = {
  readonly onFrame: (frame: Frame) => void;
  /** Bytes between messages, such as warnings that a JVM prints. Where absent, nothing may stand there, and such bytes break the stream. */
  readonly onJunk?: (bytes: Buffer) => void;
  /** Where the next message begins cannot be known any more, and nothing that follows is read: `reason` goes on after the name of who sent it. */
  readonly onBroken: (reason: string) => void;
};

const HEADER_END = Buffer.from('\r\n\r\n');
/** More than this without the end of a header is none. */
const LONGEST_HEADER = 16_384;
/** More than any document that is edited; what announces more would be waited for, and kept, until memory ends. */
const LONGEST_BODY = 2 ** 27;
/** A name of a header that was cut off may be this long. */
const CUT_OFF = 64;
/** So much of what broke the stream is shown. */
const SHOWN = 300;
const NO_HEADER = 'bytes that are no header of a message ("Content-Length: <bytes>" and an empty line)';
const LONG_HEADER = `a header of more than ${LONGEST_HEADER} bytes`;
const WRONG_LENGTH = `a header without one "Content-Length" from 0 to ${LONGEST_BODY}`;
const NOTHING = Buffer.alloc(0);

export class FrameSplitter {
  readonly #options: SplitterOptions;
  #held: Buffer[] = [];
  #length = 0;
  /** Bytes of the message that has begun, header and body; 0 while its header is not whole. */
  #wanted = 0;
  /** Where its body begins. */
  #bodyStart = 0;
  #isBroken = false;

  constructor(options: SplitterOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    if (this.#isBroken) return;
    const rest = this.#length < this.#wanted ? this.#fill(chunk) : chunk;
    if (rest.length === 0) return;
    this.#held.push(rest);
    const all = this.#held.length === 1 ? rest : Buffer.concat(this.#held, this.#length + rest.length);
    this.#hold(this.#cut(all));
  }

  /** The stream has ended. @returns how many bytes of an unfinished message there were. */
  end(): number {
    const left = this.#length;
    this.#wanted = 0;
    this.#hold(NOTHING);
    return left;
  }

  #hold(rest: Buffer): void {
    this.#length = rest.length;
    this.#held = rest.length === 0 ? [] : [rest];
  }

  /** @returns what comes behind the message that this is a part of; nothing while that is not whole. */
  #fill(chunk: Buffer): Buffer {
    const [held, wanted] = [this.#held, this.#wanted];
    const missing = wanted - this.#length;
    if (chunk.length < missing) {
      held.push(chunk);
      this.#length += chunk.length;
      return NOTHING;
    }
    held.push(chunk.subarray(0, missing));
    this.#wanted = 0;
    this.#hold(NOTHING);
    this.#options.onFrame({ bytes: Buffer.concat(held, wanted), bodyStart: this.#bodyStart });
    return chunk.subarray(missing);
  }

  /** Hands out what is whole. @returns the rest. */
  #cut(all: Buffer): Buffer {
    let at = 0;
    for (;;) {
      this.#wanted = 0;
      const end = all.indexOf(HEADER_END, at);
      if (end < 0) return this.#withoutJunk(all.subarray(at));
      const bodyStart = end + HEADER_END.length;
      const header = readHeader(all.toString('latin1', Math.max(at, end - LONGEST_HEADER), end));
      const start = header === null ? bodyStart : Math.max(at, end - LONGEST_HEADER) + header.start;
      if (start > at && !this.#isJunk(all.subarray(at), start - at)) return NOTHING;
      if (header === null) {
        at = bodyStart;
        continue;
      }
      if (header.length === null) return this.#break(WRONG_LENGTH, all.subarray(start));
      const next = bodyStart + header.length;
      if (next > all.length) {
        this.#wanted = next - start;
        this.#bodyStart = bodyStart - start;
        return all.subarray(start);
      }
      this.#options.onFrame({ bytes: all.subarray(start, next), bodyStart: bodyStart - start });
      at = next;
    }
  }

  /** Gives away the first bytes. @returns whether the stream goes on behind them. */
  #isJunk(rest: Buffer, length: number): boolean {
    if (this.#options.onJunk === undefined) this.#break(NO_HEADER, rest);
    else this.#options.onJunk(rest.subarray(0, length));
    return !this.#isBroken;
  }

  /** @returns what is kept: nothing. */
  #break(reason: string, bytes: Buffer): Buffer {
    this.#isBroken = true;
    this.#wanted = 0;
    const shown = printable(bytes.toString('utf8', 0, SHOWN)).slice(0, SHOWN);
    this.#options.onBroken(`sent ${reason}: ${shown}`);
    return NOTHING;
  }

  /** Gives away bytes that cannot become a header any more, so that a flood of them is not kept. */
  #withoutJunk(rest: Buffer): Buffer {
    const { onJunk } = this.#options;
    if (onJunk === undefined && !BEGINNING.test(rest.toString('latin1', 0, LONGEST_HEADER)))
      return this.#break(NO_HEADER, rest);
    if (rest.length <= LONGEST_HEADER) return rest;
    if (onJunk === undefined) return this.#break(LONG_HEADER, rest);
    const text = rest.toString('latin1', rest.length - LONGEST_HEADER);
    const found = text.toLowerCase().lastIndexOf('content-length');
    const keep = found < 0 ? CUT_OFF : text.length - found;
    onJunk(rest.subarray(0, rest.length - keep));
    return rest.subarray(rest.length - keep);
  }
}

/** The beginning of nearly all messages. */
const USUAL_HEADER = /^Content-Length: (\d{1,8})$/;
/** A line of a header; the text of the protocol's own library allows no other names. */
const FIELD = /^[!#$%&'*+.^_`|~\w-]+:[^\r\n]*$/;

/** Text that may become a header when more of it comes. */
const BEGINNING = /^(?:[!#$%&'*+.^_`|~\w-]+:[^\r\n]*\r\n)*(?:\r|[!#$%&'*+.^_`|~\w-]+(?::[^\r\n]*\r?)?)?$/;
const LENGTH = /^content-length:/i;

/** Where in the text the header begins, and the length that it tells, null for one that cannot be; null where there is no header. */
function readHeader(text: string): { readonly start: number; readonly length: number | null } | null {
  const usual = USUAL_HEADER.exec(text)?.[1];
  if (usual !== undefined) return { start: 0, length: Number(usual) };
  const lines = text.split('\r\n');
  let first = lines.length;
  while (first > 0 && FIELD.test(lines[first - 1]!)) first--;
  const fields = lines.slice(first);
  const start = (from: number) => text.length - lines.slice(from).join('\r\n').length;
  const lengths = fields.filter(line => LENGTH.test(line));
  if (lengths.length > 0) return { start: start(first), length: lengths.length > 1 ? null : lengthIn(lengths[0]!) };
  // The line before ends without a break: what was printed among the messages.
  const line = Math.max(0, first - 1);
  const inside = lines[line]!.toLowerCase().lastIndexOf('content-length:');
  if (inside >= 0) return { start: start(line) + inside, length: lengthIn(lines[line]!.slice(inside)) };
  return fields.some(field => /^content-type:/i.test(field)) ? { start: start(first), length: null } : null;
}

function lengthIn(line: string): number | null {
  const digits = /^content-length:[ \t]*(\d{1,10})[ \t]*$/i.exec(line)?.[1];
  const length = Number(digits);
  return digits === undefined || length > LONGEST_BODY ? null : length;
}

/** A message of our own; its body is the parts, one behind the other. */
export function frameOf(...body: readonly Buffer[]): Frame {
  const length = body.reduce((sum, part) => sum + part.length, 0);
  const header = Buffer.from(`Content-Length: ${length}\r\n\r\n`, 'latin1');
  return { bytes: Buffer.concat([header, ...body]), bodyStart: header.length };
}

export function messageFrame(message: object): Frame {
  return frameOf(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
}

export function bodyOf({ bytes, bodyStart }: Frame): Buffer {
  return bytes.subarray(bodyStart);
}
