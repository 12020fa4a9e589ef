// Parts of a picture: sets of nodes of one method in one calling context, worked out level by level as far as they are looked at.
import { noPause, type Pause } from '../../base/pause.ts';
import { ROOT_METHOD } from '../../cct/profile.ts';
import type { Amount } from '../analysis.ts';
import type { Sum, WalkedTree } from './walked-tree.ts';

/** One method in one calling context; lines of calls do not tell contexts apart. */
export type Part = {
  /** ROOT_METHOD for the top part of everything; the first of the methods for that of a set. */
  readonly method: number;
  readonly above: Part | null;
  readonly depth: number;
  readonly total: Amount;
  /** Several frames of libraries are in it. Known once it was expanded, or its callers were. */
  isFolded: boolean;
  /** Nodes whose samples it has, none below another. */
  readonly nodes: number[];
  /** For each of the nodes, the ancestor that the part stands for; null for callees. */
  readonly ancestors: number[] | null;
  /** Its samples in no part below it; null until it is expanded. Callees: what ran in the method itself; callers: stacks that begin with it. */
  own: Amount | null;
  /** Heaviest first; null until it is expanded. Siblings never have the same method, and each sample is in at most one of them. */
  below: readonly Part[] | null;
};

export type PartsWish = {
  readonly direction: 'callees' | 'callers';
  /** Rows of the method table that are taken as one and stand at the top; null for everything. */
  readonly methods: readonly number[] | null;
  /** One byte a method row, 1 = of a library: what such methods call of each other is part of the outermost; null folds nothing. */
  readonly library: Uint8Array | null;
};

/** Nodes between two pauses. */
const STEP = 1 << 14;

/** Parts of one tree in one direction. What was expanded stays. */
export class Parts {
  readonly top: Part;
  /** How many nodes all parts hold together. */
  held = 0;
  readonly #tree: WalkedTree;
  readonly #wish: PartsWish;
  #visited = 0;
  /** The last one that was asked for. */
  #aggregated: { readonly part: Part; readonly top: Part } | null = null;

