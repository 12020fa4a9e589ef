// Folds chains of calls into bands: calls that lead to nearly nothing but one other call are one box, which is as wide as the first.
import { BOX_FLAG } from 'insitu/views';
import type { Chains, Frame } from './frame-decoder.ts';

/** A call joins its caller's band with so much of the caller's total, */
const OF_CALLER = 0.98;
/** and so much of that of the band's first call. A call that has joined stays until it has less than that. */
const OF_FIRST = 0.95;
/** No call before the last one of a band has so much of the root as its own. */
const OWN = 0.005;

export type ChainWish = {
  /** At most so many rows are drawn. */
  readonly rows: number;
  /** Ids of the first calls of chains that are shown call by call. */
  readonly unfolded: ReadonlySet<number>;
  /** Ids of the calls that had joined a band before. */
  readonly joined: ReadonlySet<number>;
  /** Ids of boxes that are pointed at: nothing joins them that had not joined before. */
  readonly pointed: ReadonlySet<number>;
};

type Bands = {
  /** For each call the first one of its chain, whether folded or not. */
  readonly first: Int32Array;
  /** The call of the same chain below it; −1 for none. */
  readonly next: Int32Array;
};

function bandsOf({ boxes, rows }: Frame, { joined, pointed }: ChainWish): Bands {
  const first = Int32Array.from(boxes.row.keys());
  const next = new Int32Array(boxes.row.length).fill(-1);
  const hasOwn = new Uint8Array(boxes.row.length);
  const least = OWN * boxes.weight[0]!;
  const lengthOf = (box: number): number => (boxes.end[box] ?? 0) - (boxes.start[box] ?? 0);
  for (const row of rows)
    for (const box of row) {
      hasOwn[box] = (boxes.self[box] ?? 0) >= least ? 1 : 0;
      const caller = boxes.parent[box] ?? -1;
      // The root says what everything is a part of: it stays alone.
      if (caller < 0 || boxes.row[caller] === 0) continue;
      const head = first[caller]!;
      const weight = boxes.weight[box]!;
      // Where all siblings are equally wide, a band would be wider than what it leads to.
      if (weight < OF_FIRST * boxes.weight[head]! || lengthOf(box) < OF_FIRST * lengthOf(head)) continue;
      const id = boxes.id[box]!;
      const joins =
        joined.has(id) ||
        (weight >= OF_CALLER * boxes.weight[caller]! &&
          hasOwn[caller] === 0 &&
          !pointed.has(id) &&
          !pointed.has(boxes.id[head]!));
      if (!joins) continue;
      first[box] = head;
      next[caller] = box;
      // Of all before it.
      if (hasOwn[caller] === 1) hasOwn[box] = 1;
    }
  return { first, next };
}

type Drawn = Pick<Chains, 'members' | 'drawnAs'> & {
  readonly frame: Frame;
  /** Row of the picture of each box. */
  readonly rowOf: number[];
  readonly parentOf: number[];
};

/** Which calls are drawn, in which row, as the box of which call. */
function drawnBoxes(frame: Frame, { first, next }: Bands, { rows: most, unfolded }: ChainWish): Drawn {
  const { boxes, rows } = frame;
  const drawnAs = new Int32Array(boxes.row.length).fill(-1);
  const members: number[][] = [];
  const [rowOf, parentOf]: [number[], number[]] = [[], []];
  const isOpen = (box: number): boolean => unfolded.has(boxes.id[first[box]!]!);
  for (const row of rows)
    for (const box of row) {
      const caller = boxes.parent[box] ?? -1;
      const above = caller < 0 ? -1 : drawnAs[caller]!;
      if (caller >= 0 && above < 0) continue;
      if (caller >= 0 && next[caller] === box && !isOpen(box)) {
        members[above]!.push(box);
        drawnAs[box] = above;
        continue;
      }
      // A call that leaves a folded chain on the way is a gap.
      const leaves = caller >= 0 && next[caller] !== -1 && !isOpen(caller);
      const depth = above < 0 ? 0 : rowOf[above]! + 1;
      if (leaves || depth >= most) continue;
      drawnAs[box] = members.length;
      members.push([box]);
      rowOf.push(depth);
      parentOf.push(above);
    }
  return { frame, members, drawnAs, rowOf, parentOf };
}

/** The frame with folded chains, and the ids of the calls that have joined a band. A frame that does not begin at its root stays as it is. */
export function foldChains(calls: Frame, wish: ChainWish): { readonly frame: Frame; readonly joined: Set<number> } {
  const joined = new Set<number>();
  if (calls.firstRow !== 0 || calls.boxes.row.length === 0) return { frame: calls, joined };
  const bands = bandsOf(calls, wish);
  for (const box of bands.next) if (box >= 0) joined.add(calls.boxes.id[box]!);
  return { frame: folded(drawnBoxes(calls, bands, wish), wish.rows), joined };
}

