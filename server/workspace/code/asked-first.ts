// Does a few pieces of work at a time: pieces that were asked about first, the others in the order in which they came.

/** More pieces at once would only make each piece take longer. */
const AT_ONCE = 4;

type Piece = { readonly work: () => Promise<void>; readonly end: () => void; isHurried: boolean };

export class AskedFirst {
  readonly #waiting = new Map<string, Piece>();
  readonly #restMillis: number;
  /** Runs while pieces keep coming. */
  #rest: NodeJS.Timeout | null = null;
  #active = 0;

  /** @param restMillis a piece that nobody asks about begins when no piece has come for so long: a caller that adds many at once is not kept waiting */
  constructor(restMillis = 0) {
    this.#restMillis = restMillis;
  }

  /**
   * Resolves when the work has ended, however it ended, or will not be done: another piece with the same key takes the place of a piece
   * that has not begun.
   */
  add(key: string, work: () => Promise<void>): Promise<void> {
    this.drop(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(key, { work, end: resolve, isHurried: false });
    if (this.#restMillis > 0) this.#startRest();
    else this.#next();
    return promise;
  }

  /** The piece with the key comes next. */
  hurry(key: string): void {
    const piece = this.#waiting.get(key);
    if (piece === undefined) return;
    piece.isHurried = true;
    const others = [...this.#waiting].filter(([other]) => other !== key);
    this.#waiting.clear();
    for (const [each, waiting] of [[key, piece] as const, ...others]) this.#waiting.set(each, waiting);
    this.#next();
  }

  /** All pieces are asked about. */
  hurryAll(): void {
    clearTimeout(this.#rest ?? undefined);
    this.#rest = null;
    this.#next();
  }

  /** The piece with the key is not done, unless the piece has begun. */
  drop(key: string): void {
    const piece = this.#waiting.get(key);
    this.#waiting.delete(key);
    piece?.end();
  }

  #startRest(): void {
    clearTimeout(this.#rest ?? undefined);
    this.#rest = setTimeout(() => this.hurryAll(), this.#restMillis).unref();
  }

  #next(): void {
    while (this.#active < AT_ONCE) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const [key, { work, end, isHurried }] = first;
      if (this.#rest !== null && !isHurried) return;
      this.#waiting.delete(key);
      this.#active++;
      const ended = () => {
        this.#active--;
        end();
        this.#next();
      };
      void work().then(ended, ended);
    }
  }
}
