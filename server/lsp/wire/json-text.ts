// Answers that are JSON already: long lists of which most was written before, and the encoder that sends them as they are.
import { type Message, type RAL, StreamMessageWriter } from 'vscode-languageserver/node';

/** JSON in ASCII, which every encoding of a message has the same bytes for and which costs nothing to encode. */
export class JsonText<T> {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** For whoever encodes it as any other value. */
  toJSON(): T {
    return JSON.parse(this.text) as T;
  }
}

/** JSON of a value with everything beyond ASCII escaped. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
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
  return Buffer.from(`{"jsonrpc":"2.0","id":${asciiJson(id)},"result":${result.text}}`, 'latin1');
}
