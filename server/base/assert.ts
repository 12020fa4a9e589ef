// Asserts for states that only a bug of ours can produce; outside data never reaches them unchecked.

/** Throws when `condition` is false. The message names the broken invariant. */
export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${invariant}`);
}