  constructor(tree: WalkedTree, wish: PartsWish, pause: Pause = noPause) {
    this.#tree = tree;
    this.#wish = wish;
    const { methods } = wish;
    const top = newPart(methods?.[0] ?? ROOT_METHOD, null, wish.direction === 'callers');
    if (methods === null) tree.forEachTop(node => this.#add(top, node, node));
    else tree.forEachOutermost(methods, node => this.#add(top, node, node), pause);
    this.top = top;
  }

  /** The parts below one, heaviest first. */
  below(part: Part, pause: Pause = noPause): readonly Part[] {
    return part.below ?? this.#expand(part, pause);
  }

  /** Its samples in no part below it. */
  ownOf(part: Part, pause: Pause = noPause): Amount {
    this.below(part, pause);
    return part.own!;
  }

  /** The self time of the part's method among the part's samples. Callers have none: they waited for their callees. */
  selfOf(part: Part, pause: Pause = noPause): Amount {
    const { direction, methods } = this.#wish;
    if (direction === 'callees') return this.ownOf(part, pause);
    if (methods === null && part.depth === 1) return part.total;
    const self = { weight: 0, count: 0 };
    if (part.depth === 0) this.#run(part, self, () => {}, pause);
    return self;
  }

  /** The same part without calling contexts: below it stand the methods that ran in it themselves, each once. Callees only. */
  aggregated(part: Part, pause: Pause = noPause): Part {
    if (this.#aggregated?.part === part) return this.#aggregated.top;
    const found = new Map<number, Part>();
    const own = { weight: 0, count: 0 };
    const top = { ...part, above: null };
    this.#owners(top, found, own, pause);
    this.#aggregated = { part, top: Object.assign(top, { own, below: [...found.values()].sort(byWeight) }) };
    return this.#aggregated.top;
  }

  #expand(part: Part, pause: Pause): readonly Part[] {
    const found = new Map<number, Part>();
    const own = { weight: 0, count: 0 };
    const { direction, methods } = this.#wish;
    if (direction === 'callees') this.#callees(part, found, own, pause);
    else if (part.above === null && methods === null) this.#ends(part, found, own, pause);
    else this.#callers(part, found, own, pause);
    part.own = own;
    part.below = [...found.values()].sort(byWeight);
    return part.below;
  }

  #callees(part: Part, found: Map<number, Part>, own: Sum, pause: Pause): void {
    const { method } = this.#tree;
    const visit = (callee: number) => this.#add(partOf(found, method[callee]!, part), callee);
    this.#run(part, own, visit, pause);
  }

  /** Adds what the part's nodes ran themselves to `own`, and visits what they call; of a library's part its folded frames are nodes too. */
  #run(part: Part, own: Sum, visit: (callee: number) => void, pause: Pause): void {
    const { method, forEachCallee } = methodsOf(this.#tree);
    const { library } = this.#wish;
    const isLibrary = library !== null && part.method !== ROOT_METHOD && library[part.method] === 1;
    const pending: number[] = [];
    const take = (callee: number) => {
      if (isLibrary && library[method[callee]!] === 1) {
        part.isFolded = true;
        pending.push(callee);
      } else visit(callee);
    };
    for (const node of part.nodes) {
      // The top part of a focus stands for what calls its outermost methods.
      if (part.method === ROOT_METHOD && method[node] !== ROOT_METHOD) {
        take(node);
        continue;
      }
      pending.push(node);
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        if (++this.#visited % STEP === 0) pause();
        this.#tree.addOwn(next, own);
        forEachCallee(next, take);
      }
    }
  }

  #callers(part: Part, found: Map<number, Part>, own: Sum, pause: Pause): void {
    const { method } = this.#tree;
    for (let i = 0; i < part.nodes.length; i++) {
      if (++this.#visited % STEP === 0) pause();
      const node = part.nodes[i]!;
      const caller = this.#tree.callerOf(part.ancestors![i]!);
      if (caller < 0) this.#addAmount(node, own);
      else {
        const outer = this.#outermostOfRun(caller);
        const above = partOf(found, method[outer]!, part);
        if (outer !== caller) above.isFolded = true;
        this.#add(above, node, outer);
      }
    }
  }

  /** Finds the methods with self time anywhere: the first row of callers of everything. */
  #ends(part: Part, found: Map<number, Part>, own: Sum, pause: Pause): void {
    const { method } = this.#tree;
    this.#tree.forEachOwner(node => {
      if (method[node] === ROOT_METHOD) return this.#tree.addOwn(node, own);
      const outer = this.#outermostOfRun(node);
      const below = partOf(found, method[outer]!, part);
      if (outer !== node) below.isFolded = true;
      this.#add(below, node, outer);
    }, pause);
  }

  #owners(part: Part, found: Map<number, Part>, own: Sum, pause: Pause): void {
    const { method, forEachCallee } = methodsOf(this.#tree);
    const { library } = this.#wish;
    // Each node with the library frame that its own samples count for, −1 for none.
    const pending: number[] = [];
    const outers: number[] = [];
    for (const node of part.nodes) {
      pending.push(node);
      outers.push(-1);
    }
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (++this.#visited % STEP === 0) pause();
      const above = outers.pop()!;
      const isLibrary = library !== null && method[node] !== ROOT_METHOD && library[method[node]!] === 1;
      const outer = isLibrary ? (above < 0 ? method[node]! : above) : -1;
      const sum = { weight: 0, count: 0 };
      this.#tree.addOwn(node, sum);
      if (sum.weight !== 0 || sum.count !== 0) {
        if (method[node] === ROOT_METHOD) addTo(own, sum);
        else {
          const below = partOf(found, isLibrary ? outer : method[node]!, part);
          if (isLibrary && outer !== method[node]) below.isFolded = true;
          addTo(below.total as Sum, sum);
          below.nodes.push(node);
          below.own = below.total;
          below.below = [];
        }
      }
      forEachCallee(node, callee => {
        pending.push(callee);
        outers.push(outer);
      });
    }
  }

  /** Of library frames that call each other, the outermost; the node itself where it is none. */
  #outermostOfRun(node: number): number {
    const { library } = this.#wish;
    const { method } = this.#tree;
    if (library === null || library[method[node]!] !== 1) return node;
    let outer = node;
    for (let above = this.#tree.callerOf(outer); above >= 0; above = this.#tree.callerOf(outer)) {
      if (library[method[above]!] !== 1) break;
      outer = above;
    }
    return outer;
  }

  #add(part: Part, node: number, ancestor?: number): void {
    this.held++;
    part.nodes.push(node);
    part.ancestors?.push(ancestor ?? node);
    if (part.above === null) this.#tree.addTotal(node, part.total as Sum);
    else this.#addAmount(node, part.total as Sum);
  }

  /** Adds the amount that a node brings into a part: everything below it, or in the callers of everything, its self time. */
  #addAmount(node: number, sum: Sum): void {
    const { direction, methods } = this.#wish;
    if (direction === 'callers' && methods === null) this.#tree.addOwn(node, sum);
    else this.#tree.addTotal(node, sum);
  }
}

function methodsOf(tree: WalkedTree): Pick<WalkedTree, 'method' | 'forEachCallee'> {
  return { method: tree.method, forEachCallee: (node, visit) => tree.forEachCallee(node, visit) };
}

function newPart(method: number, above: Part | null, isCallers = above !== null && above.ancestors !== null): Part {
  return {
    method,
    above,
    depth: above === null ? 0 : above.depth + 1,
    total: { weight: 0, count: 0 },
    isFolded: false,
    nodes: [],
    ancestors: isCallers ? [] : null,
    own: null,
    below: null,
  };
}

function partOf(parts: Map<number, Part>, method: number, above: Part): Part {
  const known = parts.get(method);
  if (known !== undefined) return known;
  const part = newPart(method, above);
  parts.set(method, part);
  return part;
}

function addTo(sum: Sum, { weight, count }: Amount): void {
  sum.weight += weight;
  sum.count += count;
}

/** Sorting is stable: of equally heavy parts the one that was met first comes first. */
export function byWeight(x: Part, y: Part): number {
  return y.total.weight - x.total.weight || y.total.count - x.total.count;
}
