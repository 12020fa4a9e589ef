// Profiles for tests: built naively from raw stacks or from a picture in text, and drawn back as text.
import { MethodTableBuilder } from '../../../server/cct/method-table.ts';
import {
  type Cells,
  type Losses,
  type Metric,
  PARTIAL_METHOD,
  type Profile,
  ROOT_METHOD,
} from '../../../server/cct/profile.ts';

/** A frame of a raw stack: `Class.name` or `Class.name(descriptor)`, and the line being executed in it. */
export type RawFrame = { readonly method: string; readonly line: number };

/** One or more equal samples as a recorder would give them. */
export type RawSample = {
  /** Root first. */
  readonly frames: readonly RawFrame[];
  /** The recorder cut the stack off at the root end. */
  readonly truncated?: boolean;
  readonly metric?: number;
  readonly thread?: number;
  readonly window?: number;
  readonly count?: number;
  /** Weight of all of them together; each carries the same part. The count when absent. */
  readonly weight?: number;
  /** Line of a sample without frames. */
  readonly line?: number;
};

export const CPU: Metric = {
  id: 'cpu',
  unit: 'samples',
  kind: 'sampled',
  events: ['jdk.ExecutionSample'],
  periodNanos: 20_000_000,
};
export const ALLOCATION: Metric = {
  id: 'alloc',
  unit: 'bytes',
  kind: 'measured',
  events: ['jdk.ObjectAllocationSample'],
  periodNanos: 0,
};

export type ProfileOptions = {
  readonly metrics?: readonly Metric[];
  readonly threads?: readonly string[];
  /** Number of windows, ten seconds each. */
  readonly windows?: number;
  readonly startMillis?: number;
  readonly losses?: Losses;
};

type Draft = { method: number; callLine: number; children: Map<string, Draft>; cells: Map<string, number[]>[] };

/** A profile of the samples; children stand in the order in which they first come. */
export function profileOfStacks(samples: readonly RawSample[], options: ProfileOptions = {}): Profile {
  const metrics = options.metrics ?? [CPU];
  const methods = new MethodTableBuilder();
  const draft = (method: number, callLine: number): Draft => ({
    method,
    callLine,
    children: new Map(),
    cells: metrics.map(() => new Map()),
  });
  const root = draft(ROOT_METHOD, 0);
  const child = (parent: Draft, method: number, callLine: number) => {
    const key = `${method}:${callLine}`;
    const known = parent.children.get(key);
    if (known !== undefined) return known;
    const made = draft(method, callLine);
    parent.children.set(key, made);
    return made;
  };
  for (const sample of samples) {
    let node = sample.truncated === true ? child(root, PARTIAL_METHOD, 0) : root;
    let line = 0;
    for (const frame of sample.frames) {
      node = child(node, methodRow(methods, frame.method), line);
      line = frame.line;
    }
    if (sample.frames.length === 0) line = sample.line ?? 0;
    const count = sample.count ?? 1;
    const weight = sample.weight ?? count;
    const key = [sample.thread ?? 0, line, sample.window ?? 0].join(' ');
    const cell = node.cells[sample.metric ?? 0]!.get(key) ?? [0, 0, 0];
    node.cells[sample.metric ?? 0]!.set(key, [
      cell[0]! + count,
      cell[1]! + weight,
      cell[2]! + (count > 0 ? (weight * weight) / count : 0),
    ]);
  }
  return { ...columnsOf(root, metrics), methods: methods.finish(), metrics, ...tables(options) };
}

function tables(options: ProfileOptions) {
  const names = options.threads ?? ['main', 'pool-#', 'gc'];
  const start = options.startMillis ?? 1_700_000_000_000;
  return {
    threads: {
      length: names.length,
      group: names.map(() => 'main'),
      name: [...names],
      virtual: new Uint8Array(names.length),
      rawNames: names.map(name => [name.replace('#', '1')]),
    },
    windows: Array.from({ length: options.windows ?? 3 }, (_, i) => ({
      startMillis: start + i * 10_000,
      endMillis: start + (i + 1) * 10_000,
    })),
    losses: options.losses ?? { truncatedStacks: 0, withoutStack: 0, lostSamples: 0 },
  };
}

