// Finds for each sample the lowest frame of its stack from which on the rest of a path is satisfied.
import { noPause, type Pause } from '../../base/pause.ts';
import type { Analysis } from '../analysis.ts';
import { forEachRun } from '../scope.ts';
import type { CallSpec } from './path-automaton.ts';

/**
 * Per node the lowest entry of its stack from which on all `specs` are satisfied, −1 where there is none. Column by column: the k-th holds the
 * lowest entry from which on the first k are satisfied.
 * @param entries ascending; each is a frame of the first spec's source.
 */
export function latestStarts(
  a: Analysis,
  entries: Int32Array,
  specs: readonly CallSpec[],
  pause: Pause = noPause,
): Int32Array {
  const none = () => new Int32Array(a.profile.tree.length).fill(-1);
  let starts = none();
  for (const node of entries) starts[node] = node;
  inherit(a, starts);
  for (const spec of specs) {
    const before = starts;
    starts = none();
    pause();
    forEachRun(a.runs, (from, to) => follow(a, spec, before, starts, Math.max(1, from), to));
  }
  return starts;
}

/** Nodes that are no entries have their caller's. */
function inherit({ profile: { tree }, runs }: Analysis, starts: Int32Array): void {
  const { parent } = tree;
  forEachRun(runs, (from, to) => {
    for (let node = Math.max(1, from); node < to; node++)
      if (starts[node] === -1) starts[node] = starts[parent[node]!]!;
  });
}

/** One spec further. What lies out of scope keeps −1. */
function follow(
  { profile: { tree } }: Analysis,
  { kind, source, target }: CallSpec,
  before: Int32Array,
  starts: Int32Array,
  from: number,
  to: number,
): void {
  const { parent, method } = tree;
  const isMember = kind === 'member';
  const calls = kind === 'direct' ? source : null;
  for (let node = from; node < to; node++) {
    const above = parent[node]!;
    let start = starts[above]!;
    if (target[method[node]!] === 1) {
      if (isMember) start = before[node]!;
      else if (calls === null || calls[method[above]!] === 1) start = before[above]!;
    }
    starts[node] = start;
  }
}
