// Divides samples among sets of methods that may overlap: each sample belongs to the first set that a frame of its stack belongs to.
import { noPause, type Pause } from '../../base/pause.ts';
import type { Amount, Analysis } from '../analysis.ts';
import { forEachRun, isCalledInScope } from '../scope.ts';
import type { TimeSpans } from '../time-spans.ts';

/** Nodes or cells read between two pauses. */
const STEP = 1 << 18;

/** The part of an analysis that the sets of stacks need. */
type StackScope = Pick<Analysis, 'runs' | 'scope'> & { readonly profile: Pick<Analysis['profile'], 'tree'> };

/** The sets that the frames of each stack belong to. */
export type StackSets = {
  /** The combination of sets of each node in scope: the sets of the frames of its stack. Combination 0 has no set. */
  readonly combinationOf: Int32Array;
  /** The sets of each combination, ascending. */
  readonly combinations: readonly (readonly number[])[];
};

/** Reads each node in scope once: the sets of a stack are the sets of its caller's stack and of its own method. @param sets one byte a method row */
export function stackSets(a: StackScope, sets: readonly Uint8Array[], pause: Pause = noPause): StackSets {
  const { tree } = a.profile;
  const known = new Combinations();
  const ofMethod = new Int32Array(sets[0]?.length ?? 0);
  for (let row = 0; row < ofMethod.length; row++) {
    if (row % STEP === 0) pause();
    for (const [number, methods] of sets.entries())
      if (methods[row] === 1) ofMethod[row] = known.joined(ofMethod[row]!, known.single(number));
  }
  const combinationOf = new Int32Array(tree.length);
  if (sets.length === 0) return { combinationOf, combinations: known.list };
  forEachRun(a.runs, (from, to) => {
    const above = isCalledInScope(tree, a.scope, from) ? combinationOf[tree.parent[from]!]! : 0;
    combinationOf[from] = known.joined(above, ofMethod[tree.method[from]!]!);
    for (let node = from + 1; node < to; node += STEP) {
      pause();
      readOn(known, ofMethod, combinationOf, tree, node, Math.min(to, node + STEP));
    }
  });
  return { combinationOf, combinations: known.list };
}

/** A function of its own, so that all variables fit into registers. */
function readOn(
  known: Combinations,
  ofMethod: Int32Array,
  combinationOf: Int32Array,
  { parent, method }: Analysis['profile']['tree'],
  from: number,
  to: number,
): void {
  for (let node = from; node < to; node++) {
    const above = combinationOf[parent[node]!]!;
    const own = ofMethod[method[node]!]!;
    combinationOf[node] = own === 0 || own === above ? above : known.joined(above, own);
  }
}

/** Combinations of sets that occur, numbered. */
class Combinations {
  readonly list: (readonly number[])[] = [[]];
  readonly #numbers = new Map<string, number>([['', 0]]);
  /** By combination: the combinations that it was joined with, and the results. */
  readonly #joined: Map<number, number>[] = [new Map()];

  single(set: number): number {
    return this.#numberOf([set]);
  }

  joined(a: number, b: number): number {
    if (a === b || b === 0) return a;
    const known = this.#joined[a]!.get(b);
    if (known !== undefined) return known;
    const both = [...new Set([...this.list[a]!, ...this.list[b]!])].sort((x, y) => x - y);
    const number = this.#numberOf(both);
    this.#joined[a]!.set(b, number);
    return number;
  }

  #numberOf(sets: readonly number[]): number {
    const key = sets.join(' ');
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.list.length);
    this.#joined.push(new Map());
    return this.list.push(sets) - 1;
  }
}

export type Bucket = {
  /** Samples that belong to the set and to none before it. */
  readonly amount: Amount;
  /** The weight of these samples in each span of time. */
  readonly overTime: Float64Array;
};

type Buckets = {
  /** One bucket for each set, in the order of the sets. */
  readonly sets: readonly (Bucket & {
    /** All samples that belong to the set, also the ones in earlier buckets. */
    readonly total: Amount;
    /** Samples of the bucket that also belong to a later set, by set, ascending; sets without such samples are left out. */
    readonly also: ReadonlyMap<number, Amount>;
  })[];
  /** Samples that belong to no set. */
  readonly rest: Bucket;
  /** Samples that belong to several sets. */
  readonly several: Amount;
  /** All samples: the buckets and the rest together. */
  readonly all: Bucket;
};

