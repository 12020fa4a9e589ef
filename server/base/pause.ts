// How long work lets others in: `Pause` for work that has a thread of its own, `Turn` for the thread that answers the editor.

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

/** All work that comes in pieces takes no more than this of one turn of the event loop, in milliseconds. */
const SLICE_MILLIS = 10;

/** When the slice of this turn of the event loop ends. All work shares it: four documents that are parsed beside each other would make a turn four times as long. */
let sliceEnd = 0;
/** Work that waits for a slice, the first one first. */
const waiting: (() => void)[] = [];

/** Each turn of the event loop has one slice, for one piece of work. */
function nextSlice(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveSlice);
  });
}

function giveSlice(): void {
  const resume = waiting.shift();
  if (waiting.length > 0) setImmediate(giveSlice);
  sliceEnd = performance.now() + SLICE_MILLIS;
  resume?.();
}

/** @param isOver asked once a slice. */
export function turns(isOver: () => boolean = () => false): Turn {
  return async () => {
    if (performance.now() < sliceEnd) return;
    await nextSlice();
    if (isOver()) throw new Cancelled();
  };
}

/** Takes work that comes in steps without keeping others waiting. Rejects with `Cancelled`. */
export async function inTurns(steps: Iterable<void>, isOver?: () => boolean): Promise<void> {
  const turn = turns(isOver);
  for (const _ of steps) await turn();
}
