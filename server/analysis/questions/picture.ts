// The question for a part of the tree laid out: what ring charts, flame graphs and sandwiches are drawn from.
import type { Problem } from '../../base/problem.ts';
import type { MethodTable } from '../../cct/profile.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { type MethodKeys, type PathId, pathId } from '../../metrics/method-keys.ts';
import { type Layout, type LayoutWish, layOut } from '../../metrics/parts/lay-out.ts';
import type { Part } from '../../metrics/parts/parts.ts';
import type { KeptPartsWish } from '../kept-parts.ts';
import { type PictureColumns, pictureColumns } from '../picture-columns.ts';
import { descend, stepsElsewhere } from '../picture-root.ts';
import { searchMethods } from '../search-methods.ts';
import type { Question } from './question.ts';

export type PictureWish = Pick<KeptPartsWish, 'recursion' | 'library' | 'own'> &
  Omit<LayoutWish, 'order'> & {
    readonly direction: 'callees' | 'callers';
    /** Key of a method whose outermost occurrences are the top; null for everything. */
    readonly of: string | null;
    /** Keys of the methods from below the top to the root of the picture; the first may be an anchor, the id of a call path. */
    readonly root: readonly string[];
    /** The root's methods without their calling contexts. Callees only. */
    readonly isAggregated: boolean;
    /** `kept`: siblings whose ids are in the list stand in its order, others follow them, heaviest first. Two numbers an id. */
    readonly order: 'weight' | 'name' | { readonly kept: Int32Array };
    readonly search: string | null;
  };

/**
 * Parts between the root of a picture and the first row that is drawn, each behind the one above it: callers need them to find the same
 * call paths in other data.
 */
type RowsAbove = {
  /** −1 for the root. */
  readonly parent: Int32Array;
  /** Row of the method table. */
  readonly method: Int32Array;
  /** Per box of the first row that is drawn: the part above it; −1 for other boxes, and where the root is drawn. */
  readonly ofBox: Int32Array;
};

export type Picture = {
  /** Everything that is looked at. */
  readonly whole: Amount;
  readonly root: {
    /** Keys of the steps that were found, without steps that folding took away. */
    readonly steps: readonly string[];
    /** Row of the method; ROOT_METHOD for everything. */
    readonly method: number;
    readonly total: Amount;
    /** How many of the wanted steps lead to nothing. */
    readonly missing: number;
  };
  readonly columns: PictureColumns;
  /** Parts above the first row that was asked for; empty where that is the root's. */
  readonly above: RowsAbove;
  readonly sums: Layout['sums'];
  readonly coarser: number;
  readonly problems: readonly Problem[];
};

/** No picture has more boxes. */
const MOST_BOXES = 20_000;

export const picture: Question<PictureWish, Picture> = (data, wish, pause) => {
  const { analysis } = data;
  const { parts: kept } = data.answers;
  const keys = data.answers.keysOf(analysis.profile.methods);
  const of = wish.of === null ? null : keys.rowOf(wish.of);
  const partsWish = { ...wish, methods: of === null ? null : of < 0 ? [] : [of] };
  const parts = kept.of(analysis, partsWish, pause);
  const library = kept.libraryOf(analysis.profile.methods, wish.own);
  const found = searchMethods(analysis.profile.methods, wish.search ?? '', pause);
  const way = descend({ parts, keys, pause, isMerged: wish.recursion }, wish.root, anchor =>
    stepsElsewhere(data, partsWish, anchor, pause),
  );
  const root = wish.isAggregated && wish.direction === 'callees' ? parts.aggregated(way.part, pause) : way.part;
  const layout = layOut(
    root,
    {
      below: part => parts.below(part, pause),
      rootId: way.id,
      idOf: (above, method) => pathId(above, keys.hashOf(method)),
    },
    { ...wish, most: Math.min(wish.most, MOST_BOXES), order: siblingOrder(analysis.profile.methods, keys, wish.order) },
    pause,
  );
  kept.keep(partsWish, parts);
  return {
    whole: analysis.whole,
    root: { steps: way.steps, method: root.method, total: root.total, missing: way.missing },
    columns: pictureColumns(layout, { fits: found.fits, library, selfOf: part => parts.selfOf(part, pause) }),
    above: rowsAbove(layout.boxes, [way.part, root]),
    sums: layout.sums,
    coarser: layout.coarser,
    problems: found.problems,
  };
};

/** Siblings come heaviest first. */
function siblingOrder(methods: MethodTable, keys: MethodKeys, order: PictureWish['order']): LayoutWish['order'] {
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

/** @param roots the root of the picture, also as the parts below know it. */
function rowsAbove(boxes: Layout['boxes'], roots: readonly Part[]): RowsAbove {
  const rows = new Map<Part, number>();
  const [parent, method]: number[][] = [[], []];
  const add = (part: Part, above: number) => {
    rows.set(part, parent!.length);
    parent!.push(above);
    method!.push(part.method);
  };
  const rowOf = (part: Part): number => {
    const missing: Part[] = [];
    let at = part;
    for (; !rows.has(at) && !roots.includes(at) && at.above !== null; at = at.above) missing.push(at);
    const known = roots.includes(at) ? roots[0]! : at;
    if (!rows.has(known)) add(known, -1);
    let row = rows.get(known)!;
    for (const each of missing.reverse()) {
      add(each, row);
      row = rows.get(each)!;
    }
    return row;
  };
  const ofBox = Int32Array.from(boxes, ({ part, above, row }) =>
    above >= 0 || row === 0 || part.above === null ? -1 : rowOf(part.above),
  );
  return { parent: Int32Array.from(parent!), method: Int32Array.from(method!), ofBox };
}
