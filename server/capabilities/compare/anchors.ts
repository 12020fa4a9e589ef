// Anchors: contexts of unchanged code that nothing changed leads to and that lead to nothing changed, which measure how much the rest of two sides grew.
import type { Pause } from '../../base/pause.ts';
import type { Analysis } from '../../metrics/analysis.ts';
import { forEachRun } from '../../metrics/scope.ts';
import { ownByNode } from './compared-side.ts';
import type { TreeComparison } from './tree-comparison.ts';

/** Whether the code of a method is that of the baseline, as commits tell. */
export const CodeState = { unknown: 0, same: 1, changed: 2 } as const;

/** One JVM, or all of one side, as far as anchors are concerned. */
export type AnchoredPart = { readonly analysis: Analysis; readonly side: 0 | 1 };

/** The anchors of some parts, with their factors. */
export type Anchoring = {
  /** Per node: by how much its own amount counts in a part, which depends on the entry that called it; null of a part without anchors. */
  readonly factorsOf: (part: AnchoredPart) => Float64Array | null;
  /** Everything of the second side, as anchored, as a part of everything of the first. */
  readonly whole: number;
  /** The part of the first side that anchors are. */
  readonly share: number;
  /** Of the part with the fewest. */
  readonly samples: number;
  /** Disjoint parts of the anchors whose ratios agree. */
  readonly parts: number;
};

/** Why nothing anchors the scale. */
type NoAnchors = { readonly refusal: string };

/** The anchors of an entry are divided into so many parts, of which small ones tell nothing of the others. */
const PARTS = 5;
const LEAST_PART = 0.05;
const LEAST_PARTS = 3;
/** Anchors that have less of either side are no measure of the rest. */
const LEAST_SHARE = 0.1;
/** An entry with fewer samples of anchors in a part is measured by all anchors. */
const LEAST_SAMPLES = 200;
/** Parts agree where their ratios differ by less than so many standard errors, or than this part. */
const ERRORS = 3;
const TOLERANCE = 0.05;

/**
 * A context anchors where its method's code is unchanged or, as that of a library, not known, below one whose code is unchanged, and
 * where nothing that leads to it was changed, added or removed: then both sides ran it for the same reasons. What leads to changed code
 * is no anchor either: the JVM's compiler unites methods with the methods that they call, and samples of changed code may then be its own time.
 */
export class Anchors {
  readonly #labels: readonly [Int32Array, Int32Array];
  readonly #code: Uint8Array;
  /** Per side and node: the label of the nearest method of unchanged code that the node is an anchor of; −1 for none. */
  readonly #pieces: readonly [Int32Array, Int32Array];
  /** Per side and node: the label of the outermost method whose code is known; −1 for none. */
  readonly #entries: readonly [Int32Array, Int32Array];

  /** @param labels per side and method row. @param code per label of a shown method. @param sides look at all JVMs of each side. */
  constructor(
    comparison: TreeComparison,
    labels: readonly [Int32Array, Int32Array],
    code: Uint8Array,
    sides: readonly [Analysis, Analysis],
    pause: Pause,
  ) {
    this.#labels = labels;
    this.#code = code;
    const pieceOf = this.#piecesByRow(comparison, pause);
    const ofNodes = (side: 0 | 1) => comparison.rowsOf(side).map(row => (row < 0 ? -1 : pieceOf[row]!));
    this.#pieces = [ofNodes(0), ofNodes(1)];
    this.#entries = [this.#entriesOf(sides[0], 0), this.#entriesOf(sides[1], 1)];
  }

