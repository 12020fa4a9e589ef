// Which words of one list are which words of another: a longest common subsequence, found quickly where little has changed.

/** More differences than these are not looked for: the middle of two so different texts has nothing in common then. */
const MOST_DIFFERENCES = 600;

/**
 * For each word of `before` the index of its equal in `after`, −1 where it has none; the indices ascend. What both begin and end
 * with is equal without a search; between, the greedy algorithm of E. Myers, "An O(ND) difference algorithm and its
 * variations" (1986), finds the longest common subsequence. It gives up after `limit` words that are in one list only, so that its
 * cost stays below (N + M) · limit steps and limit² cells.
 */
export function equalWords(
  before: readonly string[],
  after: readonly string[],
  limit: number = MOST_DIFFERENCES,
): Int32Array {
  const partner = new Int32Array(before.length).fill(-1);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) partner[start] = start++;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) {
    same++;
    partner[before.length - same] = after.length - same;
  }
  const [n, m] = [before.length - same - start, after.length - same - start];
  if (n > 0 && m > 0) alignMiddle(before, after, { start, n, m, limit }, partner);
  return partner;
}

type Middle = { readonly start: number; readonly n: number; readonly m: number; readonly limit: number };

/** `furthest[k]` is the largest x reached on diagonal k = x − y with d differences; its states by d are the way back. */
function alignMiddle(
  before: readonly string[],
  after: readonly string[],
  { start, n, m, limit }: Middle,
  partner: Int32Array,
): void {
  const most = Math.min(n + m, limit);
  const furthest = new Int32Array(2 * most + 3);
  const zero = most + 1;
  const states: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    states.push(furthest.slice(zero - d - 1, zero + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && furthest[zero + k - 1]! < furthest[zero + k + 1]!);
      let x = down ? furthest[zero + k + 1]! : furthest[zero + k - 1]! + 1;
      let y = x - k;
      while (x < n && y < m && before[start + x] === after[start + y]) {
        x++;
        y++;
      }
      furthest[zero + k] = x;
      if (x >= n && y >= m) {
        walkBack(states, d, { start, n, m }, partner);
        return;
      }
    }
  }
}

function walkBack(
  states: readonly Int32Array[],
  last: number,
  { start, n, m }: Omit<Middle, 'limit'>,
  partner: Int32Array,
): void {
  let [x, y] = [n, m];
  for (let d = last; d >= 0; d--) {
    const state = states[d]!;
    const at = (k: number) => state[k + d + 1]!;
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const previous = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : at(previous);
    const fromY = d === 0 ? 0 : fromX - previous;
    while (x > fromX && y > fromY) {
      x--;
      y--;
      partner[start + x] = start + y;
    }
    x = fromX;
    y = fromY;
  }
}

/** Whether a word says more than punctuation, which all code has in common. */
export function isTelling(word: string): boolean {
  return /[\w$@]/.test(word);
}
