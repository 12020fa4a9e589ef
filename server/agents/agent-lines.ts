// The messages of an agent over its streams: one a line, of bounded length and number, and each request answered before the end.

import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import {
  deserializeMessage,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { LineReader, type LongLine, MOST_LINE_MIB } from './line-reader.ts';

/** What requests without an answer may take, before no more is read. */
const MOST_OPEN_BYTES = 64 * 2 ** 20;
/** What a request takes beside its text, about. */
const REQUEST_BYTES = 16 * 2 ** 10;

export class AgentLines implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when the input has ended and its requests are answered, or on `close`. */
  readonly ended: Promise<void>;
  readonly #end: () => void;
  readonly #input: Readable;
  readonly #output: Writable;
  /** Bytes of each request that has no answer yet. */
  readonly #open = new Map<RequestId, number>();
  #openBytes = 0;
  /** Called whenever a request is answered, cancelled or given up. */
  #onSettled = () => {};
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
  }

  async start(): Promise<void> {
    void this.#readAll();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    this.#output.write(serializeMessage(message));
    await this.whenWritten();
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (isAnswer && message.id !== undefined) this.#settle(message.id);
  }

  /** Resolves as soon as the agent has read so far that more can be written. */
  async whenWritten(): Promise<void> {
    if (this.#output.writableNeedDrain) await once(this.#output, 'drain');
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.destroy();
    this.#end();
    this.#onSettled();
    this.onclose?.();
  }

  async #readAll(): Promise<void> {
    const lines = new LineReader();
    try {
      for await (const chunk of this.#input) {
        for (const line of lines.read(chunk)) this.#receive(line);
        await this.#settledDownTo(MOST_OPEN_BYTES);
        if (this.#isClosed) return;
      }
      for (const line of lines.end()) this.#receive(line);
    } catch (error) {
      this.#tell(error);
    }
    await this.#settledDownTo(0);
    await this.close();
  }

  #receive(line: string | LongLine): void {
    if (typeof line !== 'string') {
      const error = {
        code: ProtocolErrorCode.InvalidRequest,
        message: `a message has at most ${MOST_LINE_MIB} MiB: send a shorter one`,
      };
      void this.send({ jsonrpc: '2.0', ...(line.id !== null && { id: line.id }), error });
      return;
    }
    try {
      const message = deserializeMessage(line);
      this.#note(message, line.length);
      this.onmessage?.(message);
    } catch (error) {
      this.#tell(error);
    }
  }

  /** A subscription is answered when the connection ends; what was cancelled never is. */
  #note(message: JSONRPCMessage, bytes: number): void {
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') {
      this.#settle(message.id);
      this.#open.set(message.id, bytes + REQUEST_BYTES);
      this.#openBytes += bytes + REQUEST_BYTES;
    }
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      this.#settle(message.params?.requestId as RequestId);
  }

  #settle(id: RequestId): void {
    this.#openBytes -= this.#open.get(id) ?? 0;
    this.#open.delete(id);
    this.#onSettled();
  }

  async #settledDownTo(bytes: number): Promise<void> {
    while (this.#openBytes > bytes && !this.#isClosed) await new Promise<void>(resolve => (this.#onSettled = resolve));
  }

  #tell(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
}
