// Which members stand in another order than they did: all but the longest list of them that kept it.
import type { Matches } from './matches.ts';
import { isNamedType, type SourceText } from './source-text.ts';

/** Current rows of members (of types and of the file) that were moved among their neighbours. */
export function outOfOrder(current: SourceText, { profiledOf }: Matches): ReadonlySet<number> {
  const moved = new Set<number>();
  const parents = [-1, ...current.outline.declarations.filter(isNamedType).map(({ row }) => row)];
  for (const parent of parents) {
    const rows = current.children(parent).filter(row => profiledOf[row]! >= 0);
    const places = rows.map(row => profiledOf[row]!);
    if (places.every((place, i) => i === 0 || places[i - 1]! < place)) continue;
    const kept = longestAscending(places);
    rows.forEach((row, i) => {
      if (!kept.has(i)) moved.add(row);
    });
  }
  return moved;
}

/** Indices of a longest ascending subsequence of distinct numbers. */
export function longestAscending(numbers: readonly number[]): Set<number> {
  /** `ends[k]`: index of the smallest number that ends an ascending list of k + 1. */
  const ends: number[] = [];
  const previous = new Int32Array(numbers.length).fill(-1);
  for (let i = 0; i < numbers.length; i++) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[ends[middle]!]! < numbers[i]!) low = middle + 1;
      else high = middle;
    }
    previous[i] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = i;
  }
  const kept = new Set<number>();
  for (let i = ends.at(-1) ?? -1; i >= 0; i = previous[i]!) kept.add(i);
  return kept;
}
