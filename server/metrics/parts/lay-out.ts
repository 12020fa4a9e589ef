// Lays parts out: each is an interval of the window's width in the row of its depth; too narrow ones become one run for each caller.
import { noPause, type Pause } from '../../base/pause.ts';
import type { Amount } from '../analysis.ts';
import type { PathId } from '../method-keys.ts';
import type { Part } from './parts.ts';

export type LayoutWish = {
  /** The part of the root's width that is looked at, within [0, 1]. */
  readonly window: readonly [number, number];
  /** First row and the one behind the last; the root is row 0. */
  readonly rows: readonly [number, number];
  /** Per row from the first on, the last one for all further: narrower parts, as a share of the window, are cut. */
  readonly least: readonly number[];
  /** `metric`: as wide as its share of its caller. `equal`: as wide as its siblings. */
  readonly form: 'metric' | 'equal';
  /** The order of siblings that are wide enough, given heaviest first; narrower siblings come last. */
  readonly order: (siblings: readonly Part[], above: Box) => readonly Part[];
  /** At most so many boxes: all least widths are doubled until they fit. */
  readonly most: number;
};

/** A part that is drawn. Positions are shares of the window. */
type Box = {
  readonly part: Part;
  readonly start: number;
  readonly end: number;
  readonly row: number;
  /** Index of the box above; −1 where that is not among those asked for. */
  readonly above: number;
  /** Of the call path: two numbers of 32 bits. */
  readonly id: PathId;
  /** Whether the part calls something below the last row. */
  isDeeper: boolean;
};

/** Siblings that are too narrow, at the right end of what the box calls. */
type Cut = {
  readonly start: number;
  readonly end: number;
  readonly amount: Amount;
  readonly above: number;
  readonly parts: readonly Part[];
};

/** Where the root's weight is; the four add up to it. */
type LayoutSums = { self: number; cut: number; below: number; outside: number };

export type Layout = {
  readonly boxes: readonly Box[];
  readonly cuts: readonly Cut[];
  readonly sums: LayoutSums;
  /** By how much the least widths were raised. */
  readonly coarser: number;
};

type Below = (part: Part) => readonly Part[];

/** Nothing narrower is drawn, whatever is asked for: no screen has as many pixels. */
const FINEST = 1 / 100_000;
/** Expansions between two pauses. */
const STEP = 256;

/**
 * @param below expands a part.
 * @param rootId of the root's call path.
 * @param idOf of a callee's.
 */
export function layOut(
  root: Part,
  { below, rootId, idOf }: { below: Below; rootId: PathId; idOf: (above: PathId, method: number) => PathId },
  wish: LayoutWish,
  pause: Pause = noPause,
): Layout {
  const [from, to] = wish.window;
  const width = to - from;
  for (let coarser = 1; ; coarser *= 2) {
    const layout = new Rows(below, idOf, wish, coarser, pause);
    const start = (0 - from) / width;
    if (layout.fill({ part: root, start, end: start + 1 / width, row: 0, above: -1, id: rootId, isDeeper: false }))
      return layout;
  }
}

/** Fills row after row, so that a limit of boxes is reached by what is narrow and not by what comes late. */
class Rows implements Layout {
  readonly boxes: Box[] = [];
  readonly cuts: Cut[] = [];
  readonly sums = { self: 0, cut: 0, below: 0, outside: 0 };
  readonly coarser: number;
  readonly #below: Below;
  readonly #idOf: (above: PathId, method: number) => PathId;
  readonly #wish: LayoutWish;
  readonly #pause: Pause;
  #expanded = 0;

  constructor(
    below: Below,
    idOf: (above: PathId, method: number) => PathId,
    wish: LayoutWish,
    coarser: number,
    pause: Pause,
  ) {
    this.#below = below;
    this.#idOf = idOf;
    this.#wish = wish;
    this.coarser = coarser;
    this.#pause = pause;
  }

  /** False when there are more boxes than wanted. */
  fill(root: Box): boolean {
    const [first, last] = this.#wish.rows;
    let row = [root];
    for (let depth = 0; row.length > 0; depth++) {
      const next: Box[] = [];
      for (const box of row) {
        const isShown = depth >= first;
        if (isShown && this.boxes.push(box) > this.#wish.most && this.#canBeCoarser()) return false;
        const index = isShown ? this.boxes.length - 1 : -1;
        if (++this.#expanded % STEP === 0) this.#pause();
        const callees = this.#below(box.part);
        const own = box.part.own!.weight;
        if (isShown) this.sums.self += own;
        else this.sums.outside += own;
        if (depth + 1 >= last) {
          this.sums.below += box.part.total.weight - own;
          box.isDeeper = callees.length > 0;
        } else if (callees.length > 0) this.#layOutBelow(box, index, callees, next);
      }
      row = next;
    }
    return true;
  }

  /** A picture of rows that are whole windows wide cannot be made of fewer boxes. */
  #canBeCoarser(): boolean {
    return this.coarser < 1e6;
  }

  #layOutBelow(box: Box, index: number, callees: readonly Part[], next: Box[]): void {
    const { form, order, rows, least } = this.#wish;
    const row = box.row + 1;
    const asked = least[Math.min(least.length - 1, Math.max(0, row - rows[0]))]!;
    const narrowest = this.coarser * Math.max(asked, FINEST);
    const span = box.end - box.start;
    const all = box.part.total.weight;
    const share = (part: Part): number =>
      form === 'equal' ? 1 / callees.length : all > 0 ? part.total.weight / all : 0;
    // Callees come heaviest first.
    const wide = callees.findIndex(part => span * share(part) < narrowest || share(part) === 0);
    const drawn = wide < 0 ? callees : callees.slice(0, wide);
    const narrow = wide < 0 ? [] : callees.slice(wide);
    let reached = 0;
    for (const part of order(drawn, box)) {
      const start = box.start + span * reached;
      reached += share(part);
      const end = box.start + span * reached;
      if (end <= 0 || start >= 1) this.sums.outside += part.total.weight;
      else next.push({ part, start, end, row, above: index, id: this.#idOf(box.id, part.method), isDeeper: false });
    }
    if (narrow.length > 0)
      this.#cut(box, index, narrow, [reached, reached + narrow.reduce((sum, part) => sum + share(part), 0)]);
  }

  #cut(box: Box, index: number, parts: readonly Part[], shares: readonly [number, number]): void {
    const amount = { weight: 0, count: 0 };
    for (const { total } of parts) {
      amount.weight += total.weight;
      amount.count += total.count;
    }
    const span = box.end - box.start;
    const [start, end] = [box.start + span * shares[0], box.start + span * shares[1]];
    const isSeen = end > 0 && start < 1 && box.row + 1 >= this.#wish.rows[0];
    if (isSeen) this.cuts.push({ start, end, amount, above: index, parts });
    this.sums[isSeen ? 'cut' : 'outside'] += amount.weight;
  }
}
