// A plain layout of stacks as a tree, for tests: each operation transforms the stacks, each part is laid out as the contract says.
import type { AskPicture, FrameHeader, MethodKey, ViewAmount } from 'insitu/views';
import { BASELINE_COLUMNS, BOX_COLUMNS, BOX_FLAG, CUT_COLUMNS, VERDICTS } from '../../../server/views/view-messages.ts';
import type { FakeMethod, FakeStack } from './stacks-fake.ts';

export type TreeNode = {
  readonly method: FakeMethod | null;
  readonly id: bigint;
  weight: number;
  self: number;
  readonly children: Map<MethodKey, TreeNode>;
};

const PRIME = 0x100000001b3n;
const MASK = (1n << 64n) - 1n;

function idBelow(parent: bigint, key: string): bigint {
  let id = parent;
  for (const character of `/${key}`) id = ((id ^ BigInt(character.charCodeAt(0))) * PRIME) & MASK;
  return id;
}

function newNode(method: FakeMethod | null, id: bigint): TreeNode {
  return { method, id, weight: 0, self: 0, children: new Map() };
}

/** The parts of a question that decide how stacks become a tree. */
type Operated = Pick<AskPicture, 'direction' | 'of' | 'operations'>;

/** The path of one stack in the picture; null where it has no part in it. */
export function pathOfStack({ frames }: FakeStack, asked: Operated): FakeMethod[] | null {
  const { direction, of, operations } = asked;
  let path = [...frames];
  if (operations.library)
    path = path.filter((frame, at) => !(frame.library && at > 0 && path[at - 1]?.library === true));
  if (operations.recursion) path = withoutRecursion(path);
  if (operations.aggregate) path = path.slice(-1);
  if (of !== null) {
    const at = path.findIndex(({ key }) => key === of);
    if (at < 0) return null;
    return direction === 'down' ? path.slice(at + 1) : path.slice(0, at).reverse();
  }
  return direction === 'down' ? path : path.reverse();
}

function withoutRecursion(frames: readonly FakeMethod[]): FakeMethod[] {
  const path: FakeMethod[] = [];
  for (const frame of frames) {
    const outer = path.findIndex(({ key }) => key === frame.key);
    if (outer >= 0) path.length = outer + 1;
    else path.push(frame);
  }
  return path;
}

export function treeOf(
  stacks: readonly FakeStack[],
  asked: Operated,
  methods: ReadonlyMap<MethodKey, FakeMethod>,
): TreeNode {
  const method = asked.of === null ? null : (methods.get(asked.of) ?? null);
  const root = newNode(method, idBelow(0xcbf29ce484222325n, asked.of ?? ''));
  for (const stack of stacks) {
    const path = pathOfStack(stack, asked);
    if (path === null) continue;
    let node = root;
    node.weight += stack.count;
    for (const frame of path) {
      let child = node.children.get(frame.key);
      if (child === undefined) {
        child = newNode(frame, idBelow(node.id, frame.key));
        node.children.set(frame.key, child);
      }
      node = child;
      node.weight += stack.count;
    }
    node.self += stack.count;
  }
  return root;
}

type Box = { node: TreeNode; start: number; end: number; row: number; parent: number };
type Cut = { start: number; end: number; weight: number; parent: number; parts: number; hits: number };
export type Layout = {
  readonly boxes: readonly Box[];
  readonly cuts: readonly Cut[];
  readonly deeper: ReadonlySet<number>;
  readonly deepest: number;
  readonly sums: FrameHeader['sums'];
};

/** Fractions of the window, as the contract says. */
export function layout(root: TreeNode, asked: AskPicture, fits: (method: FakeMethod) => boolean): Layout {
  const boxes: Box[] = [];
  const cuts: Cut[] = [];
  const deeper = new Set<number>();
  const sums = { self: 0, cut: 0, below: 0, outside: 0 };
  const [from, to] = asked.window;
  const [firstRow, lastRow] = asked.rows;
  const place = (fraction: number): number => (fraction - from) / (to - from);
  let deepest = 0;
  const open: Box[] = [{ node: root, start: 0, end: 1, row: 0, parent: -1 }];
  for (let box = open.pop(); box !== undefined; box = open.pop()) {
    const { node, start, end, row } = box;
    deepest = Math.max(deepest, row);
    if (row >= lastRow) {
      sums.below += node.weight;
      if (box.parent >= 0) deeper.add(box.parent);
      continue;
    }
    if (end <= from || start >= to) {
      sums.outside += node.weight;
      continue;
    }
    const isDrawn = row >= firstRow;
    const at = isDrawn ? boxes.length : -1;
    if (isDrawn) boxes.push({ ...box, start: place(start), end: place(end) });
    sums[isDrawn ? 'self' : 'outside'] += node.self;
    let left = start;
    const least = asked.least[Math.min(asked.least.length - 1, Math.max(0, row + 1 - firstRow))] ?? 0;
    const narrow: Cut = { start: 0, end: 0, weight: 0, parent: at, parts: 0, hits: 0 };
    const below: Box[] = [];
    for (const child of ordered(node, asked.order)) {
      const width =
        asked.form === 'equal' ? (end - start) / node.children.size : ((end - start) * child.weight) / node.weight;
      if (width / (to - from) < least && isDrawn && row + 1 < lastRow) {
        narrow.end += width;
        narrow.weight += child.weight;
        narrow.parts++;
        if (holdsHit(child, fits)) narrow.hits++;
      } else {
        below.push({ node: child, start: left, end: left + width, row: row + 1, parent: at });
        left += width;
      }
    }
    open.push(...below.reverse());
    if (narrow.parts > 0) {
      cuts.push({ ...narrow, start: place(left), end: place(left + narrow.end) });
      sums.cut += narrow.weight;
    }
  }
  return { boxes, cuts, deeper, deepest, sums };
}

