// The question for a part of the tree laid out: what ring charts, flame graphs and sandwiches are drawn from.
import type { Pause } from '../../base/pause.ts';
import type { Problem } from '../../base/problem.ts';
import { ROOT_METHOD } from '../../cct/profile.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { type MethodKeys, type PathId, pathId } from '../../metrics/method-keys.ts';
import { type Layout, type LayoutWish, layOut } from '../../metrics/parts/lay-out.ts';
import type { Part, Parts } from '../../metrics/parts/parts.ts';
import { anchoredPart } from '../anchored-part.ts';
import type { KeptPartsWish } from '../kept-parts.ts';
import type { LoadedData } from '../loaded-data.ts';
import { type PictureColumns, pictureColumns } from '../picture-columns.ts';
import { type RowsAbove, rowsAbove } from '../rows-above.ts';
import { searchMethods } from '../search-methods.ts';
import { siblingOrder } from '../sibling-order.ts';
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

export type Picture = {
  /** Everything that is looked at. */
  readonly whole: Amount;
  readonly root: {
    /** Keys of those steps that were found; those that folding took away are left out. */
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

type Descent = {
  readonly part: Part;
  readonly id: PathId;
  readonly steps: readonly string[];
  /** How many of the wanted steps lead to nothing; those that folding took away do not count. */
  readonly missing: number;
};

type Descending = {
  readonly parts: Parts;
  readonly keys: MethodKeys;
  readonly pause: Pause;
  readonly isMerged: boolean;
};

/** Steps that are not there at once may lie below frames of libraries: so many parts are looked at for one, */
const MOST_LOOKED_AT = 10_000;
/** and so many for all of them. */
const MOST_IN_ALL = 500_000;

/** Goes down from the top along the steps, as far as they lead to something. */
function descend(
  { parts, keys, pause, isMerged }: Descending,
  given: readonly string[],
  elsewhere: (anchor: string) => readonly string[] | null,
): Descent {
  const [first] = given;
  const anchor = first?.startsWith('@') === true ? first : null;
  const top = topOf(parts, keys);
  const anchored = anchor === null ? null : anchoredPart(parts, keys, top, anchor, pause);
  const before = anchor === null || anchored !== null ? null : elsewhere(anchor);
  const wanted = before === null ? given : [...before, ...given.slice(1)];
  const looked = { left: MOST_IN_ALL };
  let at = anchored ?? top;
  let taken = anchored === null ? 0 : 1;
  for (const [i, key] of wanted.entries()) {
    if (i < taken) continue;
    const method = keys.rowOf(key);
    const host = isMerged ? hostOf(at.part, method) : null;
    const way = host === null ? stepsTo({ parts, pause, looked }, at.part, method) : [];
    // A step that is not there may have been folded into the part above: the next steps tell.
    if (way === null) continue;
    if (host !== null) at = { part: host, id: idOf(host, top, keys) };
    for (const part of way) at = { part, id: pathId(at.id, keys.hashOf(part.method)) };
    taken = i + 1;
  }
  return { ...at, steps: stepsFromTop(at.part, keys), missing: wanted.length - taken };
}

type AnchoredPart = { readonly part: Part; readonly id: PathId };

function topOf({ top }: Parts, keys: MethodKeys): AnchoredPart {
  return { part: top, id: top.method === ROOT_METHOD ? [0, 0] : pathId([0, 0], keys.hashOf(top.method)) };
}

/** Where recursion is merged, a method that runs already goes on there; null where it does not run yet. */
function hostOf(part: Part, method: number): Part | null {
  for (let at: Part | null = part; at !== null; at = at.above) if (at.method === method) return at;
  return null;
}

function idOf(part: Part, top: AnchoredPart, keys: MethodKeys): PathId {
  return methodsFromTop(part).reduce<PathId>((id, method) => pathId(id, keys.hashOf(method)), top.id);
}

/** The methods to the part that had the anchor before recursion was merged or libraries folded, or after it. */
function stepsElsewhere(
  { analysis, answers }: LoadedData,
  wish: KeptPartsWish,
  anchor: string,
  pause: Pause,
): readonly string[] | null {
  const keys = answers.keysOf(analysis.profile.methods);
  for (const recursion of [false, true])
    for (const library of [false, true]) {
      if (recursion === wish.recursion && library === wish.library) continue;
      const parts = answers.parts.of(analysis, { ...wish, recursion, library }, pause);
      const found = anchoredPart(parts, keys, topOf(parts, keys), anchor, pause);
      if (found !== null) return stepsFromTop(found.part, keys);
    }
  return null;
}

function stepsFromTop(part: Part, keys: MethodKeys): readonly string[] {
  return methodsFromTop(part).map(keys.keyOf);
}

/** Those below the top. */
function methodsFromTop(part: Part): readonly number[] {
  const methods: number[] = [];
  for (let at = part; at.above !== null; at = at.above) methods.push(at.method);
  return methods.reverse();
}

type Looking = Pick<Descending, 'parts' | 'pause'> & { readonly looked: { left: number } };

/** The parts from below a part to the heaviest nearest one of the method; null where there is none. */
function stepsTo({ parts, pause, looked }: Looking, from: Part, method: number): readonly Part[] | null {
  if (method < 0) return null;
  const queue: Part[] = [from];
  for (let i = 0; i < queue.length && i < MOST_LOOKED_AT && (i === 0 || looked.left > 0); i++) {
    looked.left--;
    const part = queue[i]!;
    const below = parts.below(part, pause);
    const found = below.find(each => each.method === method);
    if (found === undefined) {
      queue.push(...below);
      continue;
    }
    const way = [found];
    for (let above = found.above; above !== from && above !== null; above = above.above) way.unshift(above);
    return way;
  }
  return null;
}
