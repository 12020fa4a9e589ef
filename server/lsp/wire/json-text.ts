// Answers that are JSON already: long lists of which most was written before, and the encoder that sends them as they are.
import { type Message, type Position, type RAL, StreamMessageWriter } from 'vscode-languageserver/node';

/** A list as the JSON of its items, in ASCII, which every encoding of a message has the same bytes for. */
export class JsonText<T> {
  readonly items: readonly string[];
  /** What was sent last of lists that have much in common with this one. */
  readonly #sent: SentList;

  constructor(items: readonly string[], sent: SentList = new SentList()) {
    this.items = items;
    this.#sent = sent;
  }

  /** For whoever encodes it as any other value. */
  toJSON(): T {
    return JSON.parse(`[${this.items.join(',')}]`) as T;
  }

  /** Bytes of the list between two texts. */
  bytes(before: string, after: string): Buffer {
    return this.#sent.bytes(before, this.items, after);
  }
}

/** Bytes of the list that was written last: what the next one has in common with it at both ends is copied. */
export class SentList {
  #items: readonly string[] = [];
  /** Each item with a comma or what else came behind it. */
  #bytes = Buffer.alloc(0);

  /** Each text is written where it belongs: one text of them all, megabytes of it, would be one more to be collected. */
  bytes(before: string, items: readonly string[], after: string): Buffer {
    const [front, back] = inCommon(this.#items, items);
    const end = items.length - back;
    const [first, last] = [lengthOf(items, 0, front), lengthOf(items, end, items.length)];
    const length = before.length + first + lengthOf(items, front, end) + last + after.length;
    const bytes = Buffer.allocUnsafe(length);
    const start = bytes.write(before, 0, 'latin1');
    let at = start + this.#bytes.copy(bytes, start, 0, first);
    if (front > 0) bytes[at - 1] = COMMA;
    for (let i = front; i < end; i++) {
      at += bytes.write(items[i]!, at, 'latin1');
      bytes[at++] = COMMA;
    }
    at += this.#bytes.copy(bytes, at, this.#bytes.length - last);
    this.#items = items;
    this.#bytes = bytes.subarray(start, at);
    // In place of the last comma.
    if (items.length > 0) at--;
    at += bytes.write(after, at, 'latin1');
    return bytes.subarray(0, at);
  }
}

const COMMA = 0x2c;

/** Bytes of some items with a comma behind each. */
function lengthOf(items: readonly string[], from: number, to: number): number {
  let length = to - from;
  for (let i = from; i < to; i++) length += items[i]!.length;
  return length;
}

/** How many items two lists have in common at their beginning, and how many others at their end. */
function inCommon(one: readonly unknown[], other: readonly unknown[]): [front: number, back: number] {
  const most = Math.min(one.length, other.length);
  let front = 0;
  while (front < most && one[front] === other[front]) front++;
  let back = 0;
  while (back < most - front && one[one.length - 1 - back] === other[other.length - 1 - back]) back++;
  return [front, back];
}

/** A list as it was written last. */
type KeptList<Item> = {
  readonly items: readonly Item[];
  readonly texts: readonly string[];
  readonly sent: SentList;
};

/** Of so many lists, as of files side by side, what was written last is kept. */
const MOST_LISTS = 4;
/** So many characters are kept of them; the latest list is kept however long it is. */
export const MOST_CHARACTERS = 8 << 20;

/** Writes lists one after another of which most items are the same objects: only texts of the others are made. */
export class ListWriter<Item extends object> {
  /** By key, the latest last. */
  readonly #lists = new Map<string, KeptList<Item>>();

  /** @param key everything beside the items that their texts follow from. */
  write<T>(key: string, items: readonly Item[], textOf: (item: Item) => string): JsonText<T> {
    const before = this.#lists.get(key) ?? { items: [], texts: [], sent: new SentList() };
    const [front, back] = inCommon(before.items, items);
    const by = before.items.length - items.length;
    const texts = items.map((item, i) => {
      if (i < front) return before.texts[i]!;
      return i >= items.length - back ? before.texts[i + by]! : textOf(item);
    });
    this.#lists.delete(key);
    this.#lists.set(key, { items, texts, sent: before.sent });
    this.#forget();
    return new JsonText<T>(texts, before.sent);
  }

  #forget(): void {
    let [lists, characters] = [0, 0];
    for (const [key, { texts }] of [...this.#lists].reverse()) {
      characters += lengthOf(texts, 0, texts.length);
      if (++lists > 1 && (lists > MOST_LISTS || characters > MOST_CHARACTERS)) this.#lists.delete(key);
    }
  }
}

/** JSON of a value with everything beyond ASCII escaped. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** JSON of a place in a document; both 0-based. */
export function positionText({ line, character }: Position): string {
  return `{"line":${line},"character":${character}}`;
}

/** JSON of what commands about a place are given; `uri` is JSON already. */
export function placeText(uri: string, position: Position): string {
  return `{"textDocument":{"uri":${uri}},"position":${positionText(position)}}`;
}

/** A request's method for a handler that may answer with a JsonText, which the protocol's own types do not know. */
export function answeredAsText({ method }: { readonly method: string }): string {
  return method;
}

/** Writes messages to a stream; a result that is a JsonText is not encoded once more. */
export function messageWriter(stream: NodeJS.WritableStream): StreamMessageWriter {
  return new StreamMessageWriter(stream, { contentTypeEncoder: { name: 'application/json', encode } });
}

type Encoding = { readonly charset: RAL.MessageBufferEncoding };

async function encode(message: Message, { charset }: Encoding): Promise<Uint8Array> {
  const { id, result } = message as { readonly id?: unknown; readonly result?: unknown };
  if (!(result instanceof JsonText)) return Buffer.from(JSON.stringify(message), charset);
  return result.bytes(`{"jsonrpc":"2.0","id":${asciiJson(id)},"result":[`, ']}');
}
