// Which nodes an analysis counts: those inside of a focus, if there is one, that are no part of a partial stack.
import type { Cct } from '../cct/profile.ts';

/** Rows of nodes, ascending: run k is runs[2k] … runs[2k+1]−1, not empty. */
export type Runs = Int32Array;

/** One byte a node: 1 where it is in one of the runs in scope; null when every node is. */
export function scopeOf({ length }: Cct, runs: Runs): Uint8Array | null {
  if (runs.length === 2 && runs[0] === 0 && runs[1] === length) return null;
  const scope = new Uint8Array(length);
  forEachRun(runs, (from, to) => scope.fill(1, from, to));
  return scope;
}

/**
 * Nodes in scope: those of the focus, if there is one, without partial stacks. What calls a node of a run is in scope too, but for
 * the first node, of which `isCalledInScope` tells.
 */
export function runsInScope(tree: Cct, partial: number, focus: Int32Array | undefined): Runs {
  const { subtreeEnd, length } = tree;
  const runs: number[] = [];
  const partialEnd = partial < 0 ? -1 : subtreeEnd[partial]!;
  for (const node of focus ?? [0]) {
    const end = focus === undefined ? length : subtreeEnd[node]!;
    if (partial < 0 || end <= partial || node >= partialEnd) {
      runs.push(node, end);
      continue;
    }
    if (node < partial) runs.push(node, partial);
    if (node < partial && partialEnd < end) runs.push(partialEnd, end);
  }
  return Int32Array.from(runs);
}

/** The runs of partial stacks that would be in scope if they counted. */
export function partialRuns({ subtreeEnd }: Cct, partial: number, focus: Int32Array | undefined): Runs {
  const end = partial < 0 ? -1 : subtreeEnd[partial]!;
  const first = partial < 0 ? [] : (focus?.filter(node => node >= partial && node < end) ?? [partial]);
  return Int32Array.from([...first].flatMap(node => [node, subtreeEnd[node]!]));
}

/** Calls `visit` with the first node of each run and the one behind its last. */
export function forEachRun(runs: Runs, visit: (from: number, to: number) => void): void {
  for (let at = 0; at < runs.length; at += 2) visit(runs[at]!, runs[at + 1]!);
}

export function isCalledInScope({ parent }: Cct, scope: Uint8Array | null, node: number): boolean {
  return node > 0 && (scope === null || scope[parent[node]!] === 1);
}
