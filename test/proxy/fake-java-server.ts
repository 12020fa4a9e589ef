// A Java server that does what a test says: answers, waits, floods, falls silent, dies. It speaks the protocol without any library, so that bytes are its own.
import { Buffer } from 'node:buffer';
import { connect } from 'node:net';
import { FrameSplitter } from '../../server/lsp/wire/split-messages.ts';

/** The wishes of the test, as JSON in the environment variable FAKE_JAVA. */
export type FakeJava = {
  readonly capabilities?: object;
  /** Ends with this status before it says anything, after writing to standard error. */
  readonly diesAtStart?: number;
  /** Result of each method; without one the answer is `{"method":…}`. */
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly errors?: Readonly<Record<string, { readonly code: number; readonly message: string }>>;
  /** Milliseconds before the answer of a method; null for never. */
  readonly delays?: Readonly<Record<string, number | null>>;
  /** Text that is written to standard output before the first message. */
  readonly greeting?: string;
  /** Ends by no word, no closed pipe and no signal that it can ignore, but with the connection that it keeps to this socket. */
  readonly stays?: string;
};

/** Requests that make it do something; each is passed through to it as any other. */
export type FakeOrder =
  | { readonly kind: 'received' }
  | { readonly kind: 'write'; readonly text: string }
  | { readonly kind: 'end'; readonly status: number; readonly text?: string }
  | { readonly kind: 'close' }
  | { readonly kind: 'stall' }
  | { readonly kind: 'chatter' }
  | { readonly kind: 'flood'; readonly messages: number };

type Message = {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
};

if (process.env.FAKE_JAVA !== undefined) run(JSON.parse(process.env.FAKE_JAVA) as FakeJava);

function run(told: FakeJava): void {
  if (told.diesAtStart !== undefined) {
    process.stderr.write('java.lang.NoClassDefFoundError: org/acme/Launcher\n');
    process.exitCode = told.diesAtStart;
    return;
  }
  if (told.stays !== undefined) {
    connect(told.stays).on('close', () => process.exit(4));
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
    process.stdout.on('error', () => {});
  }
  process.stdout.write(told.greeting ?? '');
  const received: string[] = [];
  const splitter = new FrameSplitter({
    onFrame: ({ bytes, bodyStart }) => {
      received.push(bytes.toString());
      const message = JSON.parse(bytes.toString('utf8', bodyStart)) as Message;
      if (message.method === 'exit' && told.stays === undefined) process.exit(0);
      if (message.method === 'fake/do') obey(message, received);
      else if (message.id !== undefined && message.method !== undefined) answer(told, message);
    },
    onBroken: reason => {
      throw new Error(reason);
    },
  });
  process.stdin.on('data', (chunk: Buffer) => splitter.push(chunk));
  if (told.stays === undefined) process.stdin.on('end', () => process.exit(3));
}

function answer({ capabilities, answers, errors, delays }: FakeJava, { id, method = '' }: Message): void {
  const delay = delays?.[method] ?? (delays !== undefined && method in delays ? null : 0);
  if (delay === null) return;
  const known =
    method === 'initialize' ? { capabilities: capabilities ?? {} } : method === 'shutdown' ? null : { method };
  const result = answers !== undefined && method in answers ? answers[method] : known;
  const outcome = errors?.[method] === undefined ? { result } : { error: errors[method] };
  setTimeout(() => send({ jsonrpc: '2.0', id, ...outcome }), delay);
}

function obey({ id, params }: Message, received: readonly string[]): void {
  const order = params as FakeOrder;
  switch (order.kind) {
    case 'received':
      send({ jsonrpc: '2.0', id, result: received });
      return;
    case 'write':
      process.stdout.write(order.text);
      send({ jsonrpc: '2.0', id, result: null });
      return;
    case 'end':
      process.stdout.write(order.text ?? '', () => process.exit(order.status));
      return;
    case 'close':
      process.stdin.removeAllListeners('end');
      process.stdout.end('Content-Length: 500\r\n\r\n{"jsonrpc":');
      return;
    case 'stall':
      send({ jsonrpc: '2.0', id, result: null });
      process.stdin.pause();
      // The server lives on, and reads no more.
      setInterval(() => {}, 1_000);
      return;
    case 'chatter':
      setInterval(() => send({ jsonrpc: '2.0', method: 'window/logMessage', params: { type: 4, message: 'x' } }), 10);
      send({ jsonrpc: '2.0', id, result: null });
      return;
    case 'flood': {
      const line = { jsonrpc: '2.0', method: 'window/logMessage', params: { type: 4, message: 'x'.repeat(1_000) } };
      for (let i = 0; i < order.messages; i++) send(line);
      send({ jsonrpc: '2.0', id, result: order.messages });
    }
  }
}

function send(message: object): void {
  process.stdout.write(framed(JSON.stringify(message)));
}

export function framed(body: string): string {
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
