// The waits of threads in own code: the type of the time, the method that waits, the class of threads, and the holder that they wait for.
import { ROOT_NODE } from '../../cct/builder.ts';
import { threadGroupName } from '../../cct/thread-groups.ts';
import { type Amount, type Analysis, NO_AMOUNT } from '../../metrics/analysis.ts';
import { forEachOwnedCell } from '../../metrics/own-times.ts';
import { isTimeType, type TimeType } from '../../model/time-types.ts';

/** The largest part of some time. */
type Main = { readonly name: string; readonly weight: number };

/** Time of one type that threads spend in one method of own code. */
export type Wait = Amount & {
  readonly type: TimeType;
  /** Row of the method: the innermost own code above the type. */
  readonly method: number;
  /** The class of threads that waits most there. */
  readonly threads: Main;
  /** The holder that the method waits for most: a class of threads, or the row of its innermost own method; null where it is not known. */
  readonly holder: (Main & { readonly method: number | null }) | null;
};

/** Time of one type that a class of threads spends in own code. */
export type ClassWait = {
  readonly threads: string;
  readonly type: TimeType;
  readonly weight: number;
  readonly count: number;
  /** All time of the class that is not known to be outside of own code, waits or not. */
  readonly whole: number;
  readonly holder: Wait['holder'];
};

type Waits = {
  /** Most first. Running is no wait. */
  readonly rows: readonly Wait[];
  /** Most first. */
  readonly classes: readonly ClassWait[];
  /**
   * Time of the classes of threads that run own code, waits or not, without time that is known to be outside of own code. Time without a
   * stack may be in own code: shares of waits are lower bounds only where it is part of the whole.
   */
  readonly ofThreads: ReadonlyMap<string, number>;
  /** The time of these classes by type. */
  readonly types: ReadonlyMap<TimeType, Amount>;
  /** Time outside of own code: the time of threads that run none, such as the JVM's own, and of idle threads of pools. */
  readonly aside: Amount & { readonly ofThreads: ReadonlyMap<string, number> };
};

/** Types in which a thread has a processor, or may have one: no wait. */
const NO_WAITS: readonly string[] = [':RUN', ':RUNNABLE', ':UNRECORDED'] satisfies readonly TimeType[];

type Sum = { weight: number; count: number; readonly holders: Map<number, number> };
type MethodSum = Sum & { readonly type: TimeType; readonly method: number; readonly threads: Map<string, number> };
type ClassSum = Sum & { readonly type: TimeType; readonly threads: string };

/** @param a of the metric of typed time. O(nodes + cells). */
export function waitsOf(a: Analysis, isOwn: Uint8Array): Waits {
  const { tree, cells, threads } = a.profile;
  const own = cells[a.selection.metric]!;
  const { node, thread } = own;
  const names = threads.name.map(threadGroupName);
  const { typeNode, types } = typeNodes(a);
  const holderOf = holders(a, typeNode, isOwn);
  const byMethod = new Map<string, MethodSum>();
  const byClass = new Map<string, ClassSum>();
  const byType = new Map<TimeType, { weight: number; count: number }>();
  const ofThreads = new Map<string, number>();
  const aside = { ...NO_AMOUNT, ofThreads: new Map<string, number>() };
  forEachOwnedCell(a, isOwn, (owner, isInScope, weight, count, cell) => {
    const at = node[cell]!;
    const name = names[thread[cell]!]!;
    const typed = typeNode[at]!;
    if (!isInScope) {
      if (isWithoutStack(a, typed)) return;
      add(aside, weight, count);
      addTo(aside.ofThreads, name, weight);
      return;
    }
    addTo(ofThreads, name, weight);
    if (typed < 0) return;
    const type = types.get(tree.method[typed]!)!;
    add(kept(byType, type, { weight: 0, count: 0 }), weight, count);
    if (NO_WAITS.includes(type)) return;
    const method = tree.method[owner]!;
    const none = { weight: 0, count: 0 };
    const ofMethod = kept(byMethod, `${type} ${method}`, {
      ...none,
      type,
      method,
      threads: new Map(),
      holders: new Map(),
    });
    const ofClass = kept(byClass, `${type} ${name}`, { ...none, type, threads: name, holders: new Map() });
    addTo(ofMethod.threads, name, weight);
    for (const sum of [ofMethod, ofClass]) {
      add(sum, weight, count);
      if (holderOf[at]! >= 0) addTo(sum.holders, holderOf[at]!, weight);
    }
  });
  const isPart = a.selection.focus !== undefined || a.selection.path !== undefined;
  const runsOwn = new Set(ofThreads.keys());
  forEachCellWithoutStack(a, typeNode, cell => {
    const name = names[thread[cell]!]!;
    const [weight, count] = [own.weight[cell]!, own.count[cell]!];
    if (runsOwn.has(name)) {
      addTo(ofThreads, name, weight);
      const type = types.get(tree.method[typeNode[node[cell]!]!]!)!;
      add(kept(byType, type, { weight: 0, count: 0 }), weight, count);
    } else if (!isPart) {
      add(aside, weight, count);
      addTo(aside.ofThreads, name, weight);
    }
  });
  const rows = [...byMethod.values()].map(
    ({ threads: by, holders, ...row }): Wait => ({
      ...row,
      threads: heaviest(by)!,
      holder: holderFrom(a, holders),
    }),
  );
  const classes = [...byClass.values()].map(
    ({ type, threads: name, weight, count, holders }): ClassWait => ({
      ...{ type, threads: name, weight, count },
      whole: ofThreads.get(name)!,
      holder: holderFrom(a, holders),
    }),
  );
  rows.sort((x, y) => y.weight - x.weight || x.method - y.method || (x.type < y.type ? -1 : 1));
  classes.sort((x, y) => y.weight - x.weight || (`${x.type} ${x.threads}` < `${y.type} ${y.threads}` ? -1 : 1));
  return { rows, classes, ofThreads, types: byType, aside };
}

