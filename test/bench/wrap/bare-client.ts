// A client for the benchmark that parses nothing but what is measured: megabytes of hints keep none of its messages waiting.
import { type ChildProcess, spawn } from 'node:child_process';
import { bodyOf, type Frame, FrameSplitter, messageFrame } from '../../../server/lsp/wire/split-messages.ts';
import { envelopeOf } from '../../../server/proxy/envelope.ts';

/** An answer, and when the bytes came that made it whole, in nanoseconds of the machine's clock. */
export type Arrived = { readonly frame: Frame; readonly came: bigint };

export class BareClient {
  readonly process: ChildProcess;
  readonly #waiting = new Map<string, (arrived: Arrived) => void>();
  readonly #lookedFor = new Map<string, () => void>();
  #lastId = 0;
  #came = 0n;

  constructor(command: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const [program = '', ...args] = command;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } });
    const splitter = new FrameSplitter({
      onFrame: frame => this.#take(frame),
      onBroken: reason => {
        throw new Error(reason);
      },
    });
    child.stdout.on('data', (chunk: Buffer) => {
      this.#came = process.hrtime.bigint();
      splitter.push(chunk);
    });
    this.process = child;
  }

  notify(method: string, params: object): void {
    this.#write({ method, params });
  }

  /** @returns when it left, and its answer. */
  request(method: string, params: object): { readonly left: bigint; readonly answer: Promise<Arrived> } {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<Arrived>();
    this.#waiting.set(String(id), resolve);
    const { bytes } = messageFrame({ id, method, params });
    const left = process.hrtime.bigint();
    this.process.stdin?.write(bytes);
    return { left, answer: promise };
  }

  /** Resolves when a notification with this text comes. */
  whenTold(text: string): Promise<void> {
    return new Promise(resolve => this.#lookedFor.set(text, resolve));
  }

  #take(frame: Frame): void {
    const { method, id } = envelopeOf(frame);
    if (method === null && id !== null) {
      this.#waiting.get(id)?.({ frame, came: this.#came });
      this.#waiting.delete(id);
    } else if (method !== null && id !== null) this.#write({ id: JSON.parse(id), result: null });
    else
      for (const [text, told] of this.#lookedFor)
        if (bodyOf(frame).includes(text)) {
          this.#lookedFor.delete(text);
          told();
        }
  }

  #write(message: object): void {
    this.process.stdin?.write(messageFrame(message).bytes);
  }
}
