// Changes a part of a message's JSON and leaves every other byte as it came.
import { bodyOf, type Frame, frameOf } from '../lsp/wire/split-messages.ts';
import { type Envelope, resultSpan, type Span, spanOf } from './envelope.ts';

const [SPACE, OPEN_BRACKET, CLOSE_BRACKET] = [32, 91, 93];
const NOTHING = Buffer.alloc(0);

/** The message with another value at `span`. */
export function replaced(frame: Frame, span: Span, ...value: readonly (string | Buffer)[]): Frame {
  const inserted = value.map(part => (typeof part === 'string' ? Buffer.from(part) : part));
  const body = bodyOf(frame);
  return frameOf(body.subarray(0, span.start), ...inserted, body.subarray(span.end));
}

/** The same message with this id, which is JSON. */
export function withId(frame: Frame, envelope: Pick<Envelope, 'id' | 'idSpan'>, id: string): Frame {
  const { idSpan } = envelope;
  return idSpan === null || envelope.id === id ? frame : replaced(frame, idSpan, id);
}

/** The bytes between the brackets of the list at the keys; null where there is no list, empty for an empty list. */
export function itemsOf(frame: Frame, ...keys: readonly string[]): Buffer | null {
  const span = spanIn(frame, keys);
  const body = bodyOf(frame);
  if (span === null || body[span.start] !== OPEN_BRACKET || body[span.end - 1] !== CLOSE_BRACKET) return null;
  const inner = body.subarray(span.start + 1, span.end - 1);
  return inner.every(byte => byte <= SPACE) ? NOTHING : inner;
}

/** The message with `more` items behind the items of the list at the keys, which need not be there. */
export function withItems(frame: Frame, more: Buffer, ...keys: readonly string[]): Frame {
  const own = itemsOf(frame, ...keys);
  const span = spanIn(frame, keys);
  if (span === null) return frame;
  return replaced(frame, span, '[', ...(own === null || own.length === 0 ? [] : [own, ',']), more, ']');
}

const TOKENS = ['workDoneToken', 'partialResultToken'];

/** Parameters without the tokens by which clients follow one request: what they ask is the same with others. */
export function withoutTokens(params: Buffer): Buffer {
  if (!TOKENS.some(token => params.includes(`"${token}"`))) return params;
  try {
    const entries = Object.entries(JSON.parse(params.toString()) as object).filter(([key]) => !TOKENS.includes(key));
    return Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  } catch {
    return params;
  }
}

function spanIn(frame: Frame, keys: readonly string[]): Span | null {
  return keys.join() === 'result' ? resultSpan(frame) : spanOf(bodyOf(frame), ...keys);
}

/** Whether anything stands at the keys. */
export function isThere(frame: Frame, ...keys: readonly string[]): boolean {
  return spanIn(frame, keys) !== null;
}
