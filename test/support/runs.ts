// How often a property is run: in the short test run a tenth of the times, but in full where what it tests differs from the merge base.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { IN_FULL, SEED, SHORT } from '../run/sizes.ts';

/** Runs of a property that gives no number. */
export const DEFAULT_RUNS = 100;

/** Least number of runs in the short size. */
const LEAST_RUNS = 10;

const root = fileURLToPath(new URL('../../', import.meta.url));
const given = process.env[SEED];

/** The seed of all properties, if the run was given one; else each property has its own. */
export const seed: number | undefined = given === undefined ? undefined : Number(given);

/** Whether the test file that runs now is to be run as a whole. Outside `npm test` every file is. */
export function isInFull(): boolean {
  if (process.env[SHORT] === undefined) return true;
  const path = relative(root, expect.getState().testPath ?? '').replaceAll('\\', '/');
  return (process.env[IN_FULL] ?? '').split(',').some(folder => folder !== '' && path.startsWith(`test/${folder}/`));
}

/**
 * Says whether a loop over made-up inputs is over that works for so many seconds of processor time in full: where inputs take from
 * microseconds to a second, a number of runs says nothing.
 */
export function workFor(seconds: number): () => boolean {
  const before = process.cpuUsage();
  const most = isInFull() ? seconds : seconds / 10;
  return () => cpuSeconds(before) > most;
}

/** Processor time of this process since `before`. */
export function cpuSeconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** How often a property, or a loop over made-up inputs, is run that has `most` runs in full. */
export function runs(most: number): number {
  return isInFull() ? most : Math.min(most, Math.max(LEAST_RUNS, Math.ceil(most / 10)));
}

/** In the short run a quarter of many real inputs: each fourth one, beginning where the seed says. */
export function sampled<T>(inputs: readonly T[]): readonly T[] {
  return isInFull() ? inputs : inputs.filter((_, i) => (i + (seed ?? 0)) % 4 === 0);
}
