// Builds a profile from samples: a growing tree, tables of methods and threads, and sparse cells for each metric.
import { GrowingCells, type GrownCell } from './growing-cells.ts';
import { GrowingTree } from './growing-tree.ts';
import { MethodTableBuilder } from './method-table.ts';
import {
  isWeighted,
  type Losses,
  type Metric,
  PARTIAL_METHOD,
  type Profile,
  ROOT_METHOD,
  type TimeWindow,
} from './profile.ts';
import { limitSingleThreads } from './thread-groups.ts';
import { ThreadTableBuilder } from './thread-table.ts';
import { GrowingTimes } from './times.ts';
import { uniteMetric } from './unite-metrics.ts';

/** The node that samples without a stack belong to. */
export const ROOT_NODE = 0;
/** Line of a root or partial cell whose samples did have a stack, but one without frames; other such cells have line 0. */
export const EMPTY_STACK_LINE = -1;

/**
 * Grows a profile sample by sample. Use:
 *
 *     const builder = new ProfileBuilder('normalised');
 *     const cpu = builder.metric({ id: 'cpu', unit: 'samples', kind: 'sampled', events: ['jdk.ExecutionSample'], periodNanos: 0 });
 *     const run = builder.child(ROOT_NODE, builder.methods.method('com.acme.Shop', 'run', '()V', 0), 0);
 *     const log = builder.child(run, builder.methods.method('com.acme.Log', 'log', '()V', 0), 31);
 *     builder.add(cpu, log, builder.threads.thread('main', 'pool-1-thread-2', false), 12, 0, 1);
 *     const profile = builder.finish([{ startMillis: 0, endMillis: 1000 }]);
 *
 * Node numbers given out while growing are not the rows of the finished tree.
 */
export class ProfileBuilder {
  readonly methods = new MethodTableBuilder();
  readonly threads: ThreadTableBuilder;
  readonly #threadNames: 'raw' | 'normalised';
  #times = new GrowingTimes();
  readonly #tree = new GrowingTree(ROOT_METHOD);
  readonly #metrics: Metric[] = [];
  readonly #cells: GrowingCells[] = [];

  constructor(threadNames: 'raw' | 'normalised') {
    this.#threadNames = threadNames;
    this.threads = new ThreadTableBuilder(threadNames);
  }

  /** Response times; windows are numbered as those of samples. */
  get times(): GrowingTimes {
    return this.#times;
  }

  /** Number of nodes so far. */
  get nodeCount(): number {
    return this.#tree.length;
  }

  /** Number of cells so far, over all metrics. */
  get cellCount(): number {
    return this.#cells.reduce((sum, cells) => sum + cells.length, 0);
  }

  /** Events so far of the metric that has most. */
  get eventCount(): number {
    return Math.max(0, ...this.#cells.map(({ count }) => count));
  }

  /** Amounts added so far that were no number, negative or too large, and were clamped. */
  get clampedAmounts(): number {
    return this.#cells.reduce((sum, cells) => sum + cells.clampedAmounts, 0);
  }

  /** Names added so far that were too long and were shortened; one that comes again counts again. */
  get shortenedTexts(): number {
    return this.methods.shortenedTexts + this.threads.shortenedTexts;
  }

  /** The metrics so far. */
  get metrics(): readonly Metric[] {
    return this.#metrics;
  }

  /** The child of `node` for a call of `method` from `callLine` (≤ 0 unknown; 0 below the root and the partial root). */
  child(node: number, method: number, callLine: number): number {
    return this.#tree.child(node, method, callLine);
  }

  /** The row of a node's method. */
  methodOf(node: number): number {
    return this.#tree.methodOf(node);
  }

  /** The innermost nodes of the path that ends in a node, from this node outwards. */
  pathTo(node: number, length: number): number[] {
    const path: number[] = [];
    for (let each = node; path.length < length; each = this.#tree.parentOf(each)) path.push(each);
    return path;
  }

  /** The line in the parent from which a node was called. */
  callLineOf(node: number): number {
    return this.#tree.callLineOf(node);
  }

  /** The parent of stacks that were cut off at the root end. */
  partialRoot(): number {
    return this.#tree.child(ROOT_NODE, PARTIAL_METHOD, 0);
  }

  /**
   * The number of a metric, by its id. Declared again, its events are united and the larger period is kept.
   * Metrics in nanoseconds and bytes keep weights; the others count.
   */
  metric(metric: Metric): number {
    const known = this.#metrics.findIndex(each => each.id === metric.id);
    if (known < 0) {
      this.#cells.push(new GrowingCells(isWeighted(metric)));
      return this.#metrics.push({ ...metric, events: [...metric.events].sort() }) - 1;
    }
    this.#metrics[known] = uniteMetric(this.#metrics[known]!, metric);
    return known;
  }

  /**
   * Adds samples to the cell (node, thread, line, window) of a metric: `count` of them with `weight` in sum.
   * `weightSquares` is the sum of the single samples' squared weights; the default holds when all weigh the same.
   */
  add(
    metric: number,
    node: number,
    thread: number,
    line: number,
    window: number,
    count: number,
    weight = count,
    weightSquares = count === 1 ? weight * weight : (weight * weight) / (count || 1),
  ): void {
    this.#cells[metric]!.add(node, thread, line, window, count, weight, weightSquares);
  }

  /** Whether a metric has samples. */
  hasSamples(id: string): boolean {
    return this.#metrics.some((metric, number) => metric.id === id && this.#cells[number]!.length > 0);
  }

  /** Visits the cells of a metric, in the order in which they grew; no cell of the same metric may be added meanwhile. */
  eachCell(id: string, visit: (cell: GrownCell) => void): void {
    const number = this.#metrics.findIndex(metric => metric.id === id);
    this.#cells[number]?.each(visit);
  }

  /**
   * Drops all samples and times, and the nodes that are neither among `kept` nor above one of them when those are most of the tree. Tables stay,
   * with the rows that were given out.
   * @returns the new number of each node, −1 for a removed node; null when all nodes keep their numbers
   */
  forgetSamples(kept: Int32Array): Int32Array | null {
    for (const [number, metric] of this.#metrics.entries()) this.#cells[number] = new GrowingCells(isWeighted(metric));
    this.#times = new GrowingTimes();
    return this.#tree.retain(kept);
  }

  /**
   * The profile with depth-first columns in shared memory. Of threads whose names differ in digits alone at most 64 keep their names. `windows` must cover every window number that was used.
   * The builder may go on growing afterwards.
   */
  finish(windows: readonly TimeWindow[], losses: Partial<Losses> = {}): Profile {
    const { tree, rowOf } = this.#tree.finish();
    const times = this.#times.finish();
    const profile = {
      tree,
      methods: this.methods.finish(),
      threads: this.threads.finish(),
      windows,
      metrics: this.#metrics.slice(),
      cells: this.#cells.map(cells => cells.finish(rowOf)),
      losses: { truncatedStacks: 0, withoutStack: 0, lostSamples: 0, ...losses },
      ...(times !== undefined && { times }),
    };
    return this.#threadNames === 'raw' ? profile : limitSingleThreads(profile);
  }
}