/** Whether a time type stands without a frame above it: where the thread was is not known. @param typed node of the type, −1 for none */
function isWithoutStack({ profile: { tree } }: Analysis, typed: number): boolean {
  return typed >= 0 && tree.parent[typed] === ROOT_NODE;
}

/** The chosen cells of threads and windows; a focus and a path do not choose among them, as they tell nothing of time without a stack. */
function forEachCellWithoutStack(a: Analysis, typeNode: Int32Array, visit: (cell: number) => void): void {
  const { metric, threads, windows } = a.selection;
  const { node, thread, window, length } = a.profile.cells[metric]!;
  for (let cell = 0; cell < length; cell++) {
    if (threads !== undefined && threads[thread[cell]!] === 0) continue;
    if (windows !== undefined && windows[window[cell]!] === 0) continue;
    if (isWithoutStack(a, typeNode[node[cell]!]!)) visit(cell);
  }
}

function kept<K, V>(sums: Map<K, V>, key: K, first: V): V {
  const known = sums.get(key) ?? first;
  sums.set(key, known);
  return known;
}

function add(sum: { weight: number; count: number }, weight: number, count: number): void {
  sum.weight += weight;
  sum.count += count;
}

function addTo<K>(sums: Map<K, number>, key: K, weight: number): void {
  sums.set(key, (sums.get(key) ?? 0) + weight);
}

/** The largest sum; of equal sums, the one whose name comes first. */
function heaviest(sums: ReadonlyMap<string, number>): Main | null {
  const [first] = [...sums].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return first === undefined ? null : { name: first[0], weight: first[1] };
}

function holderFrom({ profile: { methods } }: Analysis, sums: ReadonlyMap<number, number>): Wait['holder'] {
  const [first] = [...sums].sort(([a, one], [b, other]) => other - one || a - b);
  if (first === undefined) return null;
  const [row, weight] = first;
  const { strings, className, name } = methods;
  const isThread = strings[className[row]!] === '';
  return { name: strings[name[row]!]!, weight, method: isThread ? null : row };
}

/** Per node: the outermost frame of a type at or above it, −1 without one. Callers come before what they call. */
function typeNodes({ profile: { tree, methods } }: Analysis) {
  const { strings, className, name, length } = methods;
  const types = new Map<number, TimeType>();
  for (let row = 0; row < length; row++) {
    const own = strings[name[row]!]!;
    if (isTimeType(strings[className[row]!]!, own)) types.set(row, own as TimeType);
  }
  const typeNode = new Int32Array(tree.length).fill(-1);
  for (let node = 1; node < tree.length; node++) {
    const above = typeNode[tree.parent[node]!]!;
    typeNode[node] = above >= 0 ? above : types.has(tree.method[node]!) ? node : -1;
  }
  return { typeNode, types };
}

/** Per node behind a type: the row of the class of threads there, or of the innermost own method at or above it; −1 for other nodes. */
function holders({ profile: { tree, methods } }: Analysis, typeNode: Int32Array, isOwn: Uint8Array): Int32Array {
  const { strings, className } = methods;
  const holder = new Int32Array(tree.length).fill(-1);
  for (let node = 1; node < tree.length; node++) {
    const typed = typeNode[node]!;
    if (typed < 0 || typed === node) continue;
    const method = tree.method[node]!;
    const isNamed = isOwn[method] === 1 || strings[className[method]!] === '';
    holder[node] = isNamed ? method : holder[tree.parent[node]!]!;
  }
  return holder;
}
