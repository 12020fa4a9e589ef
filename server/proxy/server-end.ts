// One of the two servers behind us: what it was asked and has not answered yet, and what becomes of that when it ends.
import { bodyOf, type Frame, frameOf, messageFrame } from '../lsp/wire/split-messages.ts';

/** An answer as it came; null when the server has ended without one. */
export type Answer = Frame | null;

/** Where an answer goes. */
type Waiting = (answer: Answer) => void;

/** Ids of our own requests to servers; ids of clients are passed on as they are. */
const OWN_ID = 'insitu-wrap:';
let lastId = 0;

/** A unique id as JSON. */
export function freshId(): string {
  return `"${OWN_ID}${++lastId}"`;
}

export function isFreshId(id: string): boolean {
  return id.startsWith(`"${OWN_ID}`);
}

/** A request with the parameters as they are written. */
export function requestFrame(id: string, method: string, params: Buffer | null): Frame {
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}`);
  const rest = params === null ? [] : [Buffer.from(',"params":'), params];
  return frameOf(head, ...rest, Buffer.from('}'));
}

/** An answer of our own making; the id is JSON. */
export function answerFrame(id: string, result: unknown): Frame {
  return frameOf(Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`));
}

/** An answer that says why there is none. */
export function errorFrame(id: string, code: number, message: string): Frame {
  return frameOf(Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message })}}`));
}

/** The protocol's error code for a request that the client has cancelled. */
export const CANCELLED = -32_800;

/** So many bytes, and one message, wait for a server that has not answered its start, or does not read; more is a sign that it never will. */
export const MOST_WAITING = 64 << 20;

type ServerEndOptions = {
  readonly write: (bytes: Buffer) => void;
  /** More is held back than can be kept. */
  readonly onOverflow?: () => void;
};

export class ServerEnd {
  readonly #options: ServerEndOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #passed = new Set<string>();
  /** The ids here of the client's requests, for cancelling them. */
  readonly #idsOf = new Map<string, Set<string>>();
  #isAlive = true;
  #held: Buffer[] | null = null;
  #heldBytes = 0;

  constructor(options: ServerEndOptions) {
    this.#options = options;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Whether messages are held back. */
  get isHeld(): boolean {
    return this.#held !== null;
  }

  /** From now on messages are kept in their order. */
  hold(): void {
    if (this.#isAlive) this.#held ??= [];
  }

  /** Lets held messages go on, and later ones at once. */
  release(): void {
    const held = this.#held ?? [];
    this.#forgetHeld();
    for (const bytes of held) this.#options.write(bytes);
  }

  send(frame: Frame): void {
    if (this.#isAlive) this.#write(frame.bytes);
  }

  /** The same before everything that is held back: answers to what the server asks, and the last word. */
  sendAtOnce(frame: Frame): void {
    if (this.#isAlive) this.#options.write(frame.bytes);
  }

  /** Passes a request on as it is; its answer is passed on as well. */
  pass(frame: Frame, id: string): void {
    this.#passed.add(id);
    this.#write(frame.bytes);
  }

  /** Passes a request on as it is, and keeps the answer. */
  forward(frame: Frame, id: string): Promise<Answer> {
    return this.#send(frame, id);
  }

  /** The same under an id of our own, as other servers may be asked for the client too. */
  ask(method: string, params: Buffer | null, clientId: string | null): Promise<Answer> {
    const id = freshId();
    if (clientId === null) return this.#send(requestFrame(id, method, params), id);
    const ids = this.#idsOf.get(clientId) ?? new Set();
    this.#idsOf.set(clientId, ids.add(id));
    const answer = this.#send(requestFrame(id, method, params), id);
    void answer.then(() => {
      ids.delete(id);
      if (ids.size === 0) this.#idsOf.delete(clientId);
    });
    return answer;
  }

  /** Cancels the requests that were sent on behalf of a request of the client. */
  cancel(clientId: string): void {
    for (const id of this.#idsOf.get(clientId) ?? [])
      this.send(messageFrame({ method: '$/cancelRequest', params: { id: JSON.parse(id) } }));
  }

  /** @returns whether a caller waited for it; it is passed on otherwise. */
  answered(frame: Frame, id: string): boolean {
    if (this.#passed.delete(id)) return false;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.(frame);
    return waiting !== undefined;
  }

  /** Every waiting caller gets null. @returns ids of the requests that were passed on and will not be answered. */
  end(): string[] {
    this.#isAlive = false;
    this.#forgetHeld();
    const passed = [...this.#passed];
    this.#passed.clear();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const each of waiting) each(null);
    return passed;
  }

  #write(bytes: Buffer): void {
    if (this.#held === null) {
      this.#options.write(bytes);
      return;
    }
    const isTooMuch = this.#heldBytes > MOST_WAITING;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (isTooMuch) this.#options.onOverflow?.();
  }

  #forgetHeld(): void {
    this.#held = null;
    this.#heldBytes = 0;
  }

  #send(frame: Frame, id: string): Promise<Answer> {
    if (!this.#isAlive) return Promise.resolve(null);
    return new Promise(resolve => {
      this.#waiting.set(id, resolve);
      this.#write(frame.bytes);
    });
  }
}

/** The result of an answer; null for an error, for `null`, and where there is none. */
export function resultOf<T>(answer: Answer): T | null {
  if (answer === null) return null;
  try {
    const message = JSON.parse(bodyOf(answer).toString()) as { readonly result?: T | null };
    return message.result ?? null;
  } catch {
    return null;
  }
}
