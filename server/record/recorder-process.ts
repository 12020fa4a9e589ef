// One `insitu record` or `insitu count` as a process of its own that ends with this one: its pipe is its lifeline, so that it stores its last window however we end.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { printableLine } from '../base/printable.ts';
import { formatProblem } from '../base/problem.ts';
import { ownCommand } from './own-command.ts';
import type { RecorderEvent } from './recorder.ts';

/** The further events of a process that counts calls. */
type CountEvent =
  | { readonly kind: 'counting' }
  | { readonly kind: 'followed' }
  | { readonly kind: 'counted'; readonly rows: readonly { readonly method: string; readonly times: string }[] };

/** The listener to a recorder while it runs. */
type RecorderListener = {
  readonly event: (event: RecorderEvent | CountEvent) => void;
  /** Is called when the process is gone; the text says why where it did not end well, and is empty else. */
  readonly ended: (reason: string) => void;
};

/** Reading what is left takes 5 s at most, storing it 15 s. */
const LONGEST_END_MILLIS = 30_000;

export class RecorderProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #lastError = '';

  /** @param args what follows `insitu`. */
  constructor([name, ...args]: readonly [string, ...string[]], folder: string, listener: RecorderListener) {
    const [command, ...before] = ownCommand();
    // In a group of its own: what ends the editor's processes together must not end it half-way.
    this.#child = spawn(command, [...before, name, '--json', '--until-eof', ...args], {
      cwd: folder,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const { stdin, stdout, stderr } = this.#child;
    // A recorder that is gone needs no lifeline.
    stdin?.on('error', () => undefined);
    for (const [stream, take] of [
      [stdout, (line: string) => this.#take(line, listener)],
      [stderr, (line: string) => this.#complain(line)],
    ] as const)
      if (stream !== null) createInterface({ input: stream }).on('line', take);
    this.#ended = new Promise(resolve => {
      const end = (reason: string): void => {
        listener.ended(reason);
        resolve();
      };
      this.#child.once('error', error => end(printableLine(error.message)));
      this.#child.once('close', (code, signal) =>
        end(code === 0 ? '' : this.#lastError || `the recorder ended with ${signal ?? `status ${code}`}`),
      );
    });
  }

  /** Lets it store what it has; resolves when it is gone. */
  async stop(): Promise<void> {
    this.letGo();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), LONGEST_END_MILLIS);
    await this.#ended;
    clearTimeout(timer);
  }

  /** The same without waiting for it. */
  letGo(): void {
    this.#child.stdin?.end();
  }

  #take(line: string, { event }: RecorderListener): void {
    const told = eventOf(line);
    if (told === null) return;
    if (told.kind === 'problem' && told.problem.severity === 'error') this.#lastError = formatProblem(told.problem);
    event(told);
  }

  #complain(line: string): void {
    const [, message] = /^error: (.*)$/.exec(line) ?? [];
    this.#lastError = message === undefined ? this.#lastError : printableLine(message);
  }
}

/** A line that is no event, such as a warning of Node's, says nothing. */
function eventOf(line: string): RecorderEvent | CountEvent | null {
  try {
    const event: RecorderEvent | CountEvent = JSON.parse(line);
    return typeof event === 'object' && event !== null && typeof event.kind === 'string' ? event : null;
  } catch {
    return null;
  }
}