/** Sums up the selected samples of the analysis' metric, each once. O(cells + combinations × sets²). */
export function bucketSums(
  a: Pick<Analysis, 'profile' | 'selection' | 'scope'>,
  { combinationOf, combinations }: StackSets,
  sets: number,
  { spans, spanOfWindow }: TimeSpans,
  pause: Pause = noPause,
): Buckets {
  const cells = a.profile.cells[a.selection.metric]!;
  const bucketOf = Int32Array.from(combinations, ([first = sets]) => first);
  const weight = new Float64Array(combinations.length);
  const count = new Float64Array(combinations.length);
  const overTime = new Float64Array((sets + 1) * spans.length);
  forEachSelectedCell(a, pause, cell => {
    const combination = combinationOf[cells.node[cell]!]!;
    weight[combination]! += cells.weight[cell]!;
    count[combination]! += cells.count[cell]!;
    overTime[bucketOf[combination]! * spans.length + spanOfWindow[cells.window[cell]!]!]! += cells.weight[cell]!;
  });
  const sumOf = (takes: (sets: readonly number[]) => boolean): Amount => {
    const sum = { weight: 0, count: 0 };
    for (const [combination, own] of combinations.entries()) {
      if (!takes(own)) continue;
      sum.weight += weight[combination]!;
      sum.count += count[combination]!;
    }
    return sum;
  };
  const timesOf = (bucket: number) => overTime.slice(bucket * spans.length, (bucket + 1) * spans.length);
  const alsoOf = (bucket: number) => {
    const later = Array.from({ length: sets - bucket - 1 }, (_, at) => bucket + 1 + at);
    const amounts = later.map(set => [set, sumOf(own => own[0] === bucket && own.includes(set))] as const);
    return new Map(amounts.filter(([, amount]) => amount.count > 0));
  };
  const rows = Array.from({ length: sets }, (_, set) => ({
    amount: sumOf(own => own[0] === set),
    overTime: timesOf(set),
    total: sumOf(own => own.includes(set)),
    also: alsoOf(set),
  }));
  const rest = { amount: sumOf(own => own.length === 0), overTime: timesOf(sets) };
  const whole = new Float64Array(spans.length);
  for (const each of [...rows, rest]) for (const [span, own] of each.overTime.entries()) whole[span]! += own;
  return {
    sets: rows,
    rest,
    several: sumOf(own => own.length > 1),
    all: { amount: sumOf(() => true), overTime: whole },
  };
}

/**
 * Weight of the selected samples of a metric by bucket and by the kind of the first frame with a kind. `kindOf` has the kind of each
 * method row, 0 for none. @returns the weight of each kind by bucket, the rest last
 */
export function bucketKinds(
  a: Pick<Analysis, 'profile' | 'selection' | 'scope'>,
  { combinationOf, combinations }: StackSets,
  sets: number,
  kindOf: { readonly ofMethod: Uint8Array; readonly kinds: number },
  pause: Pause = noPause,
): readonly Float64Array[] {
  const { tree, cells: all } = a.profile;
  const { parent, method, length } = tree;
  const { ofMethod, kinds } = kindOf;
  const kind = new Uint8Array(length);
  for (let from = 1; from < length; from += STEP) {
    const to = Math.min(length, from + STEP);
    for (let node = from; node < to; node++) kind[node] = kind[parent[node]!]! || ofMethod[method[node]!]!;
    pause();
  }
  const { node, weight } = all[a.selection.metric]!;
  const bucketOf = Int32Array.from(combinations, ([first = sets]) => first);
  const sums = Array.from({ length: sets + 1 }, () => new Float64Array(kinds));
  forEachSelectedCell(a, pause, cell => {
    const at = node[cell]!;
    sums[bucketOf[combinationOf[at]!]!]![kind[at]!]! += weight[cell]!;
  });
  return sums;
}

/** Calls `visit` with the cells of the analysis' metric that count. */
function forEachSelectedCell(
  { profile, selection, scope }: Pick<Analysis, 'profile' | 'selection' | 'scope'>,
  pause: Pause,
  visit: (cell: number) => void,
): void {
  const { threads, windows, path, metric } = selection;
  const { node, thread, window, length } = profile.cells[metric]!;
  const satisfied = path?.satisfied[metric];
  for (let cell = 0; cell < length; cell++) {
    if (cell % STEP === STEP - 1) pause();
    if (scope !== null && scope[node[cell]!] !== 1) continue;
    if (threads !== undefined && threads[thread[cell]!] !== 1) continue;
    if (windows !== undefined && windows[window[cell]!] !== 1) continue;
    if (satisfied !== undefined && satisfied[cell] !== 1) continue;
    visit(cell);
  }
}
