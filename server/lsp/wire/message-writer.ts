// Writes messages to the client, header and body at once, so that the reader is woken once for each.
import { AbstractMessageWriter, type Message, type MessageWriter } from 'vscode-languageserver/node';
import { asciiJson, JsonText } from './json-text.ts';
import { headerOf } from './sent-list.ts';

/** One message after the other: a list's bytes are written over by the next one's, and are not before the stream has taken them. */
export class WholeMessageWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #stream: NodeJS.WritableStream;
  #latest: Promise<void> = Promise.resolve();
  #errors = 0;

  /** @param stream copies what it has taken, as pipes do. */
  constructor(stream: NodeJS.WritableStream) {
    super();
    this.#stream = stream;
    stream.on('error', error => this.fireError(error));
    stream.on('close', () => this.fireClose());
  }

  write(message: Message): Promise<void> {
    const written = this.#latest.then(() => this.#write(message));
    this.#latest = written.catch(() => {});
    return written;
  }

  end(): void {
    this.#stream.end();
  }

  async #write(message: Message): Promise<void> {
    try {
      const bytes = bytesOf(message);
      await new Promise<void>((resolve, reject) => {
        this.#stream.write(bytes, error => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      this.fireError(error, message, ++this.#errors);
      throw error;
    }
  }
}

function bytesOf(message: Message): Buffer {
  const { id, result } = message as { readonly id?: unknown; readonly result?: unknown };
  if (result instanceof JsonText) return result.message(`{"jsonrpc":"2.0","id":${asciiJson(id)},"result":[`, ']}');
  const text = JSON.stringify(message);
  return Buffer.from(headerOf(Buffer.byteLength(text)) + text);
}
