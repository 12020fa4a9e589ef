// In which order the callees of one part are drawn.
import type { MethodTable } from '../cct/profile.ts';
import { type MethodKeys, type PathId, pathId } from '../metrics/method-keys.ts';
import type { LayoutWish } from '../metrics/parts/lay-out.ts';

/** Siblings come heaviest first. */
export function siblingOrder(
  methods: MethodTable,
  keys: MethodKeys,
  order: 'weight' | 'name' | { readonly kept: Int32Array },
): LayoutWish['order'] {
  if (order === 'weight') return siblings => siblings;
  if (order === 'name')
    return siblings => [...siblings].sort((x, y) => (nameOf(methods, x.method) < nameOf(methods, y.method) ? -1 : 1));
  const ranks = ranksOf(order.kept);
  const rankOf = (above: PathId, method: number): number =>
    ranks.get(keyOf(pathId(above, keys.hashOf(method)))) ?? Number.POSITIVE_INFINITY;
  return (siblings, { id }) => {
    const ranked = siblings.map(part => ({ part, rank: rankOf(id, part.method) }));
    // Sorting is stable: new ones stay heaviest first.
    return ranked.sort((x, y) => (x.rank === y.rank ? 0 : x.rank - y.rank)).map(({ part }) => part);
  };
}

/** Simple name first, as labels begin with it. */
function nameOf({ strings, className, name }: MethodTable, row: number): string {
  const owner = strings[className[row]!]!;
  return `${owner.slice(owner.lastIndexOf('.') + 1)}.${strings[name[row]!]} ${owner}`;
}

function ranksOf(ids: Int32Array): ReadonlyMap<number, number> {
  const ranks = new Map<number, number>();
  for (let at = 0; at + 1 < ids.length; at += 2) ranks.set(keyOf([ids[at]!, ids[at + 1]!]), at);
  return ranks;
}

/** 53 of the 64 bits. */
function keyOf([high, low]: PathId): number {
  return (high >>> 0) * 0x20_0000 + (low >>> 11);
}