  /** @param parts JVMs of both sides. */
  measure(all: readonly AnchoredPart[]): Anchoring | NoAnchors {
    if (all.some(({ analysis }) => analysis.selection.focus !== undefined))
      return { refusal: 'a focus hides what calls it' };
    // A JVM without anchors cannot be scaled, and is left out.
    const parts = all.filter(part => this.#sumsOf(part).anchored > 0);
    const sums = parts.map(part => this.#sumsOf(part));
    const of = (side: 0 | 1) => sums.filter((_, at) => parts[at]!.side === side);
    const [before, now] = [of(0), of(1)];
    const share = Math.min(...[before, now].map(all => mean(all, each => each.anchored / (each.whole || 1))));
    if (!(share >= LEAST_SHARE))
      return {
        refusal: `code that did not change, and that no changed code leads to, has ${percent(share)} of a side`,
      };
    const total = mean(before, each => each.anchored);
    const isLarge = (part: Part) => mean(before, each => amountOf(each, part)) >= LEAST_PART * total;
    const large = disjointParts(sums).filter(isLarge);
    if (large.length < LEAST_PARTS)
      return {
        refusal:
          'code that did not change, and that no changed code leads to, is too little to be compared with itself',
      };
    if (!large.every(part => agrees(before, now, part)))
      return { refusal: 'unchanged code grew by different parts on both sides' };
    const entries = new Set(before.flatMap(each => [...each.entries.keys()]));
    const isMeasured = (entry: number) =>
      sums.every(each => (each.entries.get(entry) ?? 0) * each.samplesPerAmount >= LEAST_SAMPLES);
    const meanOfEntry = new Map(
      [...entries].filter(isMeasured).map(entry => [entry, mean(before, each => each.entries.get(entry)!)]),
    );
    const factorsOf = (part: AnchoredPart) => {
      const own = this.#sumsOf(part);
      if (own.anchored === 0) return null;
      const all = total / own.anchored;
      const factor = new Map([...meanOfEntry].map(([entry, amount]) => [entry, amount / own.entries.get(entry)!]));
      return Float64Array.from(this.#entries[part.side], entry => factor.get(entry) ?? all);
    };
    const wholes = parts.map(part => ({
      side: part.side,
      whole: sumProduct(ownInScope(part.analysis), factorsOf(part)!),
    }));
    const wholeOf = (side: 0 | 1) =>
      mean(
        wholes.filter(each => each.side === side),
        each => each.whole,
      );
    return {
      factorsOf,
      whole: wholeOf(1) / wholeOf(0),
      share,
      samples: Math.min(...sums.map(each => each.anchored * each.samplesPerAmount)),
      parts: large.length,
    };
  }

  /**
   * By how much anchors of the same work grew, where that is more than JVMs of one side differ: then it was not the code alone.
   * @param unitOf what an amount of a part is worth, per unit of work.
   */
  growthOfUnchanged(parts: readonly AnchoredPart[], unitOf: (part: AnchoredPart) => number): number | null {
    const of = (side: 0 | 1) =>
      parts.filter(part => part.side === side).map(part => this.#sumsOf(part).anchored * unitOf(part));
    const [before, now] = [of(0), of(1)];
    const [a, b] = [mean(before, each => each), mean(now, each => each)];
    if (!(a > 0) || Math.min(before.length, now.length) < 2) return null;
    const squares = (all: readonly number[], at: number) => mean(all, each => (each - at) ** 2) / (all.length - 1);
    const error = Math.sqrt(squares(before, a) + squares(now, b));
    return Math.abs(b - a) > Math.max(ERRORS * error, TOLERANCE * a) ? b / a : null;
  }

  /** Per row of the comparison: the label of the piece that its own amount belongs to; −1 where it is no anchor. */
  #piecesByRow(comparison: TreeComparison, pause: Pause): Int32Array {
    const pieceOf = new Int32Array(comparison.length).fill(-1);
    const leadsToChanged = this.#leadingToChanged(comparison, pause);
    const open = [0];
    for (let steps = 0; open.length > 0; steps++) {
      if (steps % 1024 === 0) pause();
      const row = open.pop()!;
      const label = comparison.label[row]!;
      const state = label < 0 ? CodeState.unknown : (this.#code[label] ?? CodeState.unknown);
      if (state === CodeState.changed || comparison.stateOf(row) !== 'kept') continue;
      pieceOf[row] = state === CodeState.same ? label : row === 0 ? -1 : pieceOf[comparison.parentOf(row)]!;
      open.push(...comparison.childrenOf(row));
    }
    for (const [row, leads] of leadsToChanged.entries()) if (leads === 1) pieceOf[row] = -1;
    return pieceOf;
  }

  /** Per row of the comparison: 1 where a context below it is of changed code. */
  #leadingToChanged(comparison: TreeComparison, pause: Pause): Uint8Array {
    const leads = new Uint8Array(comparison.length);
    for (let row = 0; row < comparison.length; row++) {
      if (row % 1024 === 0) pause();
      const label = comparison.label[row]!;
      if (label < 0 || this.#code[label] !== CodeState.changed || comparison.stateOf(row) === null) continue;
      for (let at = comparison.parentOf(row); at >= 0 && leads[at] === 0; at = comparison.parentOf(at)) leads[at] = 1;
    }
    return leads;
  }

  #entriesOf({ profile: { tree } }: Analysis, side: 0 | 1): Int32Array {
    const label = this.#labels[side];
    const entries = new Int32Array(tree.length).fill(-1);
    for (let node = 1; node < tree.length; node++) {
      const above = entries[tree.parent[node]!]!;
      const own = label[tree.method[node]!]!;
      entries[node] = above >= 0 ? above : (this.#code[own] ?? CodeState.unknown) === CodeState.unknown ? -1 : own;
    }
    return entries;
  }

  #sumsOf({ analysis, side }: AnchoredPart): Sums {
    const own = ownInScope(analysis);
    const [pieces, entries] = [new Map<string, number>(), new Map<number, number>()];
    const [pieceOf, entryOf] = [this.#pieces[side], this.#entries[side]];
    let anchored = 0;
    for (let node = 1; node < own.length; node++) {
      const [amount, piece] = [own[node]!, pieceOf[node]!];
      if (piece < 0 || amount === 0) continue;
      anchored += amount;
      const name = `${entryOf[node]!} ${piece}`;
      pieces.set(name, (pieces.get(name) ?? 0) + amount);
      entries.set(entryOf[node]!, (entries.get(entryOf[node]!) ?? 0) + amount);
    }
    const { count, weight } = analysis.whole;
    return { anchored, pieces, entries, whole: weight, samplesPerAmount: weight > 0 ? count / weight : 0 };
  }
}

type Sums = {
  readonly anchored: number;
  /** By entry and label, as text. */
  readonly pieces: ReadonlyMap<string, number>;
  readonly entries: ReadonlyMap<number, number>;
  readonly whole: number;
  readonly samplesPerAmount: number;
};

/** Pieces of one entry. */
type Part = { readonly entry: number; readonly pieces: readonly string[] };

/** The anchors of each entry in parts of about one size, each with whole methods: the next largest goes to the smallest part. */
function disjointParts(sums: readonly Sums[]): Part[] {
  const amounts = new Map<string, number>();
  for (const { pieces } of sums)
    for (const [piece, amount] of pieces) amounts.set(piece, (amounts.get(piece) ?? 0) + amount);
  const byEntry = Map.groupBy(amounts.keys(), piece => Number(piece.split(' ')[0]));
  return [...byEntry].flatMap(([entry, pieces]) => {
    const parts = Array.from({ length: PARTS }, () => ({ entry, pieces: [] as string[], amount: 0 }));
    for (const piece of pieces.sort((a, b) => amounts.get(b)! - amounts.get(a)! || (a < b ? -1 : 1))) {
      const smallest = parts.reduce((a, b) => (b.amount < a.amount ? b : a));
      smallest.pieces.push(piece);
      smallest.amount += amounts.get(piece)!;
    }
    return parts;
  });
}

function amountOf({ pieces }: Sums, part: Part): number {
  return part.pieces.reduce((sum, piece) => sum + (pieces.get(piece) ?? 0), 0);
}

/** Whether a part has the same share of its entry's anchors on both sides, as far as JVMs of one side agree. */
function agrees(before: readonly Sums[], now: readonly Sums[], part: Part): boolean {
  const partsOf = (all: readonly Sums[]) => all.map(each => amountOf(each, part) / (each.entries.get(part.entry) || 1));
  const [first, second] = [partsOf(before), partsOf(now)];
  const [a, b] = [mean(first, part => part), mean(second, part => part)];
  // Of a single JVM nothing but its samples tells how exact its part is.
  const error = ({ length }: readonly number[], parts: readonly number[], all: readonly Sums[], at: number) =>
    length > 1
      ? mean(parts, part => (part - at) ** 2) / (length - 1)
      : at / Math.max(1, all[0]!.anchored * all[0]!.samplesPerAmount);
  const spread = Math.sqrt(error(first, first, before, a) + error(second, second, now, b));
  return Math.abs(b - a) <= ERRORS * spread + TOLERANCE * a;
}

/** Per node: what it has itself; 0 outside of what is looked at. */
function ownInScope(analysis: Analysis): Float64Array {
  const own = ownByNode(analysis);
  const inScope = new Float64Array(own.length);
  forEachRun(analysis.runs, (from, to) => inScope.set(own.subarray(from, to), from));
  return inScope;
}

function sumProduct(amounts: Float64Array, factors: Float64Array): number {
  return amounts.reduce((sum, amount, at) => sum + amount * factors[at]!, 0);
}

function mean<T>(all: readonly T[], valueIn: (each: T) => number): number {
  return all.reduce((sum, each) => sum + valueIn(each), 0) / (all.length || 1);
}

function percent(part: number): string {
  return `${Math.round(100 * part)} %`;
}
