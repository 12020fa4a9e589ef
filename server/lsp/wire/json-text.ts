// Answers that are JSON already: long lists of which most was written before, and the encoder that sends them as they are.
import { type Message, type Position, type RAL, StreamMessageWriter } from 'vscode-languageserver/node';

/** A list as the JSON of its items, in ASCII, which every encoding of a message has the same bytes for. */
export class JsonText<T> {
  readonly items: readonly string[];

  constructor(items: readonly string[]) {
    this.items = items;
  }

  /** For whoever encodes it as any other value. */
  toJSON(): T {
    return JSON.parse(`[${this.items.join(',')}]`) as T;
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

const COMMA = 0x2c;

type Encoding = { readonly charset: RAL.MessageBufferEncoding };

async function encode(message: Message, { charset }: Encoding): Promise<Uint8Array> {
  const { id, result } = message as { readonly id?: unknown; readonly result?: unknown };
  if (!(result instanceof JsonText)) return Buffer.from(JSON.stringify(message), charset);
  return listBytes(`{"jsonrpc":"2.0","id":${asciiJson(id)},"result":[`, result.items, ']}');
}

/** Each text is written where it belongs: one text of them all, megabytes of it, would be one more to be collected. */
function listBytes(before: string, items: readonly string[], after: string): Buffer {
  const length = items.reduce((sum, item) => sum + item.length + 1, before.length + after.length);
  const bytes = Buffer.allocUnsafe(length);
  let at = bytes.write(before, 0, 'latin1');
  items.forEach((item, i) => {
    if (i > 0) bytes[at++] = COMMA;
    at += bytes.write(item, at, 'latin1');
  });
  at += bytes.write(after, at, 'latin1');
  return bytes.subarray(0, at);
}
