// Writes messages to the client, header and body at once, so that the reader is woken once for each; the library's writer wakes it twice.
import { AbstractMessageWriter, type Message, type MessageWriter } from 'vscode-languageserver/node';

export class WholeMessageWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #stream: NodeJS.WritableStream;
  #errors = 0;

  constructor(stream: NodeJS.WritableStream) {
    super();
    this.#stream = stream;
    stream.on('error', error => this.fireError(error));
    stream.on('close', () => this.fireClose());
  }

  async write(message: Message): Promise<void> {
    try {
      const body = JSON.stringify(message);
      await new Promise<void>((resolve, reject) => {
        const header = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
        this.#stream.write(header + body, error => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      this.fireError(error, message, ++this.#errors);
      throw error;
    }
  }

  end(): void {
    this.#stream.end();
  }
}
