// The longest list of numbers that ascend, of some that need not.

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
