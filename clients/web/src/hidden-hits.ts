// Hits of the search that are not drawn because they lie in rows that the depth, or the screen, leaves out; and which drawn boxes lead to them.
import { BOX_FLAG, type MethodInfo } from 'insitu/views';
import { pathOf } from './box-walker.ts';
import type { Frame } from './frame-decoder.ts';
import { shortName } from './name-trimming.ts';

/** A hit that is not drawn, or a run of narrow parts with such hits among them. */
export type HiddenHit = {
  /** Row of its box; for a run the row of the box above it. */
  readonly id: number;
  readonly isCut: boolean;
  /** Row of the picture. */
  readonly row: number;
  readonly start: number;
  /** null for a run. */
  readonly method: MethodInfo | null;
  /** Ids of the boxes from the top of the frame down to its own. */
  readonly path: readonly number[];
};

/** @param isDrawn whether the rows that are drawn hold a row of the picture. */
export function hiddenHits(whole: Frame, isDrawn: (row: number) => boolean): HiddenHit[] {
  const { boxes, cuts, header } = whole;
  const hits: HiddenHit[] = [];
  const add = (box: number, isCut: boolean, start: number): void => {
    const row = (boxes.row[box] ?? 0) + (isCut ? 1 : 0);
    if (isDrawn(row)) return;
    hits.push({
      ...{ id: boxes.id[box] ?? 0, isCut, row, start },
      method: isCut ? null : (header.methods[boxes.method[box] ?? -1] ?? null),
      path: pathOf(whole, box).map(at => boxes.id[at] ?? 0),
    });
  };
  boxes.flags.forEach((flags, box) => {
    if ((flags & BOX_FLAG.hit) !== 0) add(box, false, boxes.start[box] ?? 0);
  });
  cuts.hits.forEach((found, cut) => {
    if (found > 0) add(cuts.parent[cut] ?? 0, true, cuts.start[cut] ?? 0);
  });
  return hits.sort((a, b) => a.start - b.start || a.row - b.row);
}

/** The hidden hits below each drawn box that is the last one on the way to them. */
export function hitsBelow(frame: Frame, hidden: readonly HiddenHit[]): ReadonlyMap<number, readonly HiddenHit[]> {
  const found = new Map<number, HiddenHit[]>();
  if (hidden.length === 0) return found;
  const boxOf = new Map(Array.from(frame.boxes.id, (id, box) => [id, box]));
  for (const hit of hidden) {
    const box = boxOf.get(hit.path.findLast(id => boxOf.has(id)) ?? Number.NaN);
    if (box === undefined) continue;
    const known = found.get(box);
    if (known === undefined) found.set(box, [hit]);
    else known.push(hit);
  }
  return found;
}

const MOST_NAMES = 3;

/** `MVStore.readPage, Page.read, 4 more`. */
export function namesOfHits(hits: readonly HiddenHit[]): string {
  const names = [...new Set(hits.flatMap(({ method }) => (method === null ? [] : shortName(method))))];
  const more = hits.length > 0 && names.length === 0 ? ['narrow parts'] : [];
  if (names.length > MOST_NAMES) more.push(`${names.length - MOST_NAMES} more`);
  return [...names.slice(0, MOST_NAMES), ...more].join(', ');
}
