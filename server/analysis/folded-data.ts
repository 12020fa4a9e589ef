// A merged profile made ready for any selection: folded, partial stacks grafted, with what is worked out once a tree.
import { collapse } from '../cct/collapse.ts';
import { graftPartialStacks } from '../cct/partial.ts';
import type { Cells, Profile } from '../cct/profile.ts';
import { mapColumns } from '../cct/take-cells.ts';
import { limitSingleThreads } from '../cct/thread-groups.ts';
import { indexTree, type TreeIndex } from '../cct/tree-index.ts';
import { type ClassIndex, classColumns, type MethodLines, observedLinesOfCalls } from '../mapping/class-index.ts';
import { foldsByNameOnly, transparentMethods } from '../mapping/generated-hops.ts';
import { NOTHING_TOLD, type OwnCode, type OwnCodeWish, ownCode } from '../mapping/own-code.ts';
import type { Amount } from '../metrics/analysis.ts';
import { type CallSites, indexCallSites } from '../metrics/call-sites.ts';
import { calleeGroups } from './callee-groups.ts';
import { type CutStacks, cutStacksOf } from './cut-stacks.ts';

/** Everything that does not depend on what of the data is looked at. */
export type FoldedData = {
  /** Transparent methods are folded away. */
  readonly profile: Profile;
  readonly index: TreeIndex;
  /** Which methods are own code. */
  readonly own: OwnCode;
  /** Lines seen in each method row. */
  readonly lines: MethodLines;
  readonly classes: ClassIndex;
  /** Calls of one line are grouped as `calleeGroups` says. */
  readonly sites: CallSites;
  /** The recordings carried no access flags, so bridges could be folded by name only. */
  readonly foldedByNameOnly: boolean;
  /** Per metric; empty where no stack was cut off. */
  readonly cutStacks: readonly CutStacks[];
  /** Per metric, by rows of methods that were folded away: samples in which they ran themselves, which count for their callers. */
  readonly ownOfFolded: readonly ReadonlyMap<number, Amount>[];
};

/** Decides which threads of a merged profile keep their names, folds it and grafts its partial stacks. All columns are in shared memory, so that threads can have them in common. */
export function foldData(loaded: Profile, told: OwnCodeWish = NOTHING_TOLD): FoldedData {
  const merged = limitSingleThreads(loaded);
  // Neither folding nor grafting changes the rows of methods.
  const transparent = transparentMethods(merged.methods);
  const collapsed = collapse(merged, transparent);
  const { profile: grafted } = graftPartialStacks(collapsed);
  const profile = withUnknownCounts(inSharedMemory(grafted));
  const sites = indexCallSites(profile, calleeGroups(profile.methods));
  const observed = observedLinesOfCalls(profile, sites);
  const lines = { offset: shared(observed.offset), line: shared(observed.line) };
  const { name, offsets, rows, lambdaRule, slots } = classColumns(profile.methods, transparent);
  const columns = {
    name: shared(name),
    offsets: shared(offsets),
    rows: shared(rows),
    lambdaRule: shared(lambdaRule),
    slots: shared(slots),
  };
  return {
    profile,
    index: indexTree(profile),
    own: ownCode(profile.methods, told),
    lines,
    classes: { methods: profile.methods, lines, columns },
    sites,
    foldedByNameOnly: foldsByNameOnly(profile.methods),
    cutStacks: cutStacksOf(collapsed, grafted),
    ownOfFolded: withUnknownCounts(merged).cells.map(cells => ownOfFolded(merged, cells, transparent)),
  };
}

function ownOfFolded({ tree }: Profile, cells: Cells, transparent: Uint8Array): ReadonlyMap<number, Amount> {
  const found = new Map<number, Amount>();
  for (let cell = 0; cell < cells.length; cell++) {
    const method = tree.method[cells.node[cell]!]!;
    if (transparent[method] !== 1) continue;
    const { weight, count } = found.get(method) ?? { weight: 0, count: 0 };
    const own = cells.count[cell]!;
    found.set(method, { weight: weight + (cells.weight?.[cell] ?? own), count: count + own });
  }
  return found;
}

/**
 * Counts that nobody knows are infinite where there are any: they stay so in every sum, are never too few, and the text with one says that
 * it is unknown.
 */
function withUnknownCounts(profile: Profile): Profile {
  if (profile.metrics.every(({ uncounted }) => uncounted !== true)) return profile;
  const unknown = (cells: Cells) => ({
    ...cells,
    count: shared(cells.count.map(count => (count > 0 ? Number.POSITIVE_INFINITY : 0))),
  });
  const cells = profile.cells.map((each, row) => (profile.metrics[row]!.uncounted === true ? unknown(each) : each));
  return { ...profile, cells };
}

/** The same where everything is shared already, as it is in profiles from snapshots. */
function inSharedMemory(profile: Profile): Profile {
  const { tree, methods, threads, cells } = profile;
  const { className, name, descriptor, flags } = methods;
  const columns = [className, name, descriptor, flags, tree.parent, threads.virtual];
  const some = cells.flatMap(({ node, count }) => [node, count]);
  if ([...columns, ...some].every(({ buffer }) => buffer instanceof SharedArrayBuffer)) return profile;
  return {
    ...profile,
    tree: {
      ...tree,
      parent: shared(tree.parent),
      method: shared(tree.method),
      callLine: shared(tree.callLine),
      subtreeEnd: shared(tree.subtreeEnd),
      depth: shared(tree.depth),
    },
    methods: {
      ...methods,
      className: shared(className),
      name: shared(name),
      descriptor: shared(descriptor),
      flags: shared(flags),
    },
    threads: { ...threads, virtual: shared(threads.virtual) },
    cells: cells.map(each => mapColumns(each, each.length, shared)),
  };
}

function shared<Column extends Int32Array | Float64Array | Uint8Array>(column: Column): Column {
  if (column.buffer instanceof SharedArrayBuffer) return column;
  const copy = new (column.constructor as new (memory: SharedArrayBuffer) => Column)(
    new SharedArrayBuffer(column.byteLength),
  );
  copy.set(column);
  return copy;
}
