// Whose turn it is on the one wire to the client: a long list of ours lets what the Java server says go first, for a moment at most.
import { type Frame, lengthOf } from '../lsp/wire/frames.ts';

/** A longer message keeps the wire for as long as the client needs to read it. */
const LONG = 1 << 16;
/** Hints that are later by so much look the same; a key that was pressed is not answered later by a whole list. */
export const WAIT_MILLIS = 20;
/**
 * Behind a long list, and what came with it, the wire is the Java server's for so long: to whom asks for one after the other it would
 * never be free otherwise. Nobody types, or reads, lists of a whole file as quickly as that.
 */
export const REST_MILLIS = 50;

export type TurnsOptions = {
  /** @param taken told when the system has taken all of it. */
  readonly write: (frame: Frame, taken?: () => void) => void;
  /** Whether the client waits for an answer of the Java server's own. */
  readonly isJavaAwaited: () => boolean;
};

export class Turns {
  readonly #options: TurnsOptions;
  /** A long message, and what came of ours behind it. */
  #waiting: Frame[] = [];
  #timer: NodeJS.Timeout | null = null;
  /** From a long message on until the next ones may follow. */
  #isResting = false;

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
    if (!hasToWait && !isLong(frame)) {
      this.#options.write(frame);
      return;
    }
    this.#waiting.push(frame);
    if (!hasToWait && !this.#isResting) this.#look();
  }

  /** By the second turn, what has come while the long message was read is handed on. */
  #look(): void {
    setImmediate(() => setImmediate(() => this.#goOrWait()));
  }

  #goOrWait(): void {
    if (this.#options.isJavaAwaited()) this.#timer = setTimeout(() => this.#go(), WAIT_MILLIS);
    else this.#go();
  }

  /** The long message, and all behind it, other long ones too: with a pause each, those that come more quickly would pile up. */
  #go(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const frames = this.#waiting.splice(0);
    const last = frames.pop()!;
    this.#isResting = true;
    for (const frame of frames) this.#options.write(frame);
    this.#options.write(last, () => setTimeout(() => this.#rested(), REST_MILLIS));
  }

  #rested(): void {
    this.#isResting = false;
    if (this.#waiting.length > 0) this.#look();
  }
}

function isLong(frame: Frame): boolean {
  return lengthOf(frame) >= LONG;
}
