// How long work lets others in: `Pause` for work that has a thread of its own, `Turn` for the thread that answers the editor.
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * To be called at least every 10 ms of work. Lets more urgent work run first.
 * @throws Cancelled when the result is not wanted any more.
 */
export type Pause = () => void;

/** For work that keeps nothing else waiting. */
export const noPause: Pause = () => {};

/**
 * To be awaited between small pieces of work on the main thread. Lets other messages in, once a slice of time is used up.
 * @throws Cancelled when the result is not wanted any more.
 */
export type Turn = () => Promise<void>;

/** Thrown by pauses and turns, and what a cancelled question rejects with. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
    this.name = 'Cancelled';
  }
}

/** No single turn of the event loop is longer than this for work that comes in pieces, in milliseconds. */
const SLICE_MILLIS = 10;

/** @param isOver asked once a turn of the event loop. */
export function turns(isOver: () => boolean = () => false): Turn {
  let sliceEnd = performance.now() + SLICE_MILLIS;
  return async () => {
    if (performance.now() < sliceEnd) return;
    await nextTurn();
    if (isOver()) throw new Cancelled();
    sliceEnd = performance.now() + SLICE_MILLIS;
  };
}

/** Takes work that comes in steps without keeping others waiting. Rejects with `Cancelled`. */
export async function inTurns(steps: Iterable<void>, isOver?: () => boolean): Promise<void> {
  const turn = turns(isOver);
  for (const _ of steps) await turn();
}
