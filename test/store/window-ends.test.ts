// Checks what is foreseen of ends of windows, from what a store lists.
import { expect, test } from 'vitest';
import type { StoreEntry } from '../../server/store/store.ts';
import { nextWindowEnd } from '../../server/store/window-ends.ts';

function windows(instance: string, ...starts: number[]): StoreEntry[] {
  const execution = { project: 'acme', program: 'shop', version: '1', instance };
  return starts.map(startMillis => ({ execution, startMillis, hash: '0', key: '', bytes: 1 }));
}

test('the next window is as long as the last one was', () => {
  expect(nextWindowEnd(windows('a', 90, 100, 160), 220)).toBe(280);
  expect(nextWindowEnd(windows('a', 90, 100, 160), 279)).toBe(280);
  // By a clock that is behind the recorder's.
  expect(nextWindowEnd(windows('a', 100, 160), 0)).toBe(280);
});

test('a window that did not come, or is not there yet, is followed by others, until the execution must have ended', () => {
  expect(nextWindowEnd(windows('a', 100, 160), 280)).toBe(340);
  expect(nextWindowEnd(windows('a', 100, 160), 699)).toBe(700);
  expect(nextWindowEnd(windows('a', 100, 160), 700)).toBeNull();
});

test('the first of all that go on', () => {
  const entries = [...windows('a', 100, 200), ...windows('b', 110, 190), ...windows('gone', 100, 110)];
  expect(nextWindowEnd(entries, 300)).toBe(350);
  expect(nextWindowEnd(entries, 399)).toBe(400);
  expect(nextWindowEnd(entries, 400)).toBe(430);
});

test('parts of one window are one, and one window says nothing', () => {
  expect(nextWindowEnd(windows('a', 100, 200, 200), 300)).toBe(400);
  expect(nextWindowEnd([...windows('a', 100, 100), ...windows('b', 200)], 100)).toBeNull();
  expect(nextWindowEnd([], 0)).toBeNull();
});
