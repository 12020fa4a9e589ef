// Two lists of keys: whether they are the same, the keys that occur once in both, and the keys between these.

/** An index in each list. */
export type IndexPair = readonly [before: number, after: number];

/** The same keys in the same order, each but once. */
export function isSameList(before: readonly (string | null)[], after: readonly (string | null)[]): boolean {
  if (before.length !== after.length || before.some((text, i) => text !== after[i])) return false;
  const texts = before.filter(text => text !== null);
  return new Set(texts).size === texts.length;
}

/** Index pairs of keys that occur exactly once in each list, ascending by the first. */
export function* uniqueInBoth(before: readonly string[], after: readonly string[]): Generator<IndexPair> {
  const places = Map.groupBy(after.keys(), j => after[j]!);
  for (const [key, rows] of Map.groupBy(before.keys(), i => before[i]!)) {
    const others = places.get(key);
    if (rows.length === 1 && others?.length === 1) yield [rows[0]!, others[0]!];
  }
}

type Gap = { readonly before: readonly number[]; readonly after: readonly number[] };

/** The index ranges between neighbouring anchors that kept their order. */
export function* gapsBetween(anchors: readonly IndexPair[], before: number, after: number): Generator<Gap> {
  const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  const sorted = [...anchors].sort((a, b) => a[0] - b[0]);
  let last: IndexPair = [-1, -1];
  const taken = new Set(anchors.map(([, j]) => j));
  for (const next of [...sorted, [before, after] as const]) {
    if (next[1] > last[1]) {
      const right = range(last[1] + 1, next[1]).filter(j => !taken.has(j));
      const left = range(last[0] + 1, next[0]);
      if (left.length > 0 && right.length > 0) yield { before: left, after: right };
    }
    last = next;
  }
}