function folded(drawn: Drawn, most: number): Frame {
  const { frame: calls, members, drawnAs, rowOf, parentOf } = drawn;
  const { boxes, baseline, header } = calls;
  const heads = members.map(([head]) => head!);
  const of = (column: Float64Array): Float64Array => Float64Array.from(heads, box => column[box]!);
  const self = Float64Array.from(members, each => each.reduce((sum, box) => sum + boxes.self[box]!, 0));
  const { cuts, cutOf } = drawnCuts(drawn, most);
  const { sums, left } = sumsOf(drawn, self, cuts);
  const deepest = rowOf.reduce((deep, row) => Math.max(deep, row), 0);
  return {
    header: { ...header, boxes: heads.length, cuts: cuts.parent.length, deepest, sums },
    boxes: {
      ...{ id: of(boxes.id), start: of(boxes.start), end: of(boxes.end) },
      ...{ weight: of(boxes.weight), count: of(boxes.count), self },
      parent: Int32Array.from(parentOf),
      method: Int32Array.from(heads, box => boxes.method[box]!),
      row: Int32Array.from(rowOf),
      flags: flagsOf(drawn, most),
    },
    cuts,
    cutOf,
    baseline: baseline === null ? null : { ...baseline, ...mapped(baseline, heads) },
    firstRow: 0,
    rows: byRow(rowOf, at => calls.boxes.start[heads[at]!]!),
    cutRows: byRow(
      Array.from(cuts.parent, box => rowOf[box]! + 1),
      at => cuts.start[at]!,
    ),
    chains: { calls, members, drawnAs, left },
  };
}

/** Each column of a table at these rows. */
function mapped<Table extends Readonly<Record<string, Float64Array | Int32Array | Uint8Array>>>(
  table: Table,
  rows: readonly number[],
): Table {
  const columns = Object.entries(table).map(([name, column]) => {
    const next = column.slice(0, rows.length);
    for (const [at, row] of rows.entries()) next[at] = column[row]!;
    return [name, next];
  });
  return Object.fromEntries(columns);
}

function byRow(rowOf: readonly number[], startOf: (at: number) => number): Int32Array[] {
  const rows: number[][] = [];
  for (const [at, row] of rowOf.entries()) {
    while (rows.length <= row) rows.push([]);
    rows[row]!.push(at);
  }
  return rows.map(row => Int32Array.from(row.sort((a, b) => startOf(a) - startOf(b) || a - b)));
}

/** Runs of narrow parts below the last calls of bands. */
function drawnCuts(
  { frame: calls, members, drawnAs, rowOf }: Drawn,
  most: number,
): { readonly cuts: Frame['cuts']; readonly cutOf: Int32Array } {
  const kept: number[] = [];
  const cutOf = new Int32Array(members.length).fill(-1);
  calls.cuts.parent.forEach((box, cut) => {
    const at = drawnAs[box]!;
    if (at < 0 || members[at]!.at(-1) !== box || rowOf[at]! + 1 >= most) return;
    cutOf[at] = kept.length;
    kept.push(cut);
  });
  const cuts = mapped(calls.cuts, kept);
  return { cuts: { ...cuts, parent: cuts.parent.map(box => drawnAs[box]!) }, cutOf };
}

/** Of the last call; a band also is a hit where anything is that it hides. */
function flagsOf({ frame: calls, members, drawnAs, rowOf }: Drawn, most: number): Uint8Array {
  const { boxes, cuts, rows } = calls;
  const flags = Uint8Array.from(members, each => boxes.flags[each.at(-1)!]!);
  // For each call the nearest band that is drawn, and whether the call is outside of what the band leads to.
  const bandOf = drawnAs.slice();
  const hasLeft = new Uint8Array(boxes.row.length);
  const leavesAt = (box: number): boolean =>
    hasLeft[box] === 1 || (drawnAs[box]! >= 0 && members[drawnAs[box]!]!.at(-1) !== box);
  const tell = (band: number, isHit: boolean, isLeaving: boolean): void => {
    if (isLeaving && isHit) flags[band]! |= BOX_FLAG.hit;
    if (!isLeaving && rowOf[band]! + 1 >= most) flags[band]! |= BOX_FLAG.deeper;
  };
  for (const row of rows)
    for (const box of row) {
      const isHit = (boxes.flags[box]! & BOX_FLAG.hit) !== 0;
      const caller = boxes.parent[box]!;
      if (drawnAs[box]! >= 0) {
        if (isHit) flags[drawnAs[box]!]! |= BOX_FLAG.hit;
      } else if (caller >= 0) {
        bandOf[box] = bandOf[caller]!;
        hasLeft[box] = leavesAt(caller) ? 1 : 0;
        tell(bandOf[box]!, isHit, hasLeft[box] === 1);
      }
    }
  cuts.parent.forEach((box, cut) => {
    tell(bandOf[box]!, (cuts.hits[cut] ?? 0) > 0, leavesAt(box));
  });
  return flags;
}

/** Where the root's weight is, by the boxes that are drawn; the parts add up to it. */
function sumsOf(
  { frame: { boxes, header }, members }: Drawn,
  self: Float64Array,
  cuts: Frame['cuts'],
): { readonly sums: Frame['header']['sums']; readonly left: number } {
  const total = boxes.weight[0]!;
  const own = self.reduce((sum, each) => sum + each, 0);
  const cut = cuts.weight.reduce((sum, each) => sum + each, 0);
  const left = members.reduce((sum, each, at) => {
    const last = each.at(-1)!;
    return sum + boxes.weight[each[0]!]! - boxes.weight[last]! - (self[at]! - boxes.self[last]!);
  }, 0);
  // Less than that is what sums of fractions leave.
  const rest = (weight: number): number => (weight > 1e-9 * total ? weight : 0);
  const outside = Math.min(header.sums.outside, rest(total - own - cut - left));
  return { sums: { self: own, cut, below: rest(total - own - cut - left - outside), outside }, left: rest(left) };
}
