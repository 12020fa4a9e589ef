// The tree as bytes: the distinct calls of the program once, then every node as a step in depth-first order and the rank of its call.

import { keepKnownCalls } from '../cct/known-calls.ts';
import { type Cct, PARTIAL_METHOD, ROOT_METHOD } from '../cct/profile.ts';
import { sharedInt32, treeColumns } from '../cct/shared-columns.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { CallTable } from './call-table.ts';
import { FormatFlaw } from './format.ts';
import { LONG, SmallNumbers } from './small-numbers.ts';

/** Sections of a tree, by name. */
type TreeSections = { readonly calls: Uint8Array; readonly steps: Uint8Array; readonly ranks: Uint8Array };

/**
 * `calls`: for each method row the number of distinct calls (callee, line) that it makes, then those calls, the most frequent first.
 * `steps`: for each node but the root how many nodes to close before it. `ranks`: its call's place in its parent method's list.
 */
export function packTree(tree: Cct, methods: number): TreeSections {
  const { length, parent, method, callLine, depth } = tree;
  const table = new CallTable(methods);
  const callOfNode = new Int32Array(length);
  for (let i = 1; i < length; i++) callOfNode[i] = table.add(method[parent[i]!]!, method[i]!, callLine[i]!);
  const { order, offsets, ranks: rankOfCall } = table.ranked();

  const calls = new ByteWriter(order.length * 4);
  for (let m = 0; m < methods; m++) calls.varint(offsets[m + 1]! - offsets[m]!);
  for (const call of order) calls.varint(table.callee(call));
  for (const call of order) calls.signed(table.line(call));

  const steps = new ByteWriter(length + 8);
  const ranks = new ByteWriter(length + 8);
  for (let i = 1; i < length; i++) {
    steps.varint(depth[i - 1]! + 1 - depth[i]!);
    ranks.varint(rankOfCall[callOfNode[i]!]!);
  }
  return { calls: calls.finish(), steps: steps.finish(), ranks: ranks.finish() };
}

/** Calls of method m are offsets[m] … offsets[m+1]−1; call i is sites[2i] (callee) at line sites[2i+1]. */
type Calls = { readonly offsets: Int32Array; readonly sites: Int32Array };

function unpackCalls(bytes: Uint8Array, methods: number): Calls {
  const reader = new ByteReader('calls', bytes);
  const offsets = new Int32Array(methods + 1);
  for (let m = 0; m < methods; m++) {
    // Each call takes at least two bytes.
    const end = offsets[m]! + reader.varint();
    if (end * 2 > bytes.length) reader.fail('lists more calls than it holds');
    offsets[m + 1] = end;
  }
  const count = offsets[methods]!;
  const sites = new Int32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const callee = reader.row(methods, 'callee');
    if (callee === ROOT_METHOD) reader.fail('has a call of the root');
    if (callee === PARTIAL_METHOD && i >= offsets[1]!) {
      reader.fail('has a call of the partial node that the root does not make');
    }
    sites[2 * i] = callee;
  }
  for (let i = 0; i < count; i++) {
    const line = reader.int32('line');
    if (sites[2 * i] === PARTIAL_METHOD && line !== 0) reader.fail('calls the partial node from another line than 0');
    sites[2 * i + 1] = line;
  }
  reader.end();
  return { offsets, sites };
}

/** Ranks of siblings below this are told apart by the bits of one number. */
const FEW_RANKS = 32;
/** Stands at the call of a node, until its children are looked at, whose children have such ranks: a list of them could be as long as the tree. */
const WIDE = 1 << 31;
/** Numbers a level of the open path. */
const LEVEL = 3;

/** Reads what packTree wrote; `nodes` and `methods` come from the header. Throws FormatFlaw. */
export function unpackTree(sections: TreeSections, nodes: number, methods: number): Cct {
  const calls = unpackCalls(sections.calls, methods);
  checkCallsDiffer(calls, methods);
  const tree = treeColumns(nodes);
  const callOfNode = sharedInt32(nodes);
  unpackShape(sections, tree, calls, callOfNode);
  nameNodes(tree, calls, callOfNode, nodes);
  keepKnownCalls(tree, { length: calls.sites.length / 2, ...calls, callOfNode });
  return tree;
}

