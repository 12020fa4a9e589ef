// The question for a part of the tree laid out: what ring charts, flame graphs and sandwiches are drawn from.
import type { Pause } from '../../base/pause.ts';
import type { Problem } from '../../base/problem.ts';
import { ROOT_METHOD } from '../../cct/profile.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { type MethodKeys, type PathId, pathId } from '../../metrics/method-keys.ts';
import { type Layout, type LayoutWish, layOut } from '../../metrics/parts/lay-out.ts';
import type { Part, Parts } from '../../metrics/parts/parts.ts';
import { effectiveWhole } from '../../metrics/queries.ts';
import { anchoredPart } from '../anchored-part.ts';
import type { KeptPartsWish } from '../kept-parts.ts';
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
  /** How many equally weighted samples have the sampling error of the whole. */
  readonly effectiveWhole: number;
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
  const way = descend({ parts, keys, pause }, wish.root);
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
    effectiveWhole: effectiveWhole(analysis),
    root: { steps: way.steps, method: root.method, total: root.total, missing: wish.root.length - way.taken },
    columns: pictureColumns(layout, { fits: found.fits, library }),
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
  /** How many of the wanted steps lead here, those that folding took away included. */
  readonly taken: number;
};

type Descending = { readonly parts: Parts; readonly keys: MethodKeys; readonly pause: Pause };

/** Steps that are not there at once may lie below frames of libraries: so many parts are looked at for one. */
const MOST_LOOKED_AT = 10_000;

/** Goes down from the top along the steps, as far as they lead to something. */
function descend({ parts, keys, pause }: Descending, wanted: readonly string[]): Descent {
  const topId: PathId = parts.top.method === ROOT_METHOD ? [0, 0] : pathId([0, 0], keys.hashOf(parts.top.method));
  const top: Descent = { part: parts.top, id: topId, steps: [], taken: 0 };
  const anchored = wanted[0]?.startsWith('@') === true ? anchoredPart(parts, keys, top, wanted[0], pause) : null;
  let at: Descent = anchored === null ? top : { ...anchored, steps: stepsFromTop(anchored.part, keys), taken: 1 };
  for (const [i, key] of wanted.entries()) {
    if (i < at.taken) continue;
    const way = stepsTo({ parts, keys, pause }, at.part, keys.rowOf(key));
    // A step that is not there may have been folded into the part above: the next steps tell.
    if (way === null) continue;
    for (const part of way)
      at = {
        part,
        id: pathId(at.id, keys.hashOf(part.method)),
        steps: [...at.steps, keys.keyOf(part.method)],
        taken: i + 1,
      };
  }
  return at;
}

function stepsFromTop(part: Part, keys: MethodKeys): readonly string[] {
  const steps: string[] = [];
  for (let at = part; at.above !== null; at = at.above) steps.push(keys.keyOf(at.method));
  return steps.reverse();
}

/** The parts from below a part to the heaviest nearest one of the method; null where there is none. */
function stepsTo({ parts, pause }: Descending, from: Part, method: number): readonly Part[] | null {
  if (method < 0) return null;
  const queue: Part[] = [from];
  for (let i = 0; i < queue.length && i < MOST_LOOKED_AT; i++) {
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
