// What a question is: a row of the table from which every number is asked.
import type { LoadedData } from '../loaded-data.ts';

/**
 * To be called at least every 10 ms of work. Lets more urgent questions run first.
 * @throws Cancelled when the answer is not wanted any more.
 */
export type Pause = () => void;

/** Thrown by a pause, and what a cancelled ask rejects with. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
    this.name = 'Cancelled';
  }
}

/**
 * Answers are plain immutable data or columns, since they may come from another thread.
 * @typeParam P parameters, plain data
 * @typeParam A the answer
 */
export type Question<P, A> = (data: LoadedData, parameters: P, pause: Pause) => A;

/** Takes all steps of work that comes in steps. */
export function resultWith<T>(steps: Generator<void, T, void>, pause: Pause): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    pause();
  }
}