function holdsHit(node: TreeNode, fits: (method: FakeMethod) => boolean): boolean {
  const open = [node];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.method !== null && fits(at.method)) return true;
    open.push(...at.children.values());
  }
  return false;
}

function ordered(node: TreeNode, order: AskPicture['order']): TreeNode[] {
  const children = [...node.children.values()];
  if (order === 'name') return children.sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  return order === 'weight'
    ? children.sort((a, b) => b.weight - a.weight || nameOf(a).localeCompare(nameOf(b)))
    : children;
}

function nameOf({ method }: TreeNode): string {
  return method === null ? '' : `${method.className}.${method.name}`;
}

export type Rendered = {
  readonly laid: Layout;
  readonly whole: ViewAmount;
  readonly root: FrameHeader['root'];
  readonly fits: (method: FakeMethod) => boolean;
  readonly revision: string;
  readonly shareBefore: ((id: bigint) => number) | null;
};

/** The bytes of a frame, written column by column as the contract says. */
export function encodeFrame({ laid, whole, root, fits, revision, shareBefore }: Rendered): Buffer {
  const { boxes, cuts, deeper, deepest, sums } = laid;
  const methods = [
    ...new Map(
      boxes.flatMap(({ node: { method } }) => (method === null ? [] : [[method.key, method] as const])),
    ).values(),
  ];
  const rowOf = new Map(methods.map(({ key }, at) => [key, at]));
  const header: FrameHeader = {
    revision,
    metric: 'cpu',
    unit: 'samples',
    whole,
    root,
    boxes: boxes.length,
    cuts: cuts.length,
    methods,
    deepest,
    sums,
    coarser: 1,
    baseline: shareBefore !== null,
    millis: 1,
    problems: [],
  };
  const flagsOf = ({ node }: Box, at: number): number =>
    (node.method !== null && fits(node.method) ? BOX_FLAG.hit : 0) |
    (node.method?.library === true ? BOX_FLAG.library : 0) |
    (deeper.has(at) ? BOX_FLAG.deeper : 0) |
    (shareBefore !== null && shareBefore(node.id) === 0 ? BOX_FLAG.added : 0);
  const boxRows = boxes.map((box, at) => ({
    id: box.node.id,
    start: box.start,
    end: box.end,
    weight: box.node.weight,
    count: box.node.weight,
    self: box.node.self,
    parent: box.parent,
    method: box.node.method === null ? -1 : (rowOf.get(box.node.method.key) ?? -1),
    row: box.row,
    flags: flagsOf(box, at),
  }));
  const parts = [
    ...columns(BOX_COLUMNS, boxRows),
    ...columns(
      CUT_COLUMNS,
      cuts.map(cut => ({ ...cut, count: cut.weight })),
    ),
    ...(shareBefore === null
      ? []
      : columns(
          BASELINE_COLUMNS,
          boxes.map(({ node }) => changeOf(node, whole.weight, shareBefore)),
        )),
  ];
  const text = Buffer.from(JSON.stringify(header));
  const padded = Buffer.concat([text, Buffer.alloc((8 - ((text.length + 4) % 8)) % 8, ' ')]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(padded.length);
  return Buffer.concat([length, padded, ...parts]);
}

function changeOf(
  node: TreeNode,
  whole: number,
  shareBefore: (id: bigint) => number,
): { share: number; verdict: number } {
  const [now, share] = [node.weight / whole, shareBefore(node.id)];
  return { share, verdict: VERDICTS.indexOf(now > share * 1.25 ? 'slower' : now < share * 0.8 ? 'faster' : 'same') };
}

function columns<Name extends string>(
  types: Readonly<Record<Name, string>>,
  rows: readonly Readonly<Record<Name, number | bigint>>[],
): Buffer[] {
  return (Object.entries(types) as [Name, string][]).map(([name, type]) => {
    const size = { u32x2: 8, f64: 8, i32: 4, u8: 1 }[type] ?? 8;
    const bytes = Buffer.alloc(Math.ceil((rows.length * size) / 8) * 8);
    rows.forEach((row, at) => {
      const value = row[name];
      if (typeof value === 'bigint') bytes.writeBigUInt64LE(value, at * 8);
      else if (type === 'f64') bytes.writeDoubleLE(value, at * 8);
      else if (type === 'i32') bytes.writeInt32LE(value, at * 4);
      else bytes.writeUInt8(value, at);
    });
    return bytes;
  });
}
