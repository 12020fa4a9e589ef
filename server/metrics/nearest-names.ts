// Finds which of many names may have been meant by a name that is not among them.
import { noPause, type Pause } from '../base/pause.ts';

/** A name with this part of its letters different is another name. */
const LARGEST_DIFFERENCE = 1 / 3;

/** Longer names are not compared letter by letter, which takes the product of both lengths. */
const MOST_LETTERS = 1_000;

/** Names compared in one step. */
const STEP = 256;

/**
 * Names most like `wanted`, best first: names that differ from it in case only or end in it at a name boundary, then names with
 * the fewest different letters. A name that differs in more than a third of the letters behind the common first segments is left out.
 */
export function nearestNames(names: Iterable<string>, wanted: string, most = 3, pause: Pause = noPause): string[] {
  const scored: { name: string; score: number }[] = [];
  const lower = wanted.toLowerCase();
  let compared = 0;
  for (const name of new Set(names)) {
    if (++compared % STEP === 0) pause();
    const score = difference(name.toLowerCase(), lower);
    if (score <= LARGEST_DIFFERENCE) scored.push({ name, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return scored.slice(0, most).map(({ name }) => name);
}

/** 0 for equal texts, 1 for texts with nothing in common. */
function difference(name: string, wanted: string): number {
  if (name === wanted) return 0;
  if (/[.$]/.test(name[name.length - wanted.length - 1] ?? '') && name.endsWith(wanted)) return 0.01;
  // Packages and classes that both have say nothing about how alike the rest is.
  const from = commonSegments(name, wanted);
  const [a, b] = [name.slice(from), wanted.slice(from)];
  const longest = Math.max(a.length, b.length);
  const least = Math.abs(a.length - b.length) / longest;
  return least > LARGEST_DIFFERENCE || longest > MOST_LETTERS ? 1 : editDistance(a, b) / longest;
}

/** Length of the beginning that two names share, up to a name boundary. */
function commonSegments(a: string, b: string): number {
  let from = 0;
  for (let i = 0; i < a.length && a[i] === b[i]; i++) if (a[i] === '.' || a[i] === '$') from = i + 1;
  return from;
}

/** Fewest letters to insert, delete, replace, or swap with their neighbour (F. J. Damerau, 1964; no letter is changed twice). */
function editDistance(a: string, b: string): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swaps = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = swaps ? twoAbove[j - 2]! + 1 : replaced;
      row.push(Math.min(replaced, swapped, above[j]! + 1, row[j - 1]! + 1));
    }
    twoAbove = above;
    above = row;
  }
  return above[b.length]!;
}
