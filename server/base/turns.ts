// Takes work that comes in steps without keeping others waiting.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** No single turn of the event loop is longer than this for work that comes in steps, in milliseconds. */
const SLICE_MILLIS = 10;

/** Takes steps until they are done, letting other messages in between; false when it was over before, which is asked once a turn. */
export async function inTurns(steps: Iterable<void>, isOver: () => boolean = () => false): Promise<boolean> {
  let sliceEnd = performance.now() + SLICE_MILLIS;
  for (const _ of steps) {
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    if (isOver()) return false;
    sliceEnd = performance.now() + SLICE_MILLIS;
  }
  return true;
}
