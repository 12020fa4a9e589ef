// The tree as bytes: the distinct calls of the program once, then every node as a step in depth-first order and the rank of its call.
import { sharedInt32 } from '../cct/columns.ts';
import { keepKnownCalls } from '../cct/known-calls.ts';
import { type Cct, PARTIAL_METHOD, ROOT_METHOD } from '../cct/profile.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { CallTable } from './call-table.ts';
import { FormatFlaw } from './format.ts';

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

/** Reads what packTree wrote; `nodes` and `methods` come from the header. Throws FormatFlaw. */
export function unpackTree(sections: TreeSections, nodes: number, methods: number): Cct {
  const calls = unpackCalls(sections.calls, methods);
  checkCallsDiffer(calls, methods);
  const { offsets, sites } = calls;
  const column = () => sharedInt32(nodes);
  const tree = {
    length: nodes,
    parent: column(),
    method: column(),
    callLine: column(),
    subtreeEnd: column(),
    depth: column(),
  };
  const { parent, method, callLine, subtreeEnd, depth } = tree;
  const callOfNode = column();
  const steps = unpackSmall('steps', sections.steps, nodes - 1);
  const ranks = unpackSmall('ranks', sections.ranks, nodes - 1);
  parent[0] = -1;
  let open = 0;
  let caller = ROOT_METHOD;
  for (let i = 1; i < nodes; i++) {
    const step = steps[i - 1]!;
    if (step > 0) {
      for (let close = step; close > 0; close--) {
        if (open <= 0) throw new FormatFlaw(`column parent, row ${i}`, 'closes more nodes than are open');
        subtreeEnd[open] = i;
        open = parent[open]!;
      }
      caller = method[open]!;
    }
    const call = offsets[caller]! + ranks[i - 1]!;
    if (call >= offsets[caller + 1]!)
      throw new FormatFlaw(`column method, row ${i}`, 'is outside the calls of its parent');
    callOfNode[i] = call;
    parent[i] = open;
    depth[i] = depth[open]! + 1;
    open = i;
    caller = sites[2 * call]!;
    method[i] = caller;
    callLine[i] = sites[2 * call + 1]!;
  }
  for (; open >= 0; open = parent[open]!) subtreeEnd[open] = nodes;
  checkSiblingsDiffer(tree, calls, callOfNode);
  keepKnownCalls(tree, { length: sites.length / 2, offsets, sites, callOfNode });
  return tree;
}

/** Numbers of each node but the root. */
type Ranks = Uint8Array | Int32Array;

/** Varints below 2^31, `count` of them, in a typed array that is as narrow as the bytes allow. */
function unpackSmall(section: string, bytes: Uint8Array, count: number): Ranks {
  if (bytes.length === count && isNarrow(bytes)) return bytes;
  const out = new Int32Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++] ?? tooShort(section, i);
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++] ?? tooShort(section, i);
      if (shift > 28 || (shift === 28 && byte > 7))
        throw new FormatFlaw(`section ${section}, row ${i}`, 'is too large');
      value |= (byte & 0x7f) << shift;
    }
    out[i] = value;
  }
  if (at !== bytes.length) throw new FormatFlaw(`section ${section}`, `has ${bytes.length - at} bytes too many`);
  return out;
}

function tooShort(section: string, row: number): never {
  throw new FormatFlaw(`section ${section}, row ${row}`, 'ends too early');
}

/** Whether every number takes one byte; looks at four at a time. */
function isNarrow(bytes: Uint8Array): boolean {
  const odd = (4 - (bytes.byteOffset % 4)) % 4;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + odd, Math.max(0, bytes.length - odd) >> 2);
  for (let i = 0; i < words.length; i++) if ((words[i]! & 0x80808080) !== 0) return false;
  const rest = Math.min(bytes.length, odd) + words.length * 4;
  for (let i = 0; i < Math.min(odd, bytes.length); i++) if (bytes[i]! >= 0x80) return false;
  for (let i = rest; i < bytes.length; i++) if (bytes[i]! >= 0x80) return false;
  return true;
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

function checkSiblingsDiffer({ length, subtreeEnd }: Cct, { sites }: Calls, callOfNode: Int32Array): void {
  const latestParent = new Int32Array(sites.length / 2).fill(-1);
  for (let p = 0; p < length; p++) {
    const end = subtreeEnd[p]!;
    if (p + 1 >= end || subtreeEnd[p + 1] === end) continue;
    for (let c = p + 1; c < end; c = subtreeEnd[c]!) {
      const call = callOfNode[c]!;
      if (latestParent[call] === p) throw new FormatFlaw(`column method, row ${c}`, 'repeats a sibling');
      latestParent[call] = p;
    }
  }
}
