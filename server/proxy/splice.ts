// Changes a part of a message's JSON and leaves every other byte as it came.

import { bodyOf, type Frame, frameOf, lengthOf, partsOf } from '../lsp/wire/frames.ts';
import { type Envelope, resultSpan, type Span, spanOf } from './envelope.ts';

const [SPACE, OPEN_BRACKET, CLOSE_BRACKET] = [32, 91, 93];

/** The message with another value at `span`, in parts. */
export function replaced(frame: Frame, span: Span, ...value: readonly (string | Buffer)[]): Frame {
  const inserted = value.map(part => (typeof part === 'string' ? Buffer.from(part) : part));
  return frameOf(...partsOf(frame, 0, span.start), ...inserted, ...partsOf(frame, span.end, lengthOf(frame)));
}

/** The same message with this id, which is JSON. */
export function withId(frame: Frame, envelope: Pick<Envelope, 'id' | 'idSpan'>, id: string): Frame {
  const { idSpan } = envelope;
  return idSpan === null || envelope.id === id ? frame : replaced(frame, idSpan, id);
}

/** What stands between the brackets of the list at the keys, in the parts in which it is; null where there is no list, empty where nothing stands in it. */
export function itemsOf(frame: Frame, ...keys: readonly string[]): readonly Buffer[] | null {
  const span = spanIn(frame, keys);
  if (span === null || byteAt(frame, span.start) !== OPEN_BRACKET || byteAt(frame, span.end - 1) !== CLOSE_BRACKET)
    return null;
  const inner = partsOf(frame, span.start + 1, span.end - 1);
  return inner.every(isBlank) ? [] : inner;
}

/** The message with `more` items behind those of the list at the keys, which need not be there. */
export function withItems(frame: Frame, more: readonly Buffer[], ...keys: readonly string[]): Frame {
  const own = itemsOf(frame, ...keys);
  const span = spanIn(frame, keys);
  if (span === null) return frame;
  return replaced(frame, span, '[', ...(own === null || own.length === 0 ? [] : [...own, ',']), ...more, ']');
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

/** An answer may be megabytes, and is looked at several times. */
const knownSpans = new WeakMap<Frame, Map<string, Span | null>>();

function spanIn(frame: Frame, keys: readonly string[]): Span | null {
  const known = knownSpans.get(frame) ?? new Map<string, Span | null>();
  knownSpans.set(frame, known);
  const key = keys.join();
  const span = known.get(key);
  if (span !== undefined) return span;
  const found = key === 'result' ? resultSpan(frame) : spanOf(bodyOf(frame), ...keys);
  known.set(key, found);
  return found;
}

/** Whether anything stands at the keys. */
export function isThere(frame: Frame, ...keys: readonly string[]): boolean {
  return spanIn(frame, keys) !== null;
}

function byteAt(frame: Frame, at: number): number | undefined {
  return partsOf(frame, at, at + 1)[0]?.[0];
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every(byte => byte <= SPACE);
}
