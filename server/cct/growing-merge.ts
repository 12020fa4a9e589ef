// Merges profiles of one program one after the other into a growing tree, so that what they have in common is not copied again and again.

import { GrowingTree } from './growing-tree.ts';
import { type Cct, type Cells, type Losses, type Profile, ROOT_METHOD } from './profile.ts';
import { sharedInt32 } from './shared-columns.ts';
import { concatenateCells, sortCells } from './sort-cells.ts';
import { GrowingTimes } from './times.ts';
import { MethodUnion, MetricUnion, ThreadUnion, WindowUnion } from './unite-tables.ts';

/** So many cells are gathered before those of the same place are added up. */
const GATHERED_CELLS = 1 << 19;

/**
 * Holds the samples of all profiles that were added. Rows, children and sums come as if each were merged onto the ones before: in the order
 * in which they were first seen. Nothing of a profile is kept but for its names, so that each may go once it is added.
 */
export class GrowingMerge {
  readonly #methods = new MethodUnion();
  readonly #threads = new ThreadUnion();
  readonly #windows = new WindowUnion();
  readonly #metrics = new MetricUnion();
  readonly #tree = new GrowingTree(ROOT_METHOD);
  readonly #cells: GatheredCells[] = [];
  readonly #times = new GrowingTimes();
  #losses: Losses = { truncatedStacks: 0, withoutStack: 0, lostSamples: 0 };

  /** Cells and times held now, over all metrics; cells of the same place may be held several times. */
  get cellCount(): number {
    return this.#cells.reduce((sum, cells) => sum + cells.length, this.#times.length);
  }

  add(profile: Profile): void {
    const threads = this.#threads.add(profile.threads);
    const windows = this.#windows.add(profile.windows);
    const methods = this.#methods.add(profile.methods);
    const nodes = this.#addTree(profile.tree, methods);
    if (profile.times !== undefined) this.#times.addAll(profile.times, methods, windows);
    for (const [own, row] of this.#metrics.add(profile.metrics).entries()) {
      this.#cells[row] ??= new GatheredCells();
      const { node, thread, window, ...rest } = profile.cells[own]!;
      const moved = {
        ...rest,
        node: translate(node, nodes),
        thread: translate(thread, threads),
        window: translate(window, windows),
      };
      this.#cells[row].add(moved, this.#tree.length);
    }
    const { truncatedStacks, withoutStack, lostSamples } = profile.losses;
    this.#losses = {
      truncatedStacks: this.#losses.truncatedStacks + truncatedStacks,
      withoutStack: this.#losses.withoutStack + withoutStack,
      lostSamples: this.#losses.lostSamples + lostSamples,
    };
  }

  /** The growing node of each node of a tree. */
  #addTree({ length, parent, method, callLine }: Cct, methods: Int32Array): Int32Array {
    const nodes = new Int32Array(length);
    for (let i = 1; i < length; i++)
      nodes[i] = this.#tree.child(nodes[parent[i]!]!, methods[method[i]!]!, callLine[i]!);
    return nodes;
  }

  /** One profile of all; an empty one where none was added. */
  finish(): Profile {
    const { tree, rowOf } = this.#tree.finish();
    const { table: windows, rows } = this.#windows.finish();
    const times = this.#times.finish(rows);
    return {
      tree,
      methods: this.#methods.finish(),
      threads: this.#threads.finish(),
      windows,
      metrics: this.#metrics.finish(),
      cells: this.#cells.map(cells => cells.finish(rowOf, rows)),
      losses: this.#losses,
      ...(times !== undefined && { times }),
    };
  }
}

/** Cells of one metric, added up whenever they have become twice as many. */
class GatheredCells {
  #parts: Cells[] = [];
  #length = 0;
  #next = GATHERED_CELLS;

  get length(): number {
    return this.#length;
  }

  add(cells: Cells, nodes: number): void {
    this.#parts.push(cells);
    this.#length += cells.length;
    if (this.#length < this.#next) return;
    const sum = sortCells(concatenateCells(this.#parts), nodes);
    this.#parts = [sum];
    this.#length = sum.length;
    this.#next = Math.max(GATHERED_CELLS, 2 * sum.length);
  }

  finish(nodes: Int32Array, windows: Int32Array): Cells {
    const all = concatenateCells(this.#parts);
    const moved = { ...all, node: translate(all.node, nodes), window: translate(all.window, windows) };
    return sortCells(moved, nodes.length);
  }
}

/** The column with every value replaced by its row in `rows`. */
export function translate(column: Int32Array, rows: Int32Array): Int32Array {
  const out = sharedInt32(column.length);
  for (let i = 0; i < column.length; i++) out[i] = rows[column[i]!]!;
  return out;
}
