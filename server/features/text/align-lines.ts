// Lines of two texts beside each other.

/** Two lines that stand beside each other, by their places; null where the other text has no such line. */
type LinePair = { readonly before: number | null; readonly now: number | null; readonly same: boolean };

/** More lines on both sides, multiplied, are not aligned: the middle then stands as changed. */
const MOST_PAIRS = 4_000_000;

/**
 * Lines of two texts beside each other: equal ones as a longest common subsequence; of those between, changed lines stand beside each
 * other in their order. White space at both ends of a line makes it no other line.
 */
export function alignLines(before: readonly string[], now: readonly string[]): readonly LinePair[] {
  const [first, second] = [before, now].map(lines => lines.map(line => line.trim())) as [string[], string[]];
  let start = 0;
  while (start < first.length && start < second.length && first[start] === second[start]) start++;
  let end = 0;
  while (end < Math.min(first.length, second.length) - start && first.at(-1 - end) === second.at(-1 - end)) end++;
  const equal = [
    ...Array.from({ length: start }, (_, at) => [at, at] as const),
    ...common(first.slice(start, first.length - end), second.slice(start, second.length - end)).map(
      ([a, b]) => [start + a, start + b] as const,
    ),
    ...Array.from({ length: end }, (_, at) => [first.length - end + at, second.length - end + at] as const),
    [first.length, second.length] as const,
  ];
  const pairs: LinePair[] = [];
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of equal) {
    for (; a < nextA || b < nextB; a++, b++)
      pairs.push({ before: a < nextA ? a : null, now: b < nextB ? b : null, same: false });
    [a, b] = [nextA + 1, nextB + 1];
    if (nextA < first.length) pairs.push({ before: nextA, now: nextB, same: true });
  }
  return pairs;
}

/** Places of a longest common subsequence. */
function common(first: readonly string[], second: readonly string[]): (readonly [number, number])[] {
  const width = second.length + 1;
  if (first.length * second.length > MOST_PAIRS) return [];
  const longest = new Uint32Array((first.length + 1) * width);
  for (let a = first.length - 1; a >= 0; a--)
    for (let b = second.length - 1; b >= 0; b--)
      longest[a * width + b] =
        first[a] === second[b]
          ? longest[(a + 1) * width + b + 1]! + 1
          : Math.max(longest[(a + 1) * width + b]!, longest[a * width + b + 1]!);
  const found: (readonly [number, number])[] = [];
  for (let a = 0, b = 0; a < first.length && b < second.length; ) {
    if (first[a] === second[b]) found.push([a++, b++]);
    else if (longest[(a + 1) * width + b]! >= longest[a * width + b + 1]!) a++;
    else b++;
  }
  return found;
}
