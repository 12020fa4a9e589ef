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

/** Bytes that requests without an answer may take; beyond them no further line is read. */
const MOST_OPEN_BYTES = 64 * 2 ** 20;
/** Bytes that a request takes beside its text, about. */
const REQUEST_BYTES = 16 * 2 ** 10;

/** Revisions of the protocol in which several messages may come as one array; in later ones, each stands alone. */
const WITH_BATCHES = new Set(['2024-11-05', '2025-03-26']);

/** An array of messages whose answers go out together. */
type Batch = { readonly answers: object[]; readonly open: Set<RequestId>; isRead: boolean };

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
  readonly #batches = new Map<RequestId, Batch>();
  #hasBatches = false;
  /** The request `initialize`. */
  #beginning: RequestId | null = null;
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
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    const batch = isAnswer && message.id !== undefined ? this.#batches.get(message.id) : undefined;
    if (batch === undefined) this.#output.write(serializeMessage(message));
    else batch.answers.push(message);
    if (isAnswer && message.id !== undefined) this.#settle(message.id);
    await this.whenWritten();
  }

  /** Called when a revision is agreed on, before the answer that says so. */
  setProtocolVersion(version: string): void {
    this.#hasBatches = WITH_BATCHES.has(version);
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
        for (const line of lines.read(chunk)) await this.#receive(line);
        await this.#settledDownTo(MOST_OPEN_BYTES);
        if (this.#isClosed) return;
      }
      for (const line of lines.end()) await this.#receive(line);
    } catch (error) {
      this.#tell(error);
    }
    await this.#settledDownTo(0);
    await this.close();
  }

  async #receive(line: string | LongLine): Promise<void> {
    if (typeof line !== 'string') {
      const error = {
        code: ProtocolErrorCode.InvalidRequest,
        message: `a message has at most ${MOST_LINE_MIB} MiB: send a shorter one`,
      };
      void this.send({ jsonrpc: '2.0', ...(line.id !== null && { id: line.id }), error });
      return;
    }
    const value = parsed(line);
    // The answer to an open `initialize` tells whether there are arrays.
    while (Array.isArray(value) && this.#beginning !== null && this.#open.has(this.#beginning)) await this.#settled();
    if (value === undefined) {
      this.#write(refusal(ProtocolErrorCode.ParseError, 'the line is no JSON: one message a line'));
    } else if (!Array.isArray(value)) {
      const refused = this.#receiveOne(line, null);
      if (refused !== null) this.#write(refused);
    } else if (!this.#hasBatches || value.length === 0) {
      const why = this.#hasBatches ? 'the array has no messages' : 'this revision of the protocol has no arrays';
      this.#write(refusal(ProtocolErrorCode.InvalidRequest, `${why}: send one message a line`));
    } else {
      const batch: Batch = { answers: [], open: new Set(), isRead: false };
      for (const each of value) {
        const refused = this.#receiveOne(JSON.stringify(each), batch);
        if (refused !== null) batch.answers.push(refused);
      }
      batch.isRead = true;
      this.#endOf(batch);
    }
  }

  /** @returns the error that answers a text that is no message; null for a message. */
  #receiveOne(text: string, batch: Batch | null): object | null {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(text);
    } catch (error) {
      this.#tell(error);
      return refusal(ProtocolErrorCode.InvalidRequest, 'this is no message of JSON-RPC 2.0', idIn(text));
    }
    if (isJSONRPCRequest(message) && batch?.open.has(message.id) === true)
      return refusal(ProtocolErrorCode.InvalidRequest, 'two requests of the array have this id', message.id);
    this.#note(message, text.length);
    if (batch !== null && isJSONRPCRequest(message)) {
      batch.open.add(message.id);
      this.#batches.set(message.id, batch);
    }
    this.onmessage?.(message);
    return null;
  }

  /** Writes the answers of an array once none of its requests is open; an array of notifications has none. */
  #endOf({ answers, open, isRead }: Batch): void {
    if (isRead && open.size === 0 && answers.length > 0) this.#write(answers.splice(0));
  }

  #write(value: object): void {
    this.#output.write(`${JSON.stringify(value)}\n`);
  }

  /** A subscription is answered when the connection ends, a cancelled request never. */
  #note(message: JSONRPCMessage, bytes: number): void {
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') {
      this.#settle(message.id);
      if (message.method === 'initialize') this.#beginning = message.id;
      this.#open.set(message.id, bytes + REQUEST_BYTES);
      this.#openBytes += bytes + REQUEST_BYTES;
    }
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      this.#settle(message.params?.requestId as RequestId);
  }

  #settle(id: RequestId): void {
    this.#openBytes -= this.#open.get(id) ?? 0;
    this.#open.delete(id);
    const batch = this.#batches.get(id);
    this.#batches.delete(id);
    batch?.open.delete(id);
    if (batch !== undefined) this.#endOf(batch);
    this.#onSettled();
  }

  async #settledDownTo(bytes: number): Promise<void> {
    while (this.#openBytes > bytes && !this.#isClosed) await this.#settled();
  }

  #settled(): Promise<void> {
    return new Promise(resolve => (this.#onSettled = resolve));
  }

  #tell(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
}

function refusal(code: number, message: string, id: RequestId | null = null): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** The value of a line of JSON; undefined where the line is no JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Identifier of a request in a text that is no message; null where the text has none. */
function idIn(text: string): RequestId | null {
  const value: unknown = JSON.parse(text);
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
