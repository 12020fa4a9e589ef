// Starts the real language server and speaks to it in bytes, for clients that keep no rule of the protocol.
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insituProgram } from './program.ts';

const CACHES = join(tmpdir(), 'insitu-test-caches');

/** Any message of the server. */
export type RawMessage = {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
};

export type RawServer = {
  write(bytes: string | Uint8Array): void;
  /** Sends a message in a correct frame. */
  send(message: unknown): void;
  /** Sends a request and waits for its answer, or for the end of the process, which gives null. */
  ask(id: number | string, method: string, params?: unknown): Promise<RawMessage | null>;
  /** Waits for a message that fits; null when the process has ended without one. */
  next(fits: (message: RawMessage) => boolean): Promise<RawMessage | null>;
  /** Closes its input. */
  close(): void;
  kill(): void;
  readonly received: readonly RawMessage[];
  /** Exit status. */
  readonly ended: Promise<number | null>;
  /** The text that it wrote to standard error. */
  errors(): string;
};

export function frame(body: string): string {
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** @param more behind `lsp --stdio`. */
export function startRaw(more: readonly string[] = [], env: Readonly<Record<string, string>> = {}): RawServer {
  const child = spawn(process.execPath, [insituProgram, 'lsp', '--stdio', ...more], {
    stdio: 'pipe',
    env: { ...process.env, XDG_CACHE_HOME: CACHES, ...env },
  });
  const received: RawMessage[] = [];
  const waiting = new Set<() => void>();
  const news = (): void => {
    for (const look of waiting) look();
  };
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  let hasEnded = false;
  let errors = '';
  child.on('close', status => {
    hasEnded = true;
    resolve(status);
    news();
  });
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  // The process may have ended.
  child.stdin.on('error', () => {});
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      const length = Number(/^Content-Length: (\d+)$/m.exec(rest.toString('latin1', 0, Math.max(0, end)))?.[1]);
      if (end < 0 || !(rest.length >= end + 4 + length)) break;
      received.push(JSON.parse(rest.toString('utf8', end + 4, end + 4 + length)) as RawMessage);
      rest = rest.subarray(end + 4 + length);
    }
    news();
  });
  const next = (fits: (message: RawMessage) => boolean): Promise<RawMessage | null> =>
    new Promise(found => {
      const look = (): void => {
        const message = received.find(fits);
        if (message === undefined && !hasEnded) return;
        waiting.delete(look);
        found(message ?? null);
      };
      waiting.add(look);
      look();
    });
  const write = (bytes: string | Uint8Array): void => void child.stdin.write(bytes);
  const send = (message: unknown): void => write(frame(JSON.stringify(message)));
  return {
    write,
    send,
    ask: (id, method, params) => {
      send({ jsonrpc: '2.0', id, method, params });
      return next(message => message.id === id && message.method === undefined);
    },
    next,
    close: () => void child.stdin.end(),
    kill: () => void child.kill('SIGKILL'),
    received,
    ended,
    errors: () => errors,
  };
}
