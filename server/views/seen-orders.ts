// In which order pages have first seen the parts of their pictures, so that siblings keep their places while data grow.
import { LRUCache } from 'lru-cache';

/** So many pages' orders are kept, */
const MOST_PAGES = 32;
/** each with the parts that it saw last. */
const MOST_PARTS = 50_000;

export class SeenOrders {
  /** By the page's name: keys of parts with the two numbers of their ids. */
  readonly #pages = new LRUCache<string, Map<number, readonly [number, number]>>({ max: MOST_PAGES });

  /** Two numbers a part, those first that were seen first. */
  of(page: string): Int32Array {
    return Int32Array.from([...(this.#pages.get(page)?.values() ?? [])].flat());
  }

  /** @param ids two numbers a part. */
  saw(page: string, ids: Int32Array): void {
    const seen = this.#pages.get(page) ?? new Map<number, readonly [number, number]>();
    this.#pages.set(page, seen);
    for (let at = 0; at + 1 < ids.length; at += 2) {
      const [high, low] = [ids[at]!, ids[at + 1]!];
      // 53 of the 64 bits.
      const key = (high >>> 0) * 0x20_0000 + (low >>> 11);
      if (!seen.has(key)) seen.set(key, [high, low]);
    }
    for (const oldest of seen.keys()) {
      if (seen.size <= MOST_PARTS) break;
      seen.delete(oldest);
    }
  }
}
