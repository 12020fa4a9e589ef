// The router between a client and two servers that a test plays itself: everything is in one process, and time is what the test says.
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { bodyOf, type Frame, FrameSplitter, frameOf } from '../../server/lsp/wire/split-messages.ts';
import { envelopeOf } from '../../server/proxy/envelope.ts';
import type { KnownServer } from '../../server/proxy/known-server.ts';
import { Router } from '../../server/proxy/router.ts';

export type Message = {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
};

/** The messages that each of the three has received and the test has not looked at yet. */
export class Scripted {
  readonly client: Buffer[] = [];
  readonly java: Buffer[] = [];
  readonly own: Buffer[] = [];
  hasLeft = false;
  readonly givenUp: string[] = [];
  readonly router: Router;

  constructor(known?: KnownServer) {
    this.router = new Router({
      toClient: ({ bytes }) => void this.client.push(bytes),
      toJava: bytes => void this.java.push(bytes),
      toOwn: bytes => void this.own.push(bytes),
      onExit: () => {
        this.hasLeft = true;
      },
      onGivenUp: side => void this.givenUp.push(side),
      ...(known && { known }),
    });
  }

  /** A session after the handshake, in which all features of ours are offered. */
  static async started(capabilities: object = {}, java: object = {}): Promise<Scripted> {
    const scripted = new Scripted();
    scripted.fromClient({ id: 0, method: 'initialize', params: { capabilities } });
    scripted.answer('java', scripted.next('java'), { capabilities: java });
    scripted.answer('own', scripted.next('own'), { capabilities: { hoverProvider: true } });
    await scripted.settled();
    expect(scripted.next('client')).toMatchObject({ id: 0, result: { capabilities: { hoverProvider: true } } });
    return scripted;
  }

  fromClient(message: Message): void {
    this.router.fromClient(framed(message));
  }

  /** A request of the client, answered by the servers as far as they are told to. @returns what the client gets. */
  async ask(request: Message, answers: { readonly java?: unknown; readonly own?: unknown }): Promise<Message[]> {
    this.fromClient(request);
    for (const side of ['java', 'own'] as const)
      if (answers[side] !== undefined) this.answer(side, this.next(side), answers[side]);
    await this.settled();
    return this.rest('client');
  }

  from(side: 'java' | 'own', message: Message): void {
    const frame = framed(message);
    if (side === 'java') this.router.fromJava(frame);
    else this.router.fromOwn(frame);
  }

  answer(side: 'java' | 'own', { id }: Message, result: unknown): void {
    this.from(side, { ...(id !== undefined && { id }), result });
  }

  fail(side: 'java' | 'own', { id }: Message, message: string): void {
    this.from(side, { ...(id !== undefined && { id }), error: { code: -32_000, message } });
  }

  /** The oldest message that somebody received, taken away. */
  next(side: 'client' | 'java' | 'own'): Message {
    const bytes = this[side].shift();
    if (bytes === undefined) throw new Error(`nothing was sent to ${side}`);
    return parsed(bytes);
  }

  /** Everything else that somebody received, taken away. */
  rest(side: 'client' | 'java' | 'own'): Message[] {
    return this[side].splice(0).map(parsed);
  }

  /** Lets promises go on as far as they can. */
  settled(): Promise<void> {
    return new Promise(resolve => setImmediate(resolve));
  }

  /** Time passes, and promises go on. */
  async wait(millis: number): Promise<void> {
    await this.settled();
    vi.advanceTimersByTime(millis);
    await this.settled();
  }
}

/** In each test of the file time passes as the test says, and not else. */
export function stopTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export function framed(message: Message): Frame {
  return frameOf(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
}

function parsed(bytes: Buffer): Message {
  const found: Frame[] = [];
  new FrameSplitter({ onFrame: frame => void found.push(frame), onBroken: expect.unreachable }).push(bytes);
  expect(found).toHaveLength(1);
  expect(envelopeOf(found[0]!)).toBeDefined();
  const { jsonrpc, ...message } = JSON.parse(bodyOf(found[0]!).toString()) as Message & { readonly jsonrpc: string };
  expect(jsonrpc).toBe('2.0');
  return message;
}
