// Follows how much each part has grown lately, from one frame to the next: it glows with a half-life of 5 seconds.
import type { Frame } from './frame-decoder.ts';

const HALF_LIFE = 5000;
const SPAN = 10_000;

type Growth = { readonly weight: number; readonly glow: number; readonly at: number };

export class Glow {
  #growth = new Map<number, Growth>();
  /** Weights by id, at most one frame a second, the oldest one at least 10 s old where there is one. */
  #past: { readonly at: number; readonly weights: ReadonlyMap<number, number> }[] = [];
  /** Another question has other parts: its first frame says nothing of growth. */
  #question = '';

  /** Takes the next frame, at a time in milliseconds. Parts that were not there before have grown by all that they have. */
  take({ boxes }: Frame, at: number, question: string): void {
    const isFirst = question !== this.#question || this.#growth.size === 0;
    if (isFirst) this.#past = [];
    this.#question = question;
    const next = new Map<number, Growth>();
    const weights = new Map<number, number>();
    boxes.id.forEach((id, box) => {
      const weight = boxes.weight[box] ?? 0;
      weights.set(id, weight);
      const before = this.#growth.get(id);
      const grown = isFirst ? 0 : Math.max(0, weight - (before?.weight ?? 0));
      const rest = isFirst || before === undefined ? 0 : before.glow * fading(at - before.at);
      next.set(id, { weight, glow: rest + grown, at });
    });
    this.#growth = next;
    if (at - (this.#past.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= 1000) this.#past.push({ at, weights });
    while ((this.#past[1]?.at ?? at) <= at - SPAN) this.#past.shift();
  }

  /** The recent gain of a part, fading, in the metric's unit. */
  of(id: number, at: number): number {
    const growth = this.#growth.get(id);
    return growth === undefined ? 0 : growth.glow * fading(at - growth.at);
  }

  /** The gain of a part in the last 10 seconds, as far as it was watched. */
  lately(id: number): number {
    const now = this.#growth.get(id)?.weight ?? 0;
    const oldest = this.#past[0]?.weights;
    return oldest === undefined ? 0 : Math.max(0, now - (oldest.get(id) ?? 0));
  }

  /** Whether there is something to see fade. */
  isActive(at: number): boolean {
    for (const { glow, at: since } of this.#growth.values()) if (glow > 0 && at - since < 6 * HALF_LIFE) return true;
    return false;
  }
}

function fading(millis: number): number {
  return 2 ** (-Math.max(0, millis) / HALF_LIFE);
}
