// Tests the tuning of V8: a recorder collects when much has come, never for much of its time, and its memory for new objects stays small.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { expect, test, vi } from 'vitest';
import { allowCollections, Tidying } from '../../server/base/engine.ts';

const MIB = 1 << 20;

/** A memory in which collections take `millis` of work, ten times as long on this machine, and leave `alive` bytes. */
function memory(millis: number, longestMillis?: number) {
  const state = { held: 20 * MIB, alive: 20 * MIB, now: 0, work: 0, collections: 0 };
  const collect = () => {
    state.collections++;
    state.held = state.alive;
    state.now += 10 * millis;
    state.work += millis;
  };
  const own = { held: () => state.held, collect, now: () => state.now, work: () => state.work };
  const tidying = new Tidying(own, longestMillis);
  const second = (grown: number) => {
    state.held += grown;
    state.now += 1000;
    tidying.look();
  };
  /** Another thread counts the columns as held, and this one lets go of them. */
  const replaced = (shared: number) => {
    state.now += 1000;
    tidying.look(shared);
  };
  return { state, second, replaced };
}

test('what is held stays within the limit, however long it grows', () => {
  const { state, second } = memory(10);
  let most = 0;
  for (let i = 0; i < 1000; i++) {
    second(MIB);
    most = Math.max(most, state.held);
  }
  expect(most).toBeLessThanOrEqual(26 * MIB);
  expect(state.collections).toBeGreaterThan(130);
});

test('shared columns that were let go of are collected, although this thread does not count them as held', () => {
  const { state, replaced } = memory(1);
  for (let i = 0; i < 100; i++) replaced(MIB);
  expect(state.collections).toBe(20);
  for (let i = 0; i < 100; i++) replaced(0);
  expect(state.collections).toBe(20);
});

test('what is held for good makes the limit larger, so that it is not collected again and again', () => {
  const { state, second } = memory(20);
  for (let i = 0; i < 100; i++) {
    state.alive += MIB;
    second(MIB);
  }
  for (let i = 0; i < 100; i++) second(0);
  expect(state.collections).toBeLessThan(12);
  const before = state.collections;
  for (let i = 0; i < 66; i++) second(MIB);
  expect(state.collections).toBe(before + 2);
});

test('what grows faster than collections may run is left to the engine', () => {
  const { state, second } = memory(30);
  for (let i = 0; i < 90; i++) second(100 * MIB);
  expect(state.collections).toBeLessThanOrEqual(10);
});

test('where collections take too long they are left to the engine', () => {
  const { state, second } = memory(30, 25);
  for (let i = 0; i < 590; i++) second(100 * MIB);
  expect(state.collections).toBe(1);
  for (let i = 0; i < 20; i++) second(100 * MIB);
  expect(state.collections).toBe(2);
});

test('a process gives up what nobody holds', async () => {
  allowCollections();
  const tidying = new Tidying();
  tidying.look();
  const before = process.memoryUsage().arrayBuffers;
  const columns = Array.from({ length: 20 }, () => new Float64Array(1 << 18));
  expect(process.memoryUsage().arrayBuffers).toBeGreaterThan(before + 10 * MIB);
  columns.length = 0;
  const collections: unknown[] = [];
  const observer = new PerformanceObserver(list =>
    collections.push(...list.getEntries().map(entry => ('detail' in entry ? entry.detail : null))),
  );
  observer.observe({ entryTypes: ['gc'] });
  tidying.look();
  // Another thread frees the columns, when the machine lets it.
  await vi.waitFor(() => expect(process.memoryUsage().arrayBuffers).toBeLessThan(before + 10 * MIB), 60_000);
  const { NODE_PERFORMANCE_GC_MAJOR: kind, NODE_PERFORMANCE_GC_FLAGS_FORCED: flags } = constants;
  await vi.waitFor(() => expect(collections).toContainEqual({ kind, flags }), 60_000);
  observer.disconnect();
});

const SOURCE = join(import.meta.dirname, '../../server/base/engine.ts');
/**
 * Makes objects that outlive a collection or two; prints the MiB that there usually were for new ones in the end. For moments there are more:
 * what has to stay while a collection has no room for it.
 */
const PROGRAM = `
  const { getHeapSpaceStatistics } = require('node:v8');
  const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20;
  if (process.argv[1] === 'limited') require(${JSON.stringify(SOURCE)}).keepYoungSpaceSmall();
  const sizes = [];
  for (let round = 0; round < 40; round++) {
    const kept = [];
    for (let i = 0; i < 20_000; i++) kept.push({ i, list: [i] });
    if (round >= 19) sizes.push(size());
  }
  console.log(sizes.sort((a, b) => a - b)[10]);
`;

function usualMiB(limit: string): number {
  return Number(execFileSync(process.execPath, ['-e', PROGRAM, limit], { encoding: 'utf8' }));
}

test('the memory for new objects does not grow with what outlives collections', () => {
  expect(usualMiB('limited')).toBeLessThan(8);
  expect(usualMiB('unlimited')).toBeGreaterThanOrEqual(16);
});
