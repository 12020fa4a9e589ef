// Reads messages of the client and hands on the messages that are well formed, come in their time and obey the protocol; it answers the others.
import type { Readable } from 'node:stream';
import { AbstractMessageReader, type DataCallback, ErrorCodes, Message } from 'vscode-languageserver/node';
import { printable } from '../../base/printable.ts';
import { INVALID_REQUEST, Lifecycle, type Refusal } from './lifecycle.ts';
import { bodyOf, type Frame, FrameSplitter } from './split-messages.ts';
import { flawOf } from './standard-parameters.ts';

type ReaderOptions = {
  /** Sends an answer to the client, or a line for its log. */
  readonly send: (message: Message) => void;
  /** No message can be found in the stream any more: `reason` goes on after the name of who sent it. */
  readonly onBroken: (reason: string) => void;
};

/** A value that may be a message. */
type Sent = { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown };

/** The most characters of a parser's error, which may quote the text that it has read. */
const LONGEST_QUOTE = 150;
const WARNING = 2;

export class CheckedMessageReader extends AbstractMessageReader {
  readonly #input: Readable;
  readonly #options: ReaderOptions;
  readonly #lifecycle = new Lifecycle();
  readonly #splitter: FrameSplitter;
  #handOn: DataCallback = () => {};

  constructor(input: Readable, options: ReaderOptions) {
    super();
    this.#input = input;
    this.#options = options;
    this.#splitter = new FrameSplitter({ onFrame: frame => this.#read(frame), onBroken: options.onBroken });
    input.on('error', error => this.fireError(error));
    input.on('end', () => {
      const left = this.#splitter.end();
      if (left > 0) options.onBroken(`closed the connection within a message, of which ${left} bytes had come`);
    });
    input.on('close', () => this.fireClose());
  }

  listen(callback: DataCallback): { dispose(): void } {
    this.#handOn = callback;
    const take = (chunk: Buffer): void => this.#splitter.push(chunk);
    this.#input.on('data', take);
    return { dispose: () => void this.#input.off('data', take) };
  }

  #read(frame: Frame): void {
    let message: unknown;
    try {
      message = JSON.parse(bodyOf(frame).toString());
    } catch (error) {
      const reason = printable(String(error)).slice(0, LONGEST_QUOTE);
      this.#answer(null, { code: ErrorCodes.ParseError, message: `the message is no JSON: ${reason}` });
      return;
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      this.#refuse(null, `a message must be a JSON object${Array.isArray(message) ? '; batches are not taken' : ''}`);
    } else if ('method' in message) this.#take(message);
    else this.#takeAnswer(message);
  }

  #take(message: Sent): void {
    const { id, method, params } = message;
    const isRequest = id !== undefined;
    if (isRequest && !isId(id)) this.#refuse(null, '"id" must be a text or a number');
    else if (typeof method !== 'string') this.#refuse(id ?? null, '"method" must be a text');
    else if (params !== undefined && typeof params !== 'object')
      this.#refuse(id ?? null, '"params" must be an object or a list');
    else {
      const late = this.#lifecycle.refusal(method, isRequest);
      const flaw = late === null ? flawOf(method, params) : null;
      const refusal = flaw === null ? late : { code: ErrorCodes.InvalidParams, message: `${method}: ${flaw}` };
      if (refusal === null) {
        this.#lifecycle.passed(method, isRequest);
        this.#handOn(message as Message);
      } else if (id !== undefined) this.#answer(id, refusal);
      else if (flaw !== null) this.#tell(`${refusal.message}; it is dropped`);
    }
  }

  /** A question of ours that is answered with nothing at all fails, or its caller would wait for ever. */
  #takeAnswer(message: Sent): void {
    const flaw = 'a message must have a "method", or "id" and "result" or "error"';
    if (Message.isResponse(message as Message)) this.#handOn(message as Message);
    else {
      if (isId(message.id)) this.#handOn({ jsonrpc: '2.0', id: message.id, error: invalid(flaw) } as Message);
      this.#refuse(null, flaw);
    }
  }

  #refuse(id: string | number | null, flaw: string): void {
    this.#answer(id, invalid(flaw));
  }

  #answer(id: string | number | null, error: Refusal): void {
    this.#options.send({ jsonrpc: '2.0', id, error } as Message);
  }

  #tell(line: string): void {
    const params = { type: WARNING, message: `insitu: ${line}` };
    this.#options.send({ jsonrpc: '2.0', method: 'window/logMessage', params } as Message);
  }
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));
}

function invalid(message: string): Refusal {
  return { code: INVALID_REQUEST, message };
}
