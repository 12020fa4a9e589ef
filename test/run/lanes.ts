// In which order suites run, and which of them beside each other.
import { setTimeout as pause } from 'node:timers/promises';
import { availableBytes, running } from './crowd.ts';
import type { Suite } from './suites.ts';

/** The second lane takes a suite only where so much memory is free, */
const LEAST_BYTES = 4 * 2 ** 30;
/** and no more processes than this run or want to, in the mean of these looks. */
const MOST_RUNNING = 2;
const LOOKS = 20;
const LOOK_MILLIS = 500;

/**
 * Runs suites in their order in a first lane. Beside it a second lane runs suites that mostly wait, as long as the machine has room for them; when
 * the first lane has nothing else left, the first lane takes of these suites too. Suites beside which nothing may run come last.
 *
 * @param run runs a suite; never rejects.
 * @param hasRoom the machine is watched for a while whether there is room for another suite.
 */
export async function runInLanes(
  suites: readonly Suite[],
  run: (suite: Suite) => Promise<void>,
  hasRoom: () => Promise<boolean> = isCalm,
): Promise<void> {
  const waiting = suites.filter(({ waits }) => waits === true);
  const alone = suites.filter(suite => suite.alone === true);
  const others = suites.filter(suite => !waiting.includes(suite) && !alone.includes(suite));
  const first = async (): Promise<void> => {
    for (const suite of others) await run(suite);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next);
  };
  const second = async (): Promise<void> => {
    while (waiting.length > 0) {
      const next = (await hasRoom()) ? waiting.shift() : undefined;
      if (next !== undefined) await run(next);
    }
  };
  await Promise.all([first(), second()]);
  for (const suite of alone) await run(suite);
}

async function isCalm(): Promise<boolean> {
  let sum = 0;
  for (let look = 0; look < LOOKS; look++) {
    await pause(LOOK_MILLIS);
    sum += running();
  }
  return sum / LOOKS <= MOST_RUNNING && availableBytes() >= LEAST_BYTES;
}
