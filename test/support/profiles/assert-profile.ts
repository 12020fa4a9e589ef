// Checks that a profile keeps every invariant that its data type promises.

import { findCellFlaw } from '../../../server/cct/cell-flaw.ts';
import { compareWindows, PARTIAL_METHOD, type Profile, ROOT_METHOD } from '../../../server/cct/profile.ts';
import { findTimesFlaw } from '../../../server/cct/times.ts';

type Flaw = NonNullable<ReturnType<typeof findCellFlaw>>;

/** Throws when the profile breaks an invariant of profile.ts; the message names its number, the column and the row. */
export function assertProfile(profile: Profile): void {
  const flaw = findFlaw(profile);
  if (flaw !== null) {
    throw new Error(`broken invariant ${flaw.invariant}: column ${flaw.column}, row ${flaw.row}: ${flaw.message}`);
  }
}

/** The first broken invariant, or null. O(nodes + cells). Assumes columns of the lengths that their tables state. */
export function findFlaw(profile: Profile): Flaw | null {
  return (
    findLengthFlaw(profile) ??
    findTableFlaw(profile) ??
    findTreeFlaw(profile) ??
    findSiblingFlaw(profile.tree, profile.methods.length) ??
    findCellsFlaw(profile)
  );
}

function findLengthFlaw(profile: Profile): Flaw | null {
  const { tree, methods, threads } = profile;
  const columns: [string, { readonly length: number }, number][] = [
    ['parent', tree.parent, tree.length],
    ['method', tree.method, tree.length],
    ['callLine', tree.callLine, tree.length],
    ['subtreeEnd', tree.subtreeEnd, tree.length],
    ['depth', tree.depth, tree.length],
    ['methods.className', methods.className, methods.length],
    ['methods.name', methods.name, methods.length],
    ['methods.descriptor', methods.descriptor, methods.length],
    ['methods.flags', methods.flags, methods.length],
    ['threads.group', threads.group, threads.length],
    ['threads.name', threads.name, threads.length],
    ['threads.virtual', threads.virtual, threads.length],
    ['threads.rawNames', threads.rawNames, threads.length],
    ['cells', profile.cells, profile.metrics.length],
  ];
  for (const [column, values, length] of columns) {
    if (values.length !== length) {
      return { invariant: 5, column, row: values.length, message: `has ${values.length} rows instead of ${length}` };
    }
  }
  return null;
}

function findTableFlaw({ methods, windows }: Profile): Flaw | null {
  if (methods.length <= PARTIAL_METHOD) {
    return { invariant: 5, column: 'methods', row: 0, message: 'lacks the root or the partial method' };
  }
  const strings = methods.strings.length;
  for (let i = 0; i < methods.length; i++) {
    const inside = (row: number, least: number) => row >= least && row < strings;
    if (!inside(methods.className[i]!, 0)) return outside('methods.className', i);
    if (!inside(methods.name[i]!, 0)) return outside('methods.name', i);
    if (!inside(methods.descriptor[i]!, -1)) return outside('methods.descriptor', i);
  }
  for (let i = 0; i < windows.length; i++) {
    const window = windows[i]!;
    const { startMillis, endMillis } = window;
    if (!Number.isFinite(startMillis) || !Number.isFinite(endMillis) || endMillis < startMillis) {
      return { invariant: 5, column: 'windows', row: i, message: 'ends before it starts' };
    }
    const before = windows[i - 1];
    if (before === undefined || compareWindows(before, window) < 0) continue;
    return { invariant: 7, column: 'windows', row: i, message: 'is not in order' };
  }
  return null;
}

function outside(column: string, row: number): Flaw {
  return { invariant: 5, column, row, message: 'points outside its table' };
}

