// How alike a declaration of the profiled text and one of the current text are, and which pairs of several are the most alike.
import type { Pair } from './matches.ts';
import type { SourceText } from './source-text.ts';
import { equalWords, isTelling } from './token-runs.ts';

/** Part of the words that two declarations without a common signature must share to be taken for one that was changed. */
export const SIMILAR = 0.5;
/** More pairs than these are not compared word by word. */
const MOST_COMPARED = 64;
/** How normal forms write the declaration's own name. */
const OWN_NAME = '@';

/** Row `before` of the profiled text and row `after` of the current one. */
export type DeclarationPair = {
  readonly profiled: SourceText;
  readonly before: number;
  readonly current: SourceText;
  readonly after: number;
};

/** Whether there are so few that each may be compared with each. */
export function canCompare(left: readonly number[], right: readonly number[]): boolean {
  return left.length * right.length <= MOST_COMPARED;
}

/** Pairs by falling measure, at least `SIMILAR`; where one is like two others, none. */
export function bestPairs(
  left: readonly number[],
  right: readonly number[],
  measure: (p: number, c: number) => number,
): Pair[] {
  if (!canCompare(left, right)) return [];
  const all = left.flatMap(p => right.map(c => ({ p, c, value: measure(p, c) })));
  const sorted = all.filter(({ value }) => value >= SIMILAR).sort((a, b) => b.value - a.value);
  const used = new Set<string>();
  const pairs: Pair[] = [];
  for (const { p, c, value } of sorted) {
    if (used.has(`p${p}`) || used.has(`c${c}`)) continue;
    const isTied = sorted.some(one => one.value === value && (one.p === p) !== (one.c === c));
    used.add(`p${p}`).add(`c${c}`);
    if (!isTied) pairs.push([p, c]);
  }
  return pairs;
}

/** Equal words, where calls of one's own name may have become calls of the old name, or have been calls of the new one. */
export function sameButForOwnName({ profiled, before, current, after }: DeclarationPair): boolean {
  const [nameBefore, nameNow] = [profiled.declaration(before).name, current.declaration(after).name];
  if (nameBefore === nameNow) return false;
  const [words, others] = [profiled.form(before).words, current.form(after).words];
  return (
    words.length === others.length &&
    words.every((word, i) => {
      const now = others[i];
      return word === now || (word === OWN_NAME && now === nameBefore) || (now === OWN_NAME && word === nameNow);
    })
  );
}

/** Words in common as a part of all words, 0 to 1; punctuation, which all code has in common, does not count. */
export function similarity({ profiled, before, current, after }: DeclarationPair): number {
  const words = profiled.form(before).words.filter(isTelling);
  const others = current.form(after).words.filter(isTelling);
  const common = equalWords(words, others).reduce((count, index) => count + (index >= 0 ? 1 : 0), 0);
  return (2 * common) / Math.max(1, words.length + others.length);
}

/** Members with the same code as a part of all members, 0 to 1; whatever the type that they stand in is called. */
export function sharedMembers({ profiled, before, current, after }: DeclarationPair): number {
  const keys = (side: SourceText, row: number) => {
    const { name } = side.declaration(row);
    const withoutName = (word: string) => (word === name ? '@type' : word);
    return side.children(row).map(child => side.form(child).words.map(withoutName).join(' '));
  };
  const members = keys(profiled, before);
  const others = new Set(keys(current, after));
  const most = Math.max(members.length, others.size);
  return most === 0 ? 0 : members.filter(key => others.has(key)).length / most;
}
