// Whose turn it is on the one wire to the client: a long list of ours lets what the Java server says go first, for a moment at most.
import { type Frame, lengthOf } from './frames.ts';

/** A longer message keeps the wire for as long as the client needs to read it. */
const LONG = 1 << 16;
/** Hints that are later by so much look the same; a key that was pressed is not answered later by a whole list. */
export const WAIT_MILLIS = 20;

export type TurnsOptions = {
  readonly write: (frame: Frame) => void;
  /** Whether the client waits for an answer of the Java server's own. */
  readonly isJavaAwaited: () => boolean;
};

export class Turns {
  readonly #options: TurnsOptions;
  /** A long message, and what came of ours behind it. */
  #waiting: Frame[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Of the Java server: at once. */
  java(frame: Frame): void {
    this.#options.write(frame);
    if (this.#timer !== null && !this.#options.isJavaAwaited()) this.#go();
  }

  /** Of ours, or of both: in their order. */
  own(frame: Frame): void {
    const hasToWait = this.#waiting.length > 0;
    if (!hasToWait && lengthOf(frame) < LONG) {
      this.#options.write(frame);
      return;
    }
    this.#waiting.push(frame);
    // By the second one, what has come while the long message was read is handed on.
    if (!hasToWait) setImmediate(() => setImmediate(() => this.#goOrWait()));
  }

  #goOrWait(): void {
    if (this.#options.isJavaAwaited()) this.#timer = setTimeout(() => this.#go(), WAIT_MILLIS);
    else this.#go();
  }

  #go(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const frame of this.#waiting.splice(0)) this.#options.write(frame);
  }
}
