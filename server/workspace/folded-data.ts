// A merged profile made ready for any selection: folded, partial stacks grafted, with what is worked out once a tree.
import { collapse } from '../cct/collapse.ts';
import { graftPartialStacks } from '../cct/partial.ts';
import type { Profile } from '../cct/profile.ts';
import { indexTree, type TreeIndex } from '../cct/tree-index.ts';
import { type ClassColumns, classColumns, type MethodLines, observedLines } from '../mapping/class-index.ts';
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
  /** Methods by class. */
  readonly classColumns: ClassColumns;
  /** Calls of one line are grouped as `calleeGroups` says. */
  readonly sites: CallSites;
  /** The recordings carried no access flags, so bridges could be folded by name only. */
  readonly foldedByNameOnly: boolean;
};

/** Folds a merged profile and grafts its partial stacks. */
export function foldData(merged: Profile): FoldedData {
  const { profile } = graftPartialStacks(collapse(merged, transparentMethods(merged.methods)));
  return {
    profile,
    index: indexTree(profile),
    lines: observedLines(profile.tree, profile.cells, profile.methods.length),
    classColumns: classColumns(profile.methods),
    sites: indexCallSites(profile, calleeGroups(profile.methods)),
    foldedByNameOnly: foldsByNameOnly(profile.methods),
  };
}
