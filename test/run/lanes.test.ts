// Suites that mostly wait run beside others where there is room, and every suite runs once.
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runInLanes } from './lanes.ts';
import type { Suite } from './suites.ts';

const suite = (name: string, more: Partial<Suite> = {}): Suite => ({ name, include: [], engines: [], ...more });

/** Runs suites that take a moment each, and notes which ran beside which. */
async function seen(suites: readonly Suite[], hasRoom: () => Promise<boolean>) {
  const [order, beside, running]: [string[], Set<string>, Set<string>] = [[], new Set(), new Set()];
  const run = async ({ name }: Suite): Promise<void> => {
    order.push(name);
    for (const other of running) beside.add([name, other].sort().join(' '));
    running.add(name);
    await pause(2);
    running.delete(name);
  };
  await runInLanes(suites, run, hasRoom);
  return { order, beside: [...beside].sort() };
}

const SUITES = [
  suite('fast'),
  suite('record', { waits: true }),
  suite('server'),
  suite('accuracy', { alone: true }),
  suite('web', { waits: true }),
];

test('without room one suite runs after the other, suites that wait behind the others', async () => {
  const { order, beside } = await seen(SUITES, async () => {
    await pause(1);
    return false;
  });
  expect(order).toEqual(['fast', 'server', 'record', 'web', 'accuracy']);
  expect(beside).toEqual([]);
});

test('with room suites that wait run beside others, and nothing beside one that must be alone', async () => {
  const { order, beside } = await seen(SUITES, async () => true);
  expect(order.toSorted()).toEqual(SUITES.map(({ name }) => name).toSorted());
  expect(order.at(-1)).toBe('accuracy');
  expect(beside.length).toBeGreaterThan(0);
  expect(beside.join()).not.toContain('accuracy');
});

test('every suite runs once, whenever there is room', async () => {
  const kind = fc.constantFrom({}, { waits: true }, { alone: true });
  await fc.assert(
    fc.asyncProperty(fc.array(kind, { maxLength: 6 }), fc.infiniteStream(fc.boolean()), async (kinds, room) => {
      const suites = kinds.map((more, at) => suite(String(at), more));
      const { order } = await seen(suites, async () => {
        await pause(1);
        return room.next().value ?? true;
      });
      expect(order.toSorted()).toEqual(suites.map(({ name }) => name));
    }),
    { numRuns: 30 },
  );
});
