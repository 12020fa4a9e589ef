// Finds who a message is for by the top level of its JSON alone: what it carries may be megabytes, and is not parsed.
import { bodyOf, type Frame } from './frames.ts';

/** Bytes of a value in the body, `end` excluded. */
export type Span = { readonly start: number; readonly end: number };

/** What decides the way of a message. Without method and id it is none that we know (a batch, or no JSON), and passes as it is. */
export type Envelope = {
  readonly method: string | null;
  /** The id as it is written; null without one. */
  readonly id: string | null;
  readonly idSpan: Span | null;
};

const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [9, 10, 13, 32, 34, 44, 58, 92];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [91, 93, 123, 125];

/** Notifications that carry much: nothing behind their parameters is looked for. */
const NOTIFICATIONS = new Set([
  'textDocument/didOpen',
  'textDocument/didChange',
  'textDocument/didSave',
  'textDocument/publishDiagnostics',
  'window/logMessage',
  '$/progress',
]);

export function envelopeOf(frame: Frame): Envelope {
  const body = bodyOf(frame);
  let method: string | null = null;
  let idSpan: Span | null = null;
  for (const { key, value } of membersOf(body)) {
    if (key === 'id') idSpan = value();
    else if (key === 'method') method = textIn(body, value());
    else if ((key === 'result' || key === 'error') && idSpan !== null && method === null) break;
    else if (key === 'params' && method !== null && (idSpan !== null || NOTIFICATIONS.has(method))) break;
  }
  const id = idSpan === null ? null : body.toString('utf8', idSpan.start, idSpan.end);
  return { method, id, idSpan };
}

/** Bytes of the value under the keys, one inside the other; null where there is none. */
export function spanOf(body: Buffer, ...keys: readonly string[]): Span | null {
  let span: Span | null = { start: 0, end: body.length };
  for (const wanted of keys) {
    let found: Span | null = null;
    for (const { key, value } of membersOf(body, span.start)) {
      if (key !== wanted) continue;
      found = value();
      break;
    }
    if (found === null) return null;
    span = found;
  }
  return span;
}

/**
 * The same for what an answer holds. A list of megabytes is not looked through where the message ends with it: nothing else in an
 * answer of the protocol ends with a bracket.
 */
export function resultSpan(body: Buffer): Span | null {
  for (const { key, start, value } of membersOf(body)) {
    if (key !== 'result') continue;
    const end = beforeSpace(body, beforeSpace(body, body.length) - 1);
    const isLast = body[start] === OPEN_BRACKET && body[end - 1] === CLOSE_BRACKET && end > start;
    return isLast && body[beforeSpace(body, body.length) - 1] === CLOSE_BRACE ? { start, end } : value();
  }
  return null;
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

type Member = {
  readonly key: string;
  /** Where its value begins. */
  readonly start: number;
  /** Where its value is; null where that does not end. Looked for only when asked. */
  value(): Span | null;
};

/** Members of the object that begins at `from`; ends where that is none, or broken. */
function* membersOf(body: Buffer, from = 0): Generator<Member, void, void> {
  let at = afterSpace(body, from);
  if (body[at] !== OPEN_BRACE) return;
  at = afterSpace(body, at + 1);
  while (body[at] === QUOTE) {
    const keyEnd = afterText(body, at);
    const key = textIn(body, { start: at, end: keyEnd });
    at = afterSpace(body, keyEnd);
    if (key === null || body[at] !== COLON) return;
    const start = afterSpace(body, at + 1);
    let end = -1;
    const value = (): Span | null => {
      if (end < 0) end = afterValue(body, start);
      return end <= start || end > body.length ? null : { start, end };
    };
    yield { key, start, value };
    if (value() === null) return;
    at = afterSpace(body, end);
    if (body[at] !== COMMA) return;
    at = afterSpace(body, at + 1);
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

/** The end of what stands before `end`, without the space at its end. */
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
