// Finds who a message is for by the top level of its JSON alone: what it carries may be megabytes, and is not parsed.
import { bodyOf, type Frame } from '../lsp/wire/split-messages.ts';

/** Bytes of a value in the body, `end` excluded. */
export type Span = { readonly start: number; readonly end: number };

/** The facts that decide the way of a message. Without method and id it is none that we know (a batch, or no JSON), and passes as it is. */
export type Envelope = {
  readonly method: string | null;
  /** The id as it is written; null without one. */
  readonly id: string | null;
  readonly idSpan: Span | null;
};

const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [9, 10, 13, 32, 34, 44, 58, 92];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [91, 93, 123, 125];

export function envelopeOf(frame: Frame): Envelope {
  const body = bodyOf(frame);
  let method: string | null = null;
  let idSpan: Span | null = null;
  const members = new Members(body);
  while (members.next()) {
    const { key } = members;
    if (key === 'id') idSpan = members.value();
    else if (key === 'method') method = textIn(body, members.value());
    // The deciding keys have come before the part that may be megabytes.
    else if (idSpan !== null && (key === 'params' ? method !== null : key === 'result' || key === 'error')) break;
  }
  return { method, id: idSpan === null ? null : body.toString('utf8', idSpan.start, idSpan.end), idSpan };
}

/** Bytes of the value under the keys, one inside the other; null where there is none. */
export function spanOf(body: Buffer, ...keys: readonly string[]): Span | null {
  let span: Span | null = { start: 0, end: body.length };
  for (const wanted of keys) {
    const members: Members = new Members(body, span.start);
    let found: Span | null = null;
    while (members.next()) {
      if (members.key !== wanted) continue;
      found = members.value();
      break;
    }
    if (found === null) return null;
    span = found;
  }
  return span;
}

/** The same for what an answer holds. */
export function resultSpan(frame: Frame): Span | null {
  const body = bodyOf(frame);
  const members = new Members(body);
  while (members.next()) if (members.key === 'result') return lastList(body, members.start) ?? members.value();
  return null;
}

/**
 * The list that begins at `start` and with which an answer ends: megabytes between need not be looked through, for nothing else in an
 * answer of the protocol ends with a bracket.
 */
function lastList(body: Buffer, start: number): Span | null {
  const close = beforeSpace(body, body.length) - 1;
  const end = beforeSpace(body, close);
  const isList = body[start] === OPEN_BRACKET && body[end - 1] === CLOSE_BRACKET && end > start;
  return isList && body[close] === CLOSE_BRACE ? { start, end } : null;
}

/** The text that stands there; null where it is none. */
export function textIn(body: Buffer, span: Span | null): string | null {
  if (span === null || body[span.start] !== QUOTE) return null;
  try {
    const value: unknown = JSON.parse(body.toString('utf8', span.start, span.end));
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** Goes through the members of an object; ends where that is none, or broken. */
class Members {
  key = '';
  /** Where the member's value begins. */
  start = 0;
  readonly #body: Buffer;
  /** Behind the latest value; -1 until its end has been looked for. */
  #end = -1;
  #at: number;
  #hasBegun = false;

  constructor(body: Buffer, from = 0) {
    this.#body = body;
    this.#at = afterSpace(body, from);
  }

  next(): boolean {
    const body = this.#body;
    if (!this.#toKey() || body[this.#at] !== QUOTE) return false;
    const end = afterText(body, this.#at);
    const key = textIn(body, { start: this.#at, end });
    const colon = afterSpace(body, end);
    if (key === null || body[colon] !== COLON) return false;
    this.key = key;
    this.start = afterSpace(body, colon + 1);
    this.#end = -1;
    return true;
  }

  /** Where the member's value is; null where that does not end. Looked for only when asked. */
  value(): Span | null {
    if (this.#end < 0) this.#end = afterValue(this.#body, this.start);
    return this.#end <= this.start || this.#end > this.#body.length ? null : { start: this.start, end: this.#end };
  }

  #toKey(): boolean {
    const body = this.#body;
    if (this.#hasBegun) {
      if (this.value() === null) return false;
      this.#at = afterSpace(body, this.#end);
    }
    if (body[this.#at] !== (this.#hasBegun ? COMMA : OPEN_BRACE)) return false;
    this.#hasBegun = true;
    this.#at = afterSpace(body, this.#at + 1);
    return true;
  }
}

function afterSpace(body: Buffer, from: number): number {
  let at = from;
  for (; at < body.length; at++) {
    const byte = body[at];
    if (byte !== SPACE && byte !== LINE_FEED && byte !== RETURN && byte !== TAB) break;
  }
  return at;
}

/** The end of the text before `end`, without the space at its end. */
function beforeSpace(body: Buffer, end: number): number {
  let at = end;
  while (at > 0 && body[at - 1]! <= SPACE) at--;
  return at;
}

/** Behind the closing quote of the text that begins at `from`; behind the end of the body where there is none. */
function afterText(body: Buffer, from: number): number {
  let at = from + 1;
  for (;;) {
    const quote = body.indexOf(QUOTE, at);
    if (quote < 0) return body.length + 1;
    let slashes = 0;
    while (body[quote - 1 - slashes] === BACKSLASH && quote - 1 - slashes > from) slashes++;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function afterValue(body: Buffer, from: number): number {
  const first = body[from];
  if (first === QUOTE) return afterText(body, from);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return afterWord(body, from);
  let depth = 0;
  for (let at = from; at < body.length; ) {
    const byte = body[at];
    if (byte === QUOTE) {
      at = afterText(body, at);
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
    at++;
    if (depth === 0) return at;
  }
  return body.length + 1;
}

/** Behind a number, `true`, `false` or `null`. */
function afterWord(body: Buffer, from: number): number {
  let at = from;
  for (; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte <= SPACE) break;
  }
  return at;
}
