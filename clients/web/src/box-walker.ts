// Walks from box to box as the arrow keys ask: to the parent, the heaviest child, the siblings. The same for all forms of pictures.
import type { Frame } from './frame-decoder.ts';
import { firstFrom } from './hit-test.ts';
import type { Step } from './page-types.ts';

/** The step that a key asks for. */
export const STEP_OF_KEY: Readonly<Record<string, Step>> = {
  ArrowUp: 'parent',
  ArrowDown: 'child',
  ArrowLeft: 'previous',
  ArrowRight: 'next',
  Home: 'first',
  End: 'last',
};

/** The children of a box from left to right: they lie within it, one row below. */
export function childrenOf({ boxes, rows, firstRow }: Frame, box: number): number[] {
  const sorted = rows[(boxes.row[box] ?? 0) + 1 - firstRow];
  if (sorted === undefined) return [];
  const children: number[] = [];
  const end = boxes.end[box] ?? 0;
  for (let at = firstFrom(sorted, boxes.start, boxes.start[box] ?? 0); at < sorted.length; at++) {
    const child = sorted[at] ?? 0;
    if ((boxes.start[child] ?? 0) >= end && boxes.parent[child] !== box) break;
    if (boxes.parent[child] === box) children.push(child);
  }
  return children;
}

/** The box and its siblings below the same parent, from left to right. Where the parent is not in the frame, all of the row without one. */
export function siblingsOf(frame: Frame, box: number): number[] {
  const { boxes, rows, firstRow } = frame;
  const parent = boxes.parent[box] ?? -1;
  if (parent >= 0) return childrenOf(frame, parent);
  return [...(rows[(boxes.row[box] ?? 0) - firstRow] ?? [])].filter(other => boxes.parent[other] === -1);
}

/** Where a step leads; the box itself where there is nothing. */
export function walk(frame: Frame, box: number, step: Step): number {
  if (step === 'parent')
    return Math.max(frame.boxes.parent[box] ?? -1, -1) === -1 ? box : (frame.boxes.parent[box] ?? box);
  if (step === 'child') return heaviest(frame, childrenOf(frame, box)) ?? box;
  const siblings = siblingsOf(frame, box);
  const at = siblings.indexOf(box);
  const target = { next: at + 1, previous: at - 1, first: 0, last: siblings.length - 1 }[step];
  return siblings[target] ?? box;
}

function heaviest({ boxes }: Frame, among: readonly number[]): number | undefined {
  let best: number | undefined;
  for (const box of among) if (best === undefined || (boxes.weight[box] ?? 0) > (boxes.weight[best] ?? 0)) best = box;
  return best;
}

/** Boxes from the top one of the frame down to this one, itself last. */
export function pathOf({ boxes }: Frame, box: number): number[] {
  const path: number[] = [];
  for (let at = box; at >= 0; at = boxes.parent[at] ?? -1) path.push(at);
  return path.reverse();
}