/** The row of `Class.name(descriptor)`; the class ends at the last dot before the descriptor. */
function methodRow(methods: MethodTableBuilder, text: string): number {
  const open = text.indexOf('(');
  const name = open < 0 ? text : text.slice(0, open);
  const dot = name.lastIndexOf('.');
  return methods.method(name.slice(0, Math.max(0, dot)), name.slice(dot + 1), open < 0 ? null : text.slice(open), 0);
}

function columnsOf(root: Draft, metrics: readonly Metric[]): Pick<Profile, 'tree' | 'cells'> {
  const parent: number[] = [];
  const method: number[] = [];
  const callLine: number[] = [];
  const depth: number[] = [];
  const cells: number[][][] = metrics.map(() => []);
  const pending: { node: Draft; parent: number }[] = [{ node: root, parent: -1 }];
  while (pending.length > 0) {
    const { node, parent: above } = pending.pop()!;
    const row = parent.push(above) - 1;
    method.push(node.method);
    callLine.push(node.callLine);
    depth.push(above < 0 ? 0 : depth[above]! + 1);
    node.cells.forEach((own, metric) => {
      const rows = [...own].map(([key, sums]) => [row, ...key.split(' ').map(Number), ...sums]);
      rows.sort((a, b) => a[1]! - b[1]! || a[2]! - b[2]! || a[3]! - b[3]!);
      cells[metric]!.push(...rows);
    });
    for (const each of [...node.children.values()].reverse()) pending.push({ node: each, parent: row });
  }
  const subtreeEnd = parent.map((_, row) => row + 1);
  for (let row = parent.length - 1; row > 0; row--) {
    const above = parent[row]!;
    subtreeEnd[above] = Math.max(subtreeEnd[above]!, subtreeEnd[row]!);
  }
  const tree = {
    length: parent.length,
    parent: Int32Array.from(parent),
    method: Int32Array.from(method),
    callLine: Int32Array.from(callLine),
    subtreeEnd: Int32Array.from(subtreeEnd),
    depth: Int32Array.from(depth),
  };
  return { tree, cells: cells.map((rows, metric) => cellsOf(rows, metrics[metric]!.unit !== 'samples')) };
}

function cellsOf(rows: readonly number[][], weighted: boolean): Cells {
  const ints = (field: number) => Int32Array.from(rows, row => row[field]!);
  const floats = (field: number) => Float64Array.from(rows, row => row[field]!);
  return {
    length: rows.length,
    node: ints(0),
    thread: ints(1),
    line: ints(2),
    window: ints(3),
    count: floats(4),
    weight: weighted ? floats(5) : floats(4),
    weightSquares: weighted ? floats(6) : null,
  };
}

/**
 * A profile drawn as text, one node a line, children indented by two spaces:
 *
 *     Main.main
 *       Shop.run :12 | 3@14
 *         Log.log :31 | 2@5 1@6/1#2
 *
 * `:12` is the line in the parent that calls; after the bar stand cells: count@line, then /thread and #window where not 0, then
 * =weight where it is not the count. A line that begins with a bar holds samples without a stack; `[truncated]` is the partial node.
 */
