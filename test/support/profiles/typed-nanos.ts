// Sums of typed time by thread and type, counted from the cells of a profile alone.
import type { Profile } from '../../../server/cct/profile.ts';

/** Nanoseconds by the name of the thread, and by the type of time that is nearest to the innermost frame. */
export function typedNanos(profile: Profile): Map<string, Map<string, number>> {
  const sums = new Map<string, Map<string, number>>();
  const { cells, threads, methods, tree, metrics } = profile;
  const own = cells[metrics.findIndex(({ id }) => id === 'typed')]!;
  for (let row = 0; row < own.length; row++) {
    const thread = threads.name[own.thread[row]!]!;
    const nameOf = (node: number) => methods.strings[methods.name[tree.method[node]!]!]!;
    let node = own.node[row]!;
    while (!nameOf(node).startsWith(':')) node = tree.parent[node]!;
    const name = nameOf(node);
    const types = sums.get(thread) ?? new Map<string, number>();
    sums.set(thread, types.set(name, (types.get(name) ?? 0) + own.weight[row]!));
  }
  return sums;
}
