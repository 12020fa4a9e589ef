// Keeps trouble that comes back every second from being told every second.
import type { Problem } from '../base/problem.ts';

/** A problem that still goes on is told again after so long. */
const AGAIN_MILLIS = 600_000;
const MOST = 500;

/** Remembers the trouble that was told lately. */
export class Told {
  readonly #at = new Map<string, number>();

  /** Whether the problem was not told lately; then it counts as told now. */
  isNews({ file, message }: Problem): boolean {
    const text = `${file ?? ''}\n${message}`;
    const now = performance.now();
    const before = this.#at.get(text);
    if (before !== undefined && now - before < AGAIN_MILLIS) return false;
    this.#at.delete(text);
    this.#at.set(text, now);
    if (this.#at.size > MOST) this.#at.delete(this.#at.keys().next().value!);
    return true;
  }
}
