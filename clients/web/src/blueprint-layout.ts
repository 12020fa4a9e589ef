// Where the boxes of the blueprint lie: callers above callees, heights by |H|, widths by the logarithm of |ΔEx|. Lengths are pixels.
import type { BlueprintBox } from 'insitu/views';
import { boxLabel } from './blueprint-words.ts';
import { fitted } from './name-trimming.ts';

/** The boxes that are shown: each with those of its children that are. */
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
  /** With its label: what a click hits. */
  readonly slot: { readonly width: number; readonly height: number };
  readonly shown: number;
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
/** and the width of one whose executions did not change, or are not counted. */
export const LEAST_WIDTH = 5;
/** For each step of the natural logarithm. */
export const LOG_WIDTH = 9;
export const EDGE_GAP = 16;
const LABEL_HEIGHT = 16;
const LABEL_MOST = 190;
const GAP = 14;
const MARGIN = 10;

export function widthOfBox({ executions }: BlueprintBox): number {
  return executions === null
    ? LEAST_WIDTH
    : Math.max(LEAST_WIDTH, LOG_WIDTH * Math.log1p(Math.abs(executions.difference)));
}

export function layOutBlueprint({ boxes, open }: OpenBoxes, widthOfText: (text: string) => number): BlueprintLayout {
  const root = boxes.get(0);
  if (root === undefined) return { placed: [], width: 0, height: 0, heightScale: 0 };
  const order: { readonly box: BlueprintBox; readonly depth: number; readonly above: number }[] = [
    { box: root, depth: 0, above: -1 },
  ];
  for (let at = 0; at < order.length; at++)
    for (const row of open.get(order[at]!.box.row) ?? []) {
      const box = boxes.get(row);
      if (box !== undefined) order.push({ box, depth: order[at]!.depth + 1, above: at });
    }
  const tallest = order.reduce((most, { box }) => Math.max(most, Math.abs(box.height)), 0);
  const heightScale = tallest === 0 ? 0 : TALLEST / tallest;
  const sizes = order.map(({ box }) => {
    const label = fitted([boxLabel(box)], LABEL_MOST, widthOfText);
    const width = widthOfBox(box);
    return {
      label,
      width,
      height: Math.max(LEAST_HEIGHT, heightScale * Math.abs(box.height)),
      slot: width + 6 + widthOfText(label) + GAP,
    };
  });
  const spans = sizes.map(({ slot }) => slot);
  const inner = new Float64Array(order.length);
  for (let at = order.length - 1; at > 0; at--) {
    spans[at] = Math.max(spans[at]!, inner[at]!);
    inner[order[at]!.above]! += spans[at]!;
  }
  const rowHeights: number[] = [];
  for (const [at, { depth }] of order.entries())
    rowHeights[depth] = Math.max(rowHeights[depth] ?? LABEL_HEIGHT, sizes[at]!.height);
  const tops: number[] = [];
  rowHeights.reduce((y, height, depth) => {
    tops[depth] = y;
    return y + height + EDGE_GAP;
  }, MARGIN);
  const next = new Float64Array(order.length);
  const placed: PlacedBox[] = [];
  for (const [at, { box, depth, above }] of order.entries()) {
    const x = above < 0 ? MARGIN : next[above]!;
    if (above >= 0) next[above]! += spans[at]!;
    next[at] = x;
    const { label, width, height, slot } = sizes[at]!;
    placed.push({
      ...{ box, depth, x, y: tops[depth]!, width, height, label },
      slot: { width: slot - GAP, height: Math.max(LABEL_HEIGHT, height) },
      shown: open.get(box.row)?.length ?? 0,
    });
  }
  return {
    placed,
    width: 2 * MARGIN + Math.max(spans[0]!, inner[0]!),
    height: tops.at(-1)! + rowHeights.at(-1)! + MARGIN,
    heightScale,
  };
}

/** From below a box to the top of one that it calls, over the middle between their rows. */
export function edgePath(above: PlacedBox, below: PlacedBox): string {
  const middle = below.y - EDGE_GAP / 2;
  const [from, to] = [above.x + LEAST_WIDTH / 2, below.x + LEAST_WIDTH / 2];
  return `M${from} ${above.y + above.height}V${middle}H${to}V${below.y}`;
}
