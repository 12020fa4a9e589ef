// Tests that work in pieces leaves room for messages, however much of it runs at once.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Cancelled, inTurns } from '../../server/base/pause.ts';

const STEP_MILLIS = 4;

function* busySteps(count: number, took: () => void): Generator<void> {
  for (let step = 0; step < count; step++) {
    for (const end = performance.now() + STEP_MILLIS; performance.now() < end; );
    took();
    yield;
  }
}

test('one piece of work alone has a slice in a turn of the event loop', async () => {
  const perTurn: Set<number>[] = [];
  let turn = new Set<number>();
  const works = [1, 2, 3, 4].map(work => inTurns(busySteps(12, () => turn.add(work))));
  let isDone = false;
  const all = Promise.all(works).then(() => {
    isDone = true;
  });
  // The first step of each is taken before any turn.
  turn = new Set();
  while (!isDone) {
    await nextTurn();
    perTurn.push(turn);
    turn = new Set();
  }
  await all;
  expect(Math.max(...perTurn.map(({ size }) => size))).toBe(1);
  for (const work of [1, 2, 3, 4]) expect(perTurn.some(taken => taken.has(work))).toBe(true);
});

test('work that is over ends with Cancelled, and the work behind it goes on', async () => {
  let isOver = false;
  const cancelled = inTurns(
    busySteps(100, () => {}),
    () => isOver,
  );
  let steps = 0;
  const other = inTurns(busySteps(8, () => steps++));
  isOver = true;
  await expect(cancelled).rejects.toThrow(Cancelled);
  await other;
  expect(steps).toBe(8);
});
