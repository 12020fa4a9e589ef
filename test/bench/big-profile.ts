// Makes large profiles of a program that does not exist: a static call graph, random walks through it, and skewed threads.
import { ProfileBuilder, ROOT_NODE } from '../../server/cct/builder.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { sharedInt32 } from '../../server/cct/shared-columns.ts';
import { sortCells } from '../../server/cct/sort-cells.ts';
import { ALLOCATION, CPU } from '../support/profiles/profiles.ts';

export type BigProfileOptions = {
  /** Text that names the random sequence: the same text gives the same profile. */
  readonly seed: string;
  /** The tree has at least as many nodes, and at most one stack's worth more. */
  readonly nodes: number;
  readonly methods?: number;
  /** Text that names the program; profiles of the same program share its call graph. */
  readonly program?: string;
  /** With `alloc` beside `cpu`. */
  readonly metrics?: 1 | 2;
};

const MEDIAN_DEPTH = 48;
const DEPTH_SIGMA = 0.6;
const MOST_DEPTH = 400;
const THREADS = 64;
const WINDOWS = 60;
const ZIPF = 1.02;
export const WINDOW_NODES = 10_000;
export const WINDOW_MILLIS = 5_000;

/** Uniform numbers in [0, 1): the generator sfc32 by C. Doty-Humphrey, seeded with an FNV-1a hash of text. */
export function randomNumbers(seed: string): () => number {
  let hash = 0x811c9dc5;
  for (const char of seed) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
  let [a, b, c, counter] = [hash, hash ^ 0x9e3779b9, hash ^ 0x85ebca6b, 1];
  const next = () => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 16; i++) next();
  return next;
}

/** The calls between methods, with their lines. Method m's calls are offsets[m] … offsets[m+1]−1. */
type CallGraph = { readonly offsets: Int32Array; readonly callee: Int32Array; readonly line: Int32Array };

/** One to eight calls a method; half the callees are drawn by Zipf's law, half uniformly. */
function callGraph(methods: number, random: () => number): CallGraph {
  const cumulative = new Float64Array(methods);
  let sum = 0;
  for (let m = 0; m < methods; m++) cumulative[m] = sum += 1 / (m + 1) ** ZIPF;
  const zipf = () => {
    const target = random() * sum;
    let low = 0;
    let high = methods - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulative[middle]! < target) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const offsets = new Int32Array(methods + 1);
  for (let m = 0; m < methods; m++) offsets[m + 1] = offsets[m]! + 1 + Math.floor(random() * 8);
  const callee = new Int32Array(offsets[methods]!);
  const line = new Int32Array(offsets[methods]!);
  for (let m = 0; m < methods; m++) {
    let at = 10 + Math.floor(random() * 900);
    for (let i = offsets[m]!; i < offsets[m + 1]!; i++) {
      callee[i] = random() < 0.5 ? zipf() : Math.floor(random() * methods);
      line[i] = at += 1 + Math.floor(random() * 4);
    }
  }
  return { offsets, callee, line };
}

/** A normally distributed number (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** One walk through the program: methods from the root on, and the line in each from which the next is called. */
type Walk = { readonly methods: readonly number[]; readonly lines: readonly number[] };

function walk(graph: CallGraph, random: () => number): Walk {
  const depth = Math.min(MOST_DEPTH, Math.max(2, Math.round(MEDIAN_DEPTH * Math.exp(DEPTH_SIGMA * normal(random)))));
  const methods = [Math.floor(random() ** 3 * 40)];
  const lines: number[] = [];
  for (let level = 1; level < depth; level++) {
    const method = methods[level - 1]!;
    const from = graph.offsets[method]!;
    const call = from + Math.floor(random() ** 2 * (graph.offsets[method + 1]! - from));
    methods.push(graph.callee[call]!);
    lines.push(graph.line[call]!);
  }
  return { methods, lines };
}

function methodRows(builder: ProfileBuilder, methods: number, program: string): number[] {
  return Array.from({ length: methods }, (_, m) => {
    const className = `com.acme.${program}.part${m % 97}.Type${Math.floor(m / 12)}`;
    return builder.methods.method(className, `step${m % 211}`, m % 3 === 0 ? '(ILjava/lang/String;)V' : '()V', 0);
  });
}

/** Inserts a walk from frame `from` on below `node` and gives the node of its last frame. */
function insert(
  builder: ProfileBuilder,
  rows: readonly number[],
  { methods, lines }: Walk,
  node: number,
  from = 0,
): number {
  let last = node;
  for (let i = from; i < methods.length; i++)
    last = builder.child(last, rows[methods[i]!]!, i === from ? 0 : lines[i - 1]!);
  return last;
}