export function profileOfText(text: string, options: ProfileOptions = {}): Profile {
  const samples: RawSample[] = [];
  const path: { method: string; callLine: number }[] = [];
  for (const drawn of text.split('\n')) {
    if (drawn.trim() === '') continue;
    const [head, tail = ''] = drawn.split('|');
    const parts = /^( *)(\S*)(?: +:(-?\d+))? *$/.exec(head!);
    if (parts === null) throw new Error(`not a node: ${drawn}`);
    if (parts[2] !== '') path.length = parts[1]!.length / 2;
    else path.length = 0;
    if (parts[2] !== '') path.push({ method: parts[2]!, callLine: Number(parts[3] ?? 0) });
    const truncated = path[0]?.method === '[truncated]';
    const steps = truncated ? path.slice(1) : path;
    const frames = (line: number) =>
      steps.map((step, i) => ({ method: step.method, line: steps[i + 1]?.callLine ?? line }));
    const cells = tail.trim() === '' ? ['0@0'] : tail.trim().split(/ +/);
    for (const cell of cells) {
      const value = /^(\d+)@(-?\d+)(?:\/(\d+))?(?:#(\d+))?(?:=(\d+))?$/.exec(cell);
      if (value === null) throw new Error(`not a cell: ${cell}`);
      const [, count, line, thread = 0, window = 0, weight = count] = value;
      const sample = { thread: Number(thread), window: Number(window), count: Number(count), weight: Number(weight) };
      samples.push({ ...sample, frames: frames(Number(line)), truncated, line: Number(line) });
    }
  }
  return withoutEmptyCells(profileOfStacks(samples, options));
}

/** Drops cells without samples: they only stand for nodes that ran nothing themselves. */
function withoutEmptyCells(profile: Profile): Profile {
  const cells = profile.cells.map(({ length, node, thread, line, window, count, weight, weightSquares }): Cells => {
    const keep = Array.from({ length }, (_, i) => i).filter(i => count[i]! > 0);
    const ints = (column: Int32Array) => Int32Array.from(keep, i => column[i]!);
    const floats = (column: Float64Array) => Float64Array.from(keep, i => column[i]!);
    return {
      length: keep.length,
      node: ints(node),
      thread: ints(thread),
      line: ints(line),
      window: ints(window),
      count: floats(count),
      weight: floats(weight),
      weightSquares: weightSquares === null ? null : floats(weightSquares),
    };
  });
  return { ...profile, cells };
}

/** `Class.name(descriptor)` of a method row. */
export function methodText({ methods }: Profile, row: number): string {
  const className = methods.strings[methods.className[row]!]!;
  const descriptor = methods.descriptor[row]!;
  const name = methods.strings[methods.name[row]!]!;
  return `${className === '' ? '' : `${className}.`}${name}${descriptor < 0 ? '' : methods.strings[descriptor]!}`;
}

/** Method rows by their text. */
export function methodRows(profile: Profile): Map<string, number> {
  return new Map(Array.from({ length: profile.methods.length }, (_, row) => [methodText(profile, row), row]));
}

/** Whether only typed time has samples at or below a node: its frames stand below those of other metrics. */
function isOfTypedTime({ tree, cells, metrics }: Profile, metric: number, node: number): boolean {
  const has = (row: number) => cells[row]?.node.some(each => each >= node && each < tree.subtreeEnd[node]!) === true;
  const typed = metrics.findIndex(({ id }) => id === 'typed');
  return typed >= 0 && typed !== metric && has(typed) && !has(metric);
}

/**
 * The picture of a profile's metric, as `profileOfText` reads it, with siblings sorted so that equal profiles look equal.
 * Frames of typed time are left out of other metrics. With `named`, threads and windows stand as name and start instead of rows, and cells are sorted by text.
 */
export function textOfProfile(profile: Profile, metric = 0, named = false): string {
  const { tree } = profile;
  const cellsByNode = new Map<number, string[]>();
  const cells = profile.cells[metric];
  for (let i = 0; cells !== undefined && i < cells.length; i++) {
    const rows = [cells.thread[i]!, cells.window[i]!] as const;
    const thread = named ? `/${profile.threads.name[rows[0]]}` : rows[0] === 0 ? '' : `/${rows[0]}`;
    const window = named ? `#${profile.windows[rows[1]]!.startMillis}` : rows[1] === 0 ? '' : `#${rows[1]}`;
    const weight = cells.weight[i] === cells.count[i] ? '' : `=${cells.weight[i]}`;
    const list = cellsByNode.get(cells.node[i]!) ?? [];
    list.push(`${cells.count[i]}@${cells.line[i]}${thread}${window}${weight}`);
    cellsByNode.set(cells.node[i]!, list);
  }
  const lines: string[] = [];
  const pending = [0];
  while (pending.length > 0) {
    const node = pending.pop()!;
    const own = cellsByNode.get(node);
    const bar = own === undefined ? '' : `| ${(named ? own.sort() : own).join(' ')}`;
    if (node === 0) {
      if (bar !== '') lines.push(bar);
    } else {
      const call = tree.callLine[node] === 0 ? '' : ` :${tree.callLine[node]}`;
      const text = `${'  '.repeat(tree.depth[node]! - 1)}${methodText(profile, tree.method[node]!)}${call}`;
      lines.push(bar === '' ? text : `${text} ${bar}`);
    }
    const children: number[] = [];
    for (let c = node + 1; c < tree.subtreeEnd[node]!; c = tree.subtreeEnd[c]!)
      if (!isOfTypedTime(profile, metric, c)) children.push(c);
    const key = (c: number) => methodText(profile, tree.method[c]!);
    children.sort((x, y) => (key(x) < key(y) ? 1 : key(x) > key(y) ? -1 : tree.callLine[y]! - tree.callLine[x]!));
    pending.push(...children);
  }
  return lines.join('\n');
}
