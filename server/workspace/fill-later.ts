// Fills in, between orders, the tables that the loading thread has handed out empty.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fillAroundTables } from '../metrics/around-tables.ts';
import type { TransferableData } from './loaded-data.ts';

/** Tables of what was looked at before these are left empty. */
const MOST_UNFINISHED = 3;

export class FillLater {
  #unfinished: Generator<void, void, void>[] = [];
  #isPaused = true;
  #isRunning = false;

  /** To be filled in; the latest come first. */
  add({ folded: { profile, index, sites, lines }, selected: { analysis, values } }: TransferableData): void {
    const whole = { ...analysis, profile, index };
    this.#unfinished.unshift(fillAroundTables(values.around, whole, sites, lines));
    this.#unfinished.length = Math.min(this.#unfinished.length, MOST_UNFINISHED);
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
    for (let first = this.#unfinished[0]; first !== undefined && !this.#isPaused; first = this.#unfinished[0]) {
      if (first.next().done === true) this.#unfinished = this.#unfinished.filter(other => other !== first);
      await nextTurn();
    }
    this.#isRunning = false;
    if (!this.#isPaused) done();
  }
}
