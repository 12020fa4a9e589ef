// The tree as bytes: the distinct calls of the program once, then every node as a step in depth-first order and the rank of its call.
import { sharedInt32, treeColumns } from '../cct/columns.ts';
import { keepKnownCalls } from '../cct/known-calls.ts';
import { type Cct, PARTIAL_METHOD, ROOT_METHOD } from '../cct/profile.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { CallTable } from './call-table.ts';
import { FormatFlaw } from './format.ts';
import { LONG, SmallNumbers } from './small-numbers.ts';

/** Sections of a tree, by name. */
export type TreeSections = { readonly calls: Uint8Array; readonly steps: Uint8Array; readonly ranks: Uint8Array };

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

/** Ranks of siblings below this are told apart by the bits of one number, whose last bit says that there are larger ones. */
const FEW_RANKS = 31;
const MORE_RANKS = 1 << FEW_RANKS;
/** Stands at the call of a node, until the end, whose children have such ranks: a list of them could be as long as the tree. */
const WIDE = 1 << 31;

/** Reads what packTree wrote; `nodes` and `methods` come from the header. Throws FormatFlaw. */
export function unpackTree(sections: TreeSections, nodes: number, methods: number): Cct {
  const calls = unpackCalls(sections.calls, methods);
  checkCallsDiffer(calls, methods);
  const { offsets, sites } = calls;
  const tree = treeColumns(nodes);
  const { parent, method, callLine, subtreeEnd, depth } = tree;
  const callOfNode = sharedInt32(nodes);
  const steps = new SmallNumbers('steps', sections.steps, nodes - 1);
  const ranks = new SmallNumbers('ranks', sections.ranks, nodes - 1);
  const [stepBytes, rankBytes] = [steps.bytes, ranks.bytes];
  // Per level the ranks of the children of its open node so far, as bits; larger ones are looked at in the end.
  let seen = new Int32Array(Math.min(nodes + 1, 256));
  let isAnyWide = false;
  parent[0] = -1;
  let [open, level, caller] = [0, 0, ROOT_METHOD];
  let [stepAt, rankAt] = [0, 0];
  for (let i = 1; i < nodes; i++) {
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
    if (step > 0) {
      level -= step;
      if (level < 0) throw new FormatFlaw(`column parent, row ${i}`, 'closes more nodes than are open');
      for (let close = step; close > 0; close--) {
        subtreeEnd[open] = i;
        open = parent[open]!;
      }
      caller = method[open]!;
      if (rank < FEW_RANKS && (seen[level]! & (1 << rank)) !== 0) repeatsSibling(i);
    }
    const call = offsets[caller]! + rank;
    if (call >= offsets[caller + 1]!)
      throw new FormatFlaw(`column method, row ${i}`, 'is outside the calls of its parent');
    if (rank < FEW_RANKS) {
      seen[level]! |= 1 << rank;
    } else if ((seen[level]! & MORE_RANKS) === 0) {
      seen[level]! |= MORE_RANKS;
      callOfNode[open]! |= WIDE;
      isAnyWide = true;
    }
    callOfNode[i] = call;
    parent[i] = open;
    depth[i] = ++level;
    if (level === seen.length) seen = grown(seen, Math.min(nodes + 1, 2 * level));
    seen[level] = 0;
    open = i;
    caller = sites[2 * call]!;
    method[i] = caller;
    callLine[i] = sites[2 * call + 1]!;
  }
  steps.end(stepAt);
  ranks.end(rankAt);
  for (; open >= 0; open = parent[open]!) subtreeEnd[open] = nodes;
  if (isAnyWide) checkSiblingsDiffer(tree, calls, callOfNode);
  keepKnownCalls(tree, { length: sites.length / 2, ...calls, callOfNode });
  return tree;
}

function grown(column: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(column);
  return larger;
}

function repeatsSibling(row: number): never {
  throw new FormatFlaw(`column method, row ${row}`, 'repeats a sibling');
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

/** Of the children of parents marked as wide, whose marks are taken away. */
function checkSiblingsDiffer({ subtreeEnd, length }: Cct, { sites }: Calls, callOfNode: Int32Array): void {
  const latestParent = new Int32Array(sites.length / 2).fill(-1);
  for (let p = 0; p < length; p++) {
    if (callOfNode[p]! >= 0) continue;
    callOfNode[p]! &= ~WIDE;
    const end = subtreeEnd[p]!;
    for (let c = p + 1; c < end; c = subtreeEnd[c]!) {
      const call = callOfNode[c]! & ~WIDE;
      if (latestParent[call] === p) repeatsSibling(c);
      latestParent[call] = p;
    }
  }
}