/** Finds each node's parent and call, which may be one that its parent does not make, or that a sibling has. */
function unpackShape(sections: TreeSections, tree: Cct, calls: Calls, callOfNode: Int32Array): void {
  const { offsets, sites } = calls;
  const { length, parent, subtreeEnd, depth } = tree;
  // The first call that each call's callee makes: all that the next node has to wait for, in a table as small as can be.
  const firstOf = new Int32Array(sites.length / 2);
  for (let call = 0; call < firstOf.length; call++) firstOf[call] = offsets[sites[2 * call]!]!;
  const steps = new SmallNumbers('steps', sections.steps, length - 1);
  const ranks = new SmallNumbers('ranks', sections.ranks, length - 1);
  const [stepBytes, rankBytes] = [steps.bytes, ranks.bytes];
  const fail = (column: string, row: number, message: string): never => {
    // Rows after a call that its parent does not make are read as they are not meant.
    nameNodes(tree, calls, callOfNode, row);
    return refuse(column, row, message);
  };
  // Per level its open node, the first call of that, and the ranks of its children so far, as bits; larger ones are looked at in the end.
  let path = new Int32Array(LEVEL * Math.min(length + 1, 256));
  parent[0] = -1;
  let [open, level, first] = [0, 0, 0];
  let [stepAt, rankAt] = [0, 0];
  for (let i = 1; i < length; i++) {
    let step = stepBytes[stepAt++]!;
    if (step >= LONG) {
      step = steps.long(stepAt, i - 1);
      stepAt = steps.at;
    }
    let rank = rankBytes[rankAt++]!;
    if (rank >= LONG) {
      rank = ranks.long(rankAt, i - 1);
      rankAt = ranks.at;
    }
    let siblings = 0;
    if (step > 0) {
      const top = level;
      level -= step;
      if (level < 0) fail('parent', i, 'closes more nodes than are open');
      for (let close = top; close > level; close--) subtreeEnd[path[LEVEL * close]!] = i;
      open = path[LEVEL * level]!;
      first = path[LEVEL * level + 1]!;
      siblings = path[LEVEL * level + 2]!;
    }
    const call = first + rank;
    if (call >= firstOf.length) fail('method', i, OUTSIDE);
    if (rank < FEW_RANKS) {
      if ((siblings & (1 << rank)) !== 0) fail('method', i, REPEATED);
      siblings |= 1 << rank;
    } else {
      callOfNode[open]! |= WIDE;
    }
    path[LEVEL * level + 2] = siblings;
    callOfNode[i] = call;
    parent[i] = open;
    depth[i] = ++level;
    if (LEVEL * level === path.length) path = grown(path, LEVEL * Math.min(length + 1, 2 * level));
    open = i;
    first = firstOf[call]!;
    path[LEVEL * level] = open;
    path[LEVEL * level + 1] = first;
  }
  steps.end(stepAt);
  ranks.end(rankAt);
  for (; level >= 0; level--) subtreeEnd[path[LEVEL * level]!] = length;
}

/** Gives the nodes before a row the method and line of their call, and takes the marks of wide ones away. */
function nameNodes(tree: Cct, { offsets, sites }: Calls, callOfNode: Int32Array, to: number): void {
  const { parent, method, callLine } = tree;
  let latestParent: Int32Array | null = null;
  for (let i = 0; i < to; i++) {
    if (callOfNode[i]! < 0) {
      latestParent ??= new Int32Array(sites.length / 2).fill(-1);
      callOfNode[i]! &= ~WIDE;
      checkChildrenDiffer(tree, callOfNode, i, latestParent);
    }
    if (i === 0) continue;
    const call = callOfNode[i]!;
    if (call >= offsets[method[parent[i]!]! + 1]!) refuse('method', i, OUTSIDE);
    method[i] = sites[2 * call]!;
    callLine[i] = sites[2 * call + 1]!;
  }
}

function checkChildrenDiffer(
  { subtreeEnd }: Cct,
  callOfNode: Int32Array,
  node: number,
  latestParent: Int32Array,
): void {
  const end = subtreeEnd[node]!;
  for (let c = node + 1; c < end; c = subtreeEnd[c]!) {
    const call = callOfNode[c]! & ~WIDE;
    if (latestParent[call] === node) refuse('method', c, REPEATED);
    latestParent[call] = node;
  }
}

const OUTSIDE = 'is outside the calls of its parent';
const REPEATED = 'repeats a sibling';

function refuse(column: string, row: number, message: string): never {
  throw new FormatFlaw(`column ${column}, row ${row}`, message);
}

function grown(column: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(column);
  return larger;
}

/** Lists that are no longer are compared call by call. */
const SHORT_LIST = 32;

/** Two equal calls in one list would let siblings be equal under different ranks. */
function checkCallsDiffer({ offsets, sites }: Calls, methods: number): void {
  for (let m = 0; m < methods; m++) {
    const [from, to] = [offsets[m]!, offsets[m + 1]!];
    const differ = to - from <= SHORT_LIST ? shortDiffer(sites, from, to) : longDiffer(sites, from, to);
    if (!differ) throw new FormatFlaw(`section calls, method ${m}`, 'lists the same call twice');
  }
}

function shortDiffer(sites: Int32Array, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++)
    for (let k = from; k < i; k++)
      if (sites[2 * k] === sites[2 * i] && sites[2 * k + 1] === sites[2 * i + 1]) return false;
  return true;
}

function longDiffer(sites: Int32Array, from: number, to: number): boolean {
  const table = new CallTable(1);
  for (let i = from; i < to; i++) if (table.add(0, sites[2 * i]!, sites[2 * i + 1]!) !== i - from) return false;
  return true;
}
