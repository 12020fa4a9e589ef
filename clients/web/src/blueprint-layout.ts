// Where the boxes of the blueprint lie: callers centred above callees, heights by |H|, widths by the logarithm of |ΔEx|. Lengths are pixels.
import type { BlueprintBox } from 'insitu/views';
import { boxLabel, sourceText } from './blueprint-words.ts';
import { fitted } from './name-trimming.ts';

/** The shown boxes, each with its shown children. */
export type OpenBoxes = {
  readonly boxes: ReadonlyMap<number, BlueprintBox>;
  readonly open: ReadonlyMap<number, readonly number[]>;
};

export type PlacedBox = {
  readonly box: BlueprintBox;
  readonly depth: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly label: string;
  /** With its label below: what a click hits, around the middle of the box. */
  readonly slot: { readonly x: number; readonly width: number; readonly height: number };
  readonly shown: number;
  /** Nearest box above that is drawn; −1 for the root. */
  readonly above: number;
  /** Boxes between that one and this one, of a folded run of unchanged boxes. */
  readonly run: readonly number[];
};

export type BlueprintLayout = {
  /** From top to bottom, siblings from left to right. */
  readonly placed: readonly PlacedBox[];
  readonly width: number;
  readonly height: number;
  /** Pixels for an H of everything. */
  readonly heightScale: number;
};

/** The tallest box that is shown, */
export const TALLEST = 56;
/** one with no difference, */
export const LEAST_HEIGHT = 2;
/** the width of one whose executions did not change, */
export const LEAST_WIDTH = 5;
/** and of all where executions are not counted. */
export const PLAIN_WIDTH = 24;
/** For each step of the natural logarithm. */
export const LOG_WIDTH = 9;
/** Between a row with its labels and the next one. */
export const EDGE_GAP = 20;
export const LABEL_HEIGHT = 16;
const LABEL_MOST = 190;
const GAP = 14;
const MARGIN = 12;
/** A box whose own part moved by less of everything, or by less of its H, is unchanged. */
const CALM = 0.001;
const CALM_PART = 0.1;

export function widthOfBox({ executions, parent }: BlueprintBox, counted: boolean): number {
  if (!counted) return PLAIN_WIDTH;
  return executions === null || parent < 0
    ? LEAST_WIDTH
    : Math.max(LEAST_WIDTH, LOG_WIDTH * Math.log1p(Math.abs(executions.difference)));
}

/**
 * Whether a context ran itself as before, by code that is not known to have changed: the box only leads to others. A verdict about such a
 * box is about its callees.
 */
export function isCalm(box: BlueprintBox): boolean {
  const { state, total, self, scaled, height } = box;
  if (state !== 'kept' || sourceText(box) === 'changed') return false;
  const own = ([0, 1] as const).map(side => (total[side] === 0 ? 0 : (self[side] * scaled[side]) / total[side]));
  return Math.abs(own[1]! - own[0]!) < Math.max(CALM, CALM_PART * Math.abs(height));
}

type Ordered = { readonly box: BlueprintBox; readonly depth: number; readonly above: number; readonly run: number[] };

/** Callers before callees, siblings beside each other; of runs of unchanged boxes with one shown child the last one alone is left. */
function orderOf({ boxes, open }: OpenBoxes, unfolded: ReadonlySet<number>, selected: number): Ordered[] {
  const order: Ordered[] = [{ box: boxes.get(0)!, depth: 0, above: -1, run: [] }];
  for (let at = 0; at < order.length; at++)
    for (const row of open.get(order[at]!.box.row) ?? []) {
      const run: number[] = [];
      let box = boxes.get(row);
      while (box !== undefined && box.row !== selected && isCalm(box) && !unfolded.has(box.row)) {
        const below = open.get(box.row) ?? [];
        const next = below.length === 1 ? boxes.get(below[0]!) : undefined;
        if (next === undefined) break;
        run.push(box.row);
        box = next;
      }
      // A run of one box would save nothing.
      if (run.length === 1) box = boxes.get(run.pop()!);
      if (box !== undefined) order.push({ box, depth: order[at]!.depth + 1, above: at, run });
    }
  return order;
}

