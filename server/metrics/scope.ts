// Which nodes an analysis counts: those inside of a focus, if there is one, that are no part of a partial stack.
import type { Cct } from '../cct/profile.ts';

/** One byte a node: 1 where it counts; null when every node does. */
export function scopeOf(tree: Cct, partial: number, focus: Int32Array | undefined): Uint8Array | null {
  if (partial < 0 && focus === undefined) return null;
  const scope = new Uint8Array(tree.length);
  const runs = runsInScope(tree, partial, focus);
  for (let at = 0; at < runs.length; at += 2) scope.fill(1, runs[at], runs[at + 1]);
  return scope;
}

/**
 * The same as runs of rows, ascending: run k is runs[2k] … runs[2k+1]−1. What calls a node of a run is in scope too, but for the
 * first node, of which `isCalledInScope` tells.
 */
export function runsInScope(
  { subtreeEnd, length }: Cct,
  partial: number,
  focus: Int32Array | undefined,
): readonly number[] {
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
  return runs;
}

export function isCalledInScope({ parent }: Cct, scope: Uint8Array | null, node: number): boolean {
  return node > 0 && (scope === null || scope[parent[node]!] === 1);
}
