// A merged profile made ready for any selection: folded, partial stacks grafted, with what is worked out once a tree.
import { collapse } from '../cct/collapse.ts';
import { sharedFloat64, sharedInt32, sharedUint8 } from '../cct/columns.ts';
import { graftPartialStacks } from '../cct/partial.ts';
import type { Cells, Profile } from '../cct/profile.ts';
import { indexTree, type TreeIndex } from '../cct/tree-index.ts';
import { type ClassIndex, classColumns, type MethodLines, observedLinesOfCalls } from '../mapping/class-index.ts';
import { foldsByNameOnly, transparentMethods } from '../mapping/fold.ts';
import { type CallSites, indexCallSites } from '../metrics/call-sites.ts';
import { calleeGroups } from './callee-groups.ts';

/** Everything that does not depend on what of the data is looked at. */
export type FoldedData = {
  /** Transparent methods are folded away. */
  readonly profile: Profile;
  readonly index: TreeIndex;
  /** Lines seen in each method row. */
  readonly lines: MethodLines;
  readonly classes: ClassIndex;
  /** Calls of one line are grouped as `calleeGroups` says. */
  readonly sites: CallSites;
  /** The recordings carried no access flags, so bridges could be folded by name only. */
  readonly foldedByNameOnly: boolean;
};

/** Folds a merged profile and grafts its partial stacks. All columns are in shared memory, so that threads can have them in common. */
export function foldData(merged: Profile): FoldedData {
  // Neither folding nor grafting changes the rows of methods.
  const transparent = transparentMethods(merged.methods);
  const { profile: grafted } = graftPartialStacks(collapse(merged, transparent));
  const profile = inSharedMemory(grafted);
  const sites = indexCallSites(profile, calleeGroups(profile.methods));
  const observed = observedLinesOfCalls(profile, sites);
  const lines = { offset: integers(observed.offset), line: integers(observed.line) };
  const { name, offsets, rows, lambdaRule, slots } = classColumns(profile.methods, transparent);
  const columns = {
    name: integers(name),
    offsets: integers(offsets),
    rows: integers(rows),
    lambdaRule: bytes(lambdaRule),
    slots: integers(slots),
  };
  return {
    profile,
    index: indexTree(profile),
    lines,
    classes: { methods: profile.methods, lines, columns },
    sites,
    foldedByNameOnly: foldsByNameOnly(profile.methods),
  };
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
      parent: integers(tree.parent),
      method: integers(tree.method),
      callLine: integers(tree.callLine),
      subtreeEnd: integers(tree.subtreeEnd),
      depth: integers(tree.depth),
    },
    methods: {
      ...methods,
      className: integers(className),
      name: integers(name),
      descriptor: integers(descriptor),
      flags: integers(flags),
    },
    threads: { ...threads, virtual: bytes(threads.virtual) },
    cells: cells.map(sharedCells),
  };
}

function sharedCells(cells: Cells): Cells {
  const count = doubles(cells.count);
  return {
    ...cells,
    node: integers(cells.node),
    thread: integers(cells.thread),
    line: integers(cells.line),
    window: integers(cells.window),
    count,
    weight: cells.weight === cells.count ? count : doubles(cells.weight),
    weightSquares: cells.weightSquares === null ? null : doubles(cells.weightSquares),
  };
}

function integers(column: Int32Array): Int32Array {
  if (column.buffer instanceof SharedArrayBuffer) return column;
  const copy = sharedInt32(column.length);
  copy.set(column);
  return copy;
}

function doubles(column: Float64Array): Float64Array {
  if (column.buffer instanceof SharedArrayBuffer) return column;
  const copy = sharedFloat64(column.length);
  copy.set(column);
  return copy;
}

function bytes(column: Uint8Array): Uint8Array {
  if (column.buffer instanceof SharedArrayBuffer) return column;
  const copy = sharedUint8(column.length);
  copy.set(column);
  return copy;
}

/** Bytes of everything that grows with the tree and its cells. */
export function bytesOf({ profile, index, sites }: FoldedData): number {
  const columns = [...Object.values(profile.tree), ...Object.values(index), ...Object.values(sites)];
  const cells = profile.cells.flatMap(each => Object.values(each));
  return [...columns, ...cells].reduce(
    (sum: number, each) => sum + (ArrayBuffer.isView(each) ? each.byteLength : 0),
    0,
  );
}