export function layOutBlueprint(
  tree: OpenBoxes & { readonly answer: { readonly counted: boolean } },
  widthOfText: (text: string) => number,
  { unfolded, selected }: { readonly unfolded: ReadonlySet<number>; readonly selected: number },
): BlueprintLayout {
  if (!tree.boxes.has(0)) return { placed: [], width: 0, height: 0, heightScale: 0 };
  const order = orderOf(tree, unfolded, selected);
  const tallest = order.reduce((most, { box }) => Math.max(most, Math.abs(box.height)), 0);
  const heightScale = tallest === 0 ? 0 : TALLEST / tallest;
  const sizes = order.map(({ box, run }) => {
    const label = fitted([boxLabel(box)], LABEL_MOST, widthOfText);
    const width = widthOfBox(box, tree.answer.counted);
    const height = Math.max(LEAST_HEIGHT, heightScale * Math.abs(box.height));
    return { label, width, height, slot: Math.max(width, widthOfText(label)), room: run.length > 0 ? LABEL_HEIGHT : 0 };
  });
  const centres = centresOf(
    order,
    sizes.map(({ slot }) => slot + GAP),
  );
  const rowHeights: number[] = [];
  for (const [at, { depth }] of order.entries())
    rowHeights[depth] = Math.max(rowHeights[depth] ?? 0, sizes[at]!.height + LABEL_HEIGHT + sizes[at]!.room);
  const tops: number[] = [];
  const bottom = rowHeights.reduce((y, height, depth) => {
    tops[depth] = y;
    return y + height + EDGE_GAP;
  }, MARGIN);
  const placed = order.map(({ box, depth, above, run }, at): PlacedBox => {
    const { label, width, height, slot, room } = sizes[at]!;
    const x = MARGIN + centres.of[at]!;
    return {
      ...{ box, depth, x: x - width / 2, y: tops[depth]! + room, width, height, label, run },
      slot: { x: x - slot / 2, width: slot, height: height + LABEL_HEIGHT },
      shown: tree.open.get(box.row)?.length ?? 0,
      above: above < 0 ? -1 : order[above]!.box.row,
    };
  });
  return { placed, width: 2 * MARGIN + centres.width, height: bottom - EDGE_GAP + MARGIN, heightScale };
}

/** The middle of each box: of a caller that between its first and last callee, of a callee beside the others. */
function centresOf(
  order: readonly Ordered[],
  slots: readonly number[],
): { readonly of: Float64Array; readonly width: number } {
  const inner = new Float64Array(order.length);
  const spans = slots.slice();
  for (let at = order.length - 1; at >= 0; at--) {
    spans[at] = Math.max(spans[at]!, inner[at]!);
    if (at > 0) inner[order[at]!.above]! += spans[at]!;
  }
  // Narrow callees stand in the middle below a caller with a longer name.
  const next = Float64Array.from(order.keys(), at => (spans[at]! - inner[at]!) / 2);
  const left = new Float64Array(order.length);
  for (const [at, { above }] of order.entries()) {
    if (above >= 0) {
      left[at] = next[above]!;
      next[above]! += spans[at]!;
    }
    next[at]! += left[at]!;
  }
  const [first, last] = [new Float64Array(order.length), new Float64Array(order.length)];
  const of = new Float64Array(order.length);
  const hasBelow = new Uint8Array(order.length);
  for (let at = order.length - 1; at >= 0; at--) {
    of[at] = hasBelow[at] === 1 ? (first[at]! + last[at]!) / 2 : left[at]! + spans[at]! / 2;
    // The name of a caller stays within its span.
    of[at] = Math.min(Math.max(of[at]!, left[at]! + slots[at]! / 2), left[at]! + spans[at]! - slots[at]! / 2);
    const { above } = order[at]!;
    if (above < 0) continue;
    if (hasBelow[above] === 0) last[above] = of[at]!;
    hasBelow[above] = 1;
    first[above] = of[at]!;
  }
  return { of, width: spans[0]! };
}

/** From below a box and its label to the top of one that it calls, over the middle between their rows. */
export function edgePath(above: PlacedBox, below: PlacedBox): string {
  const top = below.y - (below.run.length > 0 ? LABEL_HEIGHT : 0);
  const [from, to] = [above.x + above.width / 2, below.x + below.width / 2];
  return `M${from} ${above.y + above.slot.height}V${top - EDGE_GAP / 2}H${to}V${top}`;
}
