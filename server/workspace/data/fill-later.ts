// Fills in, between orders, the tables that the loading thread has handed out empty.
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { FoldedData } from '../../analysis/folded-data.ts';
import type { TransferableData } from '../../analysis/loaded-data.ts';
import { analyse, type SelectedRows } from '../../metrics/analysis.ts';
import type { Steps } from '../../metrics/around-method.ts';
import { type AroundTables, fillAroundTables } from '../../metrics/around-tables.ts';

/** Hints of what was handed out are made first: both at once would wait for memory. */
const HINTS_FIRST_MILLIS = 50;

/** Tables of what was looked at before these are left empty. */
const MOST_UNFINISHED = 3;

/** Totals are worked out again: those that were sent are gone, and shared ones would stay in memory until both threads let go of them. */
function* filled(
  { profile, index, sites, lines }: FoldedData,
  selection: SelectedRows,
  tables: AroundTables,
): Steps<void> {
  const analysis = analyse(profile, index, selection);
  yield;
  yield* fillAroundTables(tables, analysis, sites, lines);
}

export class FillLater {
  #unfinished: readonly { readonly folded: FoldedData; readonly steps: Steps<void> }[] = [];
  #isPaused = true;
  #isRunning = false;

  /** To be filled in; the latest come first. */
  add({ folded, selected }: TransferableData): void {
    const steps = filled(folded, selected.analysis.selection, selected.values.around);
    // What was looked at of the same data before is most likely gone.
    const others = this.#unfinished.filter(other => other.folded !== folded);
    this.#unfinished = [{ folded, steps }, ...others].slice(0, MOST_UNFINISHED);
  }

  /** Something else comes first. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Goes on until it is paused or everything is filled in; calls `done` then. */
  async run(done: () => void): Promise<void> {
    this.#isPaused = false;
    if (this.#isRunning) return;
    this.#isRunning = true;
    await pause(HINTS_FIRST_MILLIS);
    for (let first = this.#unfinished[0]; first !== undefined && !this.#isPaused; first = this.#unfinished[0]) {
      if (first.steps.next().done === true) this.#unfinished = this.#unfinished.filter(other => other !== first);
      await nextTurn();
    }
    this.#isRunning = false;
    if (!this.#isPaused) done();
  }
}
