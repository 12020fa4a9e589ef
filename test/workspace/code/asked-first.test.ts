// Work of which a few pieces are done at a time: order, replacement, and that every piece ends.
import { expect, test, vi } from 'vitest';
import { AskedFirst } from '../../../server/workspace/code/asked-first.ts';

/** Pieces that end when they are told to. */
function pieces(restMillis?: number) {
  const queue = new AskedFirst(restMillis);
  const begun: string[] = [];
  const ended: string[] = [];
  const ends = new Map<string, (how: Promise<void>) => void>();
  const add = (key: string, name = key) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    const work = () => {
      begun.push(name);
      return promise;
    };
    void queue.add(key, work).then(() => ended.push(name));
  };
  const end = async (name: string, how: Promise<void> = Promise.resolve()) => {
    ends.get(name)!(how);
    await new Promise(resolve => setImmediate(resolve));
  };
  return { queue, begun, ended, add, end };
}

test('begins four, and of the rest what is asked about first', async () => {
  const { queue, begun, add, end } = pieces();
  for (const key of 'abcdefg') add(key);
  expect(begun.join('')).toBe('abcd');
  queue.hurry('g');
  await end('b');
  await end('a');
  expect(begun.join('')).toBe('abcdge');
});

test('a failure makes way like an end', async () => {
  const { begun, ended, add, end } = pieces();
  for (const key of 'abcde') add(key);
  await end('c', Promise.reject(new Error('broken')));
  expect([begun.join(''), ended]).toEqual(['abcde', ['c']]);
});

test('what is replaced or dropped ends without having begun', async () => {
  const { queue, begun, ended, add, end } = pieces();
  for (const key of 'abcdef') add(key);
  add('e', 'E');
  queue.drop('f');
  await end('a');
  expect([begun.join(''), ended]).toEqual(['abcdE', ['e', 'f', 'a']]);
});

test('many that come at once begin when no more come, what is asked about at once', async () => {
  vi.useFakeTimers();
  const { queue, begun, add } = pieces(50);
  for (const key of 'abcde') {
    add(key);
    vi.advanceTimersByTime(40);
  }
  expect(begun).toEqual([]);
  queue.hurry('d');
  expect(begun).toEqual(['d']);
  vi.advanceTimersByTime(10);
  expect(begun.join('')).toBe('dabc');
  vi.useRealTimers();
});

test('all begin at once where all are asked about, and the next ones rest again', () => {
  const { queue, begun, add } = pieces(60_000);
  add('a');
  queue.hurryAll();
  add('b');
  expect(begun).toEqual(['a']);
});
