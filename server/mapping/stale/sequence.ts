// Which members stand in another order than they did: all but the longest list of them that kept it.
import { longestAscending } from './longest-ascending.ts';
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