/** Invariants 1, 2, 3 and the method part of 4 and 5, in one pass with a stack of open nodes. */
function findTreeFlaw({ tree, methods }: Profile): Flaw | null {
  const { length, parent, method, subtreeEnd, depth } = tree;
  if (length === 0 || parent[0] !== -1 || depth[0] !== 0 || method[0] !== ROOT_METHOD) {
    return { invariant: 1, column: 'parent', row: 0, message: 'is not the root' };
  }
  if (subtreeEnd[0] !== length) {
    return { invariant: 3, column: 'subtreeEnd', row: 0, message: 'does not hold the whole tree' };
  }
  for (let i = 1; i < length; i++) {
    const p = parent[i]!;
    if (p < 0 || p >= i) return { invariant: 2, column: 'parent', row: i, message: `${p} is no row before it` };
    if (depth[i] !== depth[p]! + 1) {
      return { invariant: 2, column: 'depth', row: i, message: `is ${depth[i]} below a node of depth ${depth[p]}` };
    }
    // Depth-first: the parent is the row before, or an ancestor of it whose last subtree ended right here.
    if (p !== i - 1 && depth[p]! >= depth[i - 1]!) {
      return { invariant: 1, column: 'parent', row: i, message: 'is not in depth-first order' };
    }
    const end = subtreeEnd[i]!;
    if (end <= i || end > subtreeEnd[p]!) {
      return { invariant: 3, column: 'subtreeEnd', row: i, message: `${end} leaves the parent's subtree` };
    }
    // Row i is the first outside the subtree of row i−1 unless it is its child: every closed ancestor must end at i.
    for (let closed = i - 1; closed !== p; closed = parent[closed]!) {
      if (closed < p) return { invariant: 1, column: 'parent', row: i, message: 'is not in depth-first order' };
      if (subtreeEnd[closed] !== i) {
        return { invariant: 3, column: 'subtreeEnd', row: closed, message: `is ${subtreeEnd[closed]} instead of ${i}` };
      }
    }
    const m = method[i]!;
    if (m <= ROOT_METHOD || m >= methods.length) return outside('method', i);
    if (m === PARTIAL_METHOD && (p !== 0 || tree.callLine[i] !== 0)) {
      return {
        invariant: 4,
        column: 'method',
        row: i,
        message: 'is a partial node that the root does not call in line 0',
      };
    }
  }
  for (let open = length - 1; open > 0; open = parent[open]!) {
    if (subtreeEnd[open] !== length) {
      return { invariant: 3, column: 'subtreeEnd', row: open, message: `is ${subtreeEnd[open]} instead of ${length}` };
    }
  }
  return null;
}

/**
 * Invariant 4: no two siblings of the same (method, call line), and one partial node at most.
 * Only nodes with several children are looked at; marks by method make it linear unless one node calls one method from very many lines.
 */
function findSiblingFlaw(tree: Profile['tree'], methods: number): Flaw | null {
  const { length, method, callLine, subtreeEnd } = tree;
  const markedFor = new Int32Array(methods).fill(-1);
  const latest = new Int32Array(methods);
  let sameMethod: Int32Array | null = null;
  for (let p = 0; p < length; p++) {
    const end = subtreeEnd[p]!;
    const first = p + 1;
    if (first >= end || subtreeEnd[first] === end) continue;
    for (let c = first; c < end; c = subtreeEnd[c]!) {
      const m = method[c]!;
      const known = markedFor[m] === p ? latest[m]! : -1;
      if (known >= 0) {
        sameMethod ??= new Int32Array(length).fill(-1);
        for (let other = known; other >= 0; other = sameMethod[other]!) {
          if (callLine[other] === callLine[c]) {
            return { invariant: 4, column: 'method', row: c, message: `repeats its sibling in row ${other}` };
          }
        }
        sameMethod[c] = known;
      }
      markedFor[m] = p;
      latest[m] = c;
    }
  }
  return null;
}

function findCellsFlaw(profile: Profile): Flaw | null {
  const limits = {
    nodes: profile.tree.length,
    methods: profile.methods.length,
    threads: profile.threads.length,
    windows: profile.windows.length,
  };
  for (let i = 0; i < profile.cells.length; i++) {
    const flaw = findCellFlaw(profile.cells[i]!, limits, `cells of ${profile.metrics[i]!.id}`);
    if (flaw !== null) return flaw;
  }
  const { times } = profile;
  const flaw = times === undefined ? null : findTimesFlaw(times, limits.methods, limits.windows);
  return flaw === null ? null : { invariant: 5, ...flaw };
}