/** The profile. Stacks are walks through the call graph; each leaf runs on up to six lines. */
export function bigProfile({
  seed,
  nodes,
  methods = 50_000,
  program = 'shop',
  metrics = 1,
}: BigProfileOptions): Profile {
  const graph = callGraph(methods, randomNumbers(`graph of ${program}`));
  const random = randomNumbers(seed);
  const builder = new ProfileBuilder('normalised');
  const cpu = builder.metric(CPU);
  const alloc = metrics === 2 ? builder.metric(ALLOCATION) : -1;
  const rows = methodRows(builder, methods, program);
  const threads = Array.from({ length: THREADS }, (_, t) => {
    const letters = `${String.fromCharCode(97 + (t % 26))}${String.fromCharCode(97 + Math.floor(t / 26))}`;
    return builder.threads.thread(`group-${t % 5}`, `worker-${letters}`, t % 4 === 3);
  });
  while (builder.nodeCount < nodes) {
    const stack = walk(graph, random);
    const node = insert(builder, rows, stack, ROOT_NODE);
    const method = stack.methods.at(-1)!;
    const thread = threads[Math.floor(random() ** 2.5 * THREADS)]!;
    const window = Math.min(WINDOWS - 1, Math.floor((builder.nodeCount / nodes) * WINDOWS));
    const lines = 1 + Math.floor(random() * 6);
    for (let i = 0; i < lines; i++) {
      const line = 10 + ((method * 7) % 900) + Math.floor(random() * 40);
      builder.add(cpu, node, thread, line, window, 1 + Math.floor(random() ** 8 * 20));
      if (alloc >= 0) builder.add(alloc, node, thread, line, window, 1, 16 * (1 + Math.floor(random() ** 3 * 40_000)));
    }
  }
  return builder.finish(
    Array.from({ length: WINDOWS }, (_, i) => ({
      startMillis: 1_700_000_000_000 + i * 10_000,
      endMillis: 1_700_000_000_000 + (i + 1) * 10_000,
    })),
  );
}

/** The profile that a recorder adds to a large one in one window of 5 s, the `at`th after all of that profile. */
export function windowOf(at: number): Profile {
  const profile = bigProfile({ seed: `window ${at}`, nodes: WINDOW_NODES });
  const startMillis = profile.windows.at(-1)!.endMillis + at * WINDOW_MILLIS;
  const cells = profile.cells.map(own => sortCells({ ...own, window: sharedInt32(own.length) }, profile.tree.length));
  return { ...profile, windows: [{ startMillis, endMillis: startMillis + WINDOW_MILLIS }], cells };
}

/** A profile with stacks cut to their last frames, and the truth about them. */
export type CutProfile = {
  readonly profile: Profile;
  /** For each cut stack its method rows from the root on; its cell runs on line `firstLine` + its number. */
  readonly truth: readonly (readonly number[])[];
  readonly firstLine: number;
  /** So many of the cut stacks, the first ones, stand in the tree as complete stacks too. */
  readonly known: number;
};

/**
 * A tree of `nodes` complete nodes, and below the partial node `cutNodes` of stacks cut to their last `kept` frames: all complete
 * stacks that are deeper, then further walks through the same program.
 */
export function cutProfile(seed: string, nodes: number, cutNodes: number, kept: number): CutProfile {
  const methods = 50_000;
  const firstLine = 100_000;
  const graph = callGraph(methods, randomNumbers('graph of shop'));
  const random = randomNumbers(seed);
  const builder = new ProfileBuilder('normalised');
  const cpu = builder.metric(CPU);
  const rows = methodRows(builder, methods, 'shop');
  const thread = builder.threads.thread('main', 'worker', false);
  const deep: Walk[] = [];
  while (builder.nodeCount < nodes) {
    const stack = walk(graph, random);
    builder.add(cpu, insert(builder, rows, stack, ROOT_NODE), thread, 1, 0, 1);
    if (stack.methods.length > kept) deep.push(stack);
  }
  const before = builder.nodeCount;
  const partial = builder.partialRoot();
  const truth: number[][] = [];
  while (builder.nodeCount - before < cutNodes) {
    const stack = deep[truth.length] ?? walk(graph, random);
    if (stack.methods.length <= kept) continue;
    const node = insert(builder, rows, stack, partial, stack.methods.length - kept);
    builder.add(cpu, node, thread, firstLine + truth.length, 0, 1);
    truth.push(stack.methods.map(method => rows[method]!));
  }
  return {
    profile: builder.finish([{ startMillis: 0, endMillis: 10_000 }]),
    truth,
    firstLine,
    known: Math.min(deep.length, truth.length),
  };
}
